# An app of one scene makes no second one, whatever the scene declines
expect AD008
answer activity cold yes
answer activity warm no
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application
    continueUserActivity:(NSUserActivity *)userActivity
    restorationHandler:(void (^)(NSArray *))restorationHandler {
    [[Shelf shared] open:userActivity.webpageURL];
    return YES;
}
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene
    willConnectToSession:(UISceneSession *)session
    options:(UISceneConnectionOptions *)connectionOptions {
    scene.activationConditions.canActivateForTargetContentIdentifierPredicate =
        [NSPredicate predicateWithValue:NO];
    NSUserActivity *activity = connectionOptions.userActivities.anyObject;
    [[Shelf shared] open:activity.webpageURL];
}
@end
--- Info.plist
DELEGATE SceneDelegate
