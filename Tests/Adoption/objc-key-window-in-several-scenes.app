# All windows of an app with several, in Objective-C
expect AD014
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
- (void)show {
    for (UIWindow *window in [[UIApplication sharedApplication] windows]) {
        [window addSubview:self];
    }
    [[UIApplication sharedApplication].keyWindow endEditing:YES];
}
@end
--- Info.plist
SEVERAL SceneDelegate
