# A Cordova plug-in is told of links by a notification that no scene delegate posts
expect none
ask 1
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
@end
--- LinkPlugin.m
@interface LinkPlugin : CDVPlugin
@end
@implementation LinkPlugin
- (void)handleOpenURL:(NSNotification *)notification {
    [self.commandDelegate evalJs:[notification.object absoluteString]];
}
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
@end
