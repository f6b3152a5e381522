# A quick action whose type is compared, and then only logged, is not taken
expect AD005 AD009
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    application.shortcutItems = @[[[UIApplicationShortcutItem alloc] initWithType:@"new" localizedTitle:@"New"]];
    return YES;
}
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions {
    if ([connectionOptions.shortcutItem.type isEqualToString:@"new"]) {
        NSLog(@"new");
    }
}
- (void)windowScene:(UIWindowScene *)windowScene performActionForShortcutItem:(UIApplicationShortcutItem *)shortcutItem completionHandler:(void (^)(BOOL))completionHandler {
    if ([shortcutItem.type isEqualToString:@"new"]) {
        NSLog(@"new");
    }
    completionHandler(YES);
}
@end
