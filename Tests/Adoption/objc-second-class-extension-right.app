# The same, with the link that starts the app
expect none
answer url cold yes
--- AppDelegate.h
@interface AppDelegate : UIResponder
@end
--- AppDelegate.m
@interface AppDelegate ()
@property (nonatomic) BOOL isReady;
@end
@interface AppDelegate () <UIApplicationDelegate>
@end
@implementation AppDelegate
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder
@end
@interface SceneDelegate () { BOOL isReady; }
@end
@interface SceneDelegate () <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session
      options:(UISceneConnectionOptions *)connectionOptions {
    [self scene:scene openURLContexts:connectionOptions.URLContexts];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts {
    [Router open:contexts.anyObject.URL];
}
@end
