# A view asks its own window for its bounds, in an Objective-C app with several
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
@end
--- SceneDelegate.h
#import <UIKit/UIKit.h>
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
--- Toast.m
@implementation Toast
- (void)showOver:(UIView *)view {
    [view.window addSubview:self];
    NSArray *windows = [(UIWindowScene *)view.window.windowScene windows];
    [windows.firstObject endEditing:YES];
}
@end
--- Info.plist
SEVERAL SceneDelegate
