# The notification centre's delegate is asked, and drops the response
expect AD006 AD011
answer notification cold no
answer notification warm no
--- AppDelegate.m
#import "AppDelegate.h"
@interface AppDelegate () <UNUserNotificationCenterDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions
{
    NSDictionary *info = launchOptions[UIApplicationLaunchOptionsRemoteNotificationKey];
    if (info) {
        [[Inbox sharedInbox] show:info];
    }
    [UNUserNotificationCenter currentNotificationCenter].delegate = self;
    return YES;
}
- (void)userNotificationCenter:(UNUserNotificationCenter *)center didReceiveNotificationResponse:(UNNotificationResponse *)response withCompletionHandler:(void (^)(void))completionHandler
{
    NSLog(@"%@", response);
    completionHandler();
}
@end
--- AppDelegate.h
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
