# What follows a negated check for old systems is read, and what it holds is not
expect none
answer url cold yes
answer activity cold yes
answer shortcut cold yes
answer shortcut warm yes
--- AppDelegate.h
#import <UIKit/UIKit.h>
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@property (strong, nonatomic) UIWindow *window;
@end
--- main.m
#import "AppDelegate.h"
int main(int argc, char * argv[]) {
    @autoreleasepool {
        return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
    }
}
--- AppDelegate.m
#import "AppDelegate.h"
@interface AppDelegate () <UNUserNotificationCenterDelegate>
@end
@implementation AppDelegate

@end
--- SceneDelegate.h
#import <UIKit/UIKit.h>
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
--- SceneDelegate.m
#import "SceneDelegate.h"
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions {
    if (!@available(iOS 13.0, *)) {
        return;
    }
    [self scene:scene openURLContexts:connectionOptions.URLContexts];
    NSUserActivity *activity = connectionOptions.userActivities.anyObject;
    if (activity) {
        [self scene:scene continueUserActivity:activity];
    }
    if (connectionOptions.shortcutItem != nil) {
        [self perform:[connectionOptions shortcutItem]];
    }
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts {
    for (UIOpenURLContext *context in URLContexts) {
        [self.router open:context.URL];
    }
}
- (void)scene:(UIScene *)scene continueUserActivity:(NSUserActivity *)userActivity {
    [self.router open:userActivity.webpageURL];
}
- (void)windowScene:(UIWindowScene *)windowScene performActionForShortcutItem:(UIApplicationShortcutItem *)shortcutItem completionHandler:(void (^)(BOOL))completionHandler {
    [self perform:shortcutItem];
    completionHandler(YES);
}
@end
