# Every callback goes on to an object that a property holds: can't tell at a launch
expect none
answer url cold can't tell
answer url warm yes
answer activity warm yes
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
@end
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@property(nonatomic, strong) PluginDelegate *plugins;
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions
{
    [self.plugins scene:scene willConnectToSession:session options:connectionOptions];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts
{
    [self.plugins scene:scene openURLContexts:URLContexts];
}
- (void)scene:(UIScene *)scene continueUserActivity:(NSUserActivity *)userActivity
{
    [self.plugins scene:scene continueUserActivity:userActivity];
}
@end
--- Info.plist
DELEGATE SceneDelegate
