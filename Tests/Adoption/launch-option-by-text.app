# A launch option may be looked up by the text of its key
expect AD005 AD009 AD011
ask 0
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    if (launchOptions[@"UIApplicationLaunchOptionsShortcutItemKey"]) {
        [self perform:launchOptions[@"UIApplicationLaunchOptionsShortcutItemKey"]];
    }
    if (launchOptions[@"UIApplicationLaunchOptionsLocationKey"]) {
        [[Places shared] start];
    }
    return YES;
}
- (void)application:(UIApplication *)application
    performActionForShortcutItem:(UIApplicationShortcutItem *)item
               completionHandler:(void (^)(BOOL))done {
    [self perform:item];
}
- (void)perform:(UIApplicationShortcutItem *)item {
    [[Router shared] perform:item.type];
}
@end
