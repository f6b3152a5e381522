# Data for each session in Objective-C, removed with the session
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
- (void)application:(UIApplication *)application didDiscardSceneSessions:(NSSet<UISceneSession *> *)sceneSessions {
    for (UISceneSession *session in sceneSessions) {
        [[NSUserDefaults standardUserDefaults] removeObjectForKey:session.persistentIdentifier];
    }
}
@end
--- SceneDelegate.h
#import <UIKit/UIKit.h>
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
--- SceneDelegate.m
#import "SceneDelegate.h"
@implementation SceneDelegate
- (void)sceneDidEnterBackground:(UIScene *)scene {
    [[NSUserDefaults standardUserDefaults] setObject:self.editor.text forKey:scene.session.persistentIdentifier];
}
@end
