# A class under a framework's application delegate is one, also where main is not among the sources
expect none
answer notification cold yes
answer notification warm yes
--- AppDelegate.h
@interface AppDelegate : RCTAppDelegate <UNUserNotificationCenterDelegate>
@end
--- AppDelegate.mm
#import "AppDelegate.h"
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions
{
  UNUserNotificationCenter *center = [UNUserNotificationCenter currentNotificationCenter];
  center.delegate = self;
  return YES;
}
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
didReceiveNotificationResponse:(UNNotificationResponse *)response
         withCompletionHandler:(void (^)(void))completionHandler
{
  [PushModule open:response];
  completionHandler();
}
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
@end
--- unused.txt
UIApplicationDelegate
