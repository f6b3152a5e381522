# Two activity types in Objective-C, of which the manifest has one
expect AD016
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
--- Editor.m
static NSString * const WritingActivity = @"com.example.write";
@implementation Editor
- (void)begin {
    self.userActivity = [[NSUserActivity alloc] initWithActivityType:@"com.example.read"];
    self.userActivity = [[NSUserActivity alloc] initWithActivityType:WritingActivity];
}
@end
--- Info.plist
WITH-TYPE
