# The application delegate's window in Objective-C, asked by a name and by a property
expect AD013
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
@interface Alert ()
@property (weak, nonatomic) AppDelegate *app;
@end
@implementation Alert
- (void)show {
    AppDelegate *owner = (AppDelegate *)[[UIApplication sharedApplication] delegate];
    [owner.window.rootViewController presentViewController:self animated:YES completion:nil];
    [[owner window] endEditing:YES];
}
- (void)hide {
    [self.app.window endEditing:YES];
}
@end
