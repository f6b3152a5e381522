# Objective-C: classes that conform only in a second class extension, or in a category
expect AD003
answer url cold no
answer url warm yes
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
- (BOOL)application:(UIApplication *)app openURL:(NSURL *)url options:(NSDictionary *)options {
    return [Router open:url];
}
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder
@end
@interface SceneDelegate () { BOOL isReady; }
@end
@interface SceneDelegate (Scene) <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts {
    [Router open:contexts.anyObject.URL];
}
@end
