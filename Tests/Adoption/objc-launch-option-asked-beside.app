# Whether a notification started the app decides which window comes, and who takes it is another
expect AD011
ask 1
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate, UNUserNotificationCenterDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    [[UNUserNotificationCenter currentNotificationCenter] setDelegate:self];
    [[Analytics shared] application:application didFinishLaunchingWithOptions:launchOptions];
    if ([[Account shared] isOpen]
        || launchOptions[UIApplicationLaunchOptionsRemoteNotificationKey]) {
        [self.tabs show];
    }
    if (launchOptions[UIApplicationLaunchOptionsRemoteNotificationKey]) {
        [self open:launchOptions[UIApplicationLaunchOptionsRemoteNotificationKey]];
    }
    return YES;
}
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult))done {
    [[Store shared] fetch:userInfo[@"id"]];
}
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))done {
    [self open:response.notification.request.content.userInfo];
}
- (void)open:(NSDictionary *)payload {
    [[Inbox shared] open:payload[@"id"]];
}
@end
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
@end
