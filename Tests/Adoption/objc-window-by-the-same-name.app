# In Objective-C, a window of what the application delegate holds
expect none
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
@implementation AppDelegate
@end
--- SceneDelegate.h
#import <UIKit/UIKit.h>
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
--- SceneDelegate.m
#import "SceneDelegate.h"
@implementation SceneDelegate
@end
--- Alert.m
@implementation Alert
- (void)show:(UIView *)view {
    UIView *root = [[[UIApplication sharedApplication] delegate] rootView];
    [root.window endEditing:YES];
    UIView *owner = view;
    [owner.window endEditing:YES];
}
- (void)log {
    AppDelegate *owner = (AppDelegate *)[[UIApplication sharedApplication] delegate];
    [owner log];
    [self show:[[UIApplication sharedApplication] delegate] window:nil];
}
@end
