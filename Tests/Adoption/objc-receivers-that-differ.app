# The provider computes a name, so either of two scene delegates may get a link
expect none
answer url warm can't tell
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (UISceneConfiguration *)application:(UIApplication *)application
    configurationForConnectingSceneSession:(UISceneSession *)session
                                   options:(UISceneConnectionOptions *)options {
    return [UISceneConfiguration configurationWithName:[self nameFor:options]
                                           sessionRole:session.role];
}
@end
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts {
    [Router open:contexts];
}
@end
@interface PanelSceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation PanelSceneDelegate
@end
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array>
<dict><key>UISceneConfigurationName</key><string>Main</string>
<key>UISceneDelegateClassName</key><string>SceneDelegate</string></dict>
<dict><key>UISceneConfigurationName</key><string>Panel</string>
<key>UISceneDelegateClassName</key><string>PanelSceneDelegate</string></dict>
</array></dict></dict>
</dict></plist>
