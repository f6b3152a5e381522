# Each window sets the application delegate's document, by a name of Objective-C
expect AD020
--- AppDelegate.h
#import <UIKit/UIKit.h>
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@property (strong, nonatomic) Document *current;
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
- (void)sceneDidBecomeActive:(UIScene *)scene {
    AppDelegate *app = (AppDelegate *)[UIApplication sharedApplication].delegate;
    app.current = self.document;
}
@end
--- Info.plist
SEVERAL SceneDelegate
