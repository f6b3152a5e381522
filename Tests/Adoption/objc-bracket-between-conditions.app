# A bracket that two branches open and one closes
expect AD006 AD011
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
#if DEBUG
    id payload = [launchOptions objectForKey:
#else
    id payload = [launchOptions valueForKey:
#endif
        UIApplicationLaunchOptionsRemoteNotificationKey];
    [self.tabs show:payload];
    return YES;
}
@end
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
@end
