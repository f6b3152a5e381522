# A Cordova plug-in is told of links by a scene delegate that posts the notification
expect none
ask 0
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
- (void)scene:(UIScene *)scene
    willConnectToSession:(UISceneSession *)session
                 options:(UISceneConnectionOptions *)connectionOptions {
    [self scene:scene openURLContexts:connectionOptions.URLContexts];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts {
    for (UIOpenURLContext *context in contexts) {
        [[Links shared] keep:context.URL];
        [[NSNotificationCenter defaultCenter]
            postNotificationName:CDVPluginHandleOpenURLNotification object:context.URL];
    }
}
@end
