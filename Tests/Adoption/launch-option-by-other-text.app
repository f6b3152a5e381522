# What is looked up by a text that is no launch option's can't be told
expect none
ask 1
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    [[Router shared] open:launchOptions[@"com.example.link"]];
    return YES;
}
@end
