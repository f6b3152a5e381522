# To log each of the links is not to take one
expect AD003
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions {
    [connectionOptions.URLContexts enumerateObjectsUsingBlock:^(UIOpenURLContext *context, BOOL *stop) {
        NSLog(@"started by %@", context.URL);
    }];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts {
    [self.router open:URLContexts.anyObject.URL];
}
@end
