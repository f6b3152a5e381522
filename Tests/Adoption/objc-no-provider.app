# An Objective-C app with two configurations and no provider
expect AD022
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
--- SceneDelegate.m
#import "SceneDelegate.h"
@implementation SceneDelegate
@end
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array>
<dict><key>UISceneConfigurationName</key><string>Editor</string>
<key>UISceneDelegateClassName</key><string>SceneDelegate</string></dict>
<dict><key>UISceneConfigurationName</key><string>Viewer</string>
<key>UISceneDelegateClassName</key><string>SceneDelegate</string></dict>
</array></dict></dict></dict></plist>
