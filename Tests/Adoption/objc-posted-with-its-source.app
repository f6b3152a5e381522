# A link that is posted while the scene connects, its source beside it: can't tell
expect none
answer url cold can't tell
answer url warm yes
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (BOOL)application:(UIApplication *)app openURL:(NSURL *)url options:(NSDictionary<UIApplicationOpenURLOptionsKey, id> *)options
{
    [[NSNotificationCenter defaultCenter] postNotificationName:OpenedNotification object:url];
    return YES;
}
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions
{
    [self scene:scene openURLContexts:connectionOptions.URLContexts];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts
{
    for (UIOpenURLContext *context in URLContexts) {
        NSMutableDictionary *options = [[NSMutableDictionary alloc] init];
        [options setValue:context.options.sourceApplication forKey:@"source"];
        [options setValue:@(context.options.openInPlace) forKey:@"inPlace"];
        [[NSNotificationCenter defaultCenter] postNotificationName:OpenedNotification object:context.URL userInfo:options];
    }
}
@end
--- Info.plist
DELEGATE SceneDelegate
