# A property is read by the variable behind it
expect none
answer url cold yes
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@property (nonatomic, strong) NSURL *pendingURL;
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions {
    self.pendingURL = connectionOptions.URLContexts.anyObject.URL;
}
- (void)sceneDidBecomeActive:(UIScene *)scene {
    [self.router open:_pendingURL];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts {
    [self.router open:URLContexts.anyObject.URL];
}
@end
