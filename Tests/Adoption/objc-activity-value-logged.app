# An activity's value that is looked up and logged is not taken, so nothing is lost
expect none
lost activity cold no
lost activity warm no
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
    if ([userActivity.activityType isEqual:CSSearchableItemActionType]) {
        NSString *book =
            [userActivity.userInfo valueForKey:CSSearchableItemActivityIdentifier];
        NSLog(@"book %@", book);
        return YES;
    }
    return NO;
}
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene
    willConnectToSession:(UISceneSession *)session
    options:(UISceneConnectionOptions *)connectionOptions {
    [self showShelf];
}
@end
--- Info.plist
DELEGATE SceneDelegate
