# No scene takes an activity of its own, so each one makes a scene that connects with it
expect none
answer activity cold yes
answer activity warm yes
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
SEVERAL SceneDelegate
