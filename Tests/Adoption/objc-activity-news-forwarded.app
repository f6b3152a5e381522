# An Objective-C scene delegate that asks the application delegate
expect none
--- AppDelegate.h
#import <UIKit/UIKit.h>
@interface AppDelegate : UIResponder <UIApplicationDelegate>
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
@implementation AppDelegate
- (BOOL)application:(UIApplication *)application willContinueUserActivityWithType:(NSString *)userActivityType {
    [self.spinner show];
    return YES;
}
@end
--- SceneDelegate.h
#import <UIKit/UIKit.h>
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
--- SceneDelegate.m
#import "SceneDelegate.h"
@implementation SceneDelegate
- (void)sceneWillEnterForeground:(UIScene *)scene {
    UIApplication *application = UIApplication.sharedApplication;
    [application.delegate application:application willContinueUserActivityWithType:@"com.example.read"];
}
@end
