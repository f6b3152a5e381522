# Macros behind a parameter's name are no part of it
expect AD005
answer url cold yes
answer url warm yes
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions  API_AVAILABLE(ios(13.0)){
    [self openAll:connectionOptions.URLContexts];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts
API_AVAILABLE(ios(13.0)){
    [self openAll:URLContexts];
}
- (void)openAll:(NSSet<UIOpenURLContext *> *)contexts NS_SWIFT_NAME(openAll(_:)) {
    NSLog(@"%@", contexts);
    [contexts enumerateObjectsUsingBlock:^(UIOpenURLContext *context, BOOL *stop) {
        [self.router open:context.URL];
    }];
}
- (void)windowScene:(UIWindowScene *)windowScene performActionForShortcutItem:(UIApplicationShortcutItem *)shortcutItem completionHandler:(void (^)(BOOL))completionHandler API_AVAILABLE(ios(13.0)) {
    [self.router perform:shortcutItem.type];
}
@end
