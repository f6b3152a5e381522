# Objective-C allows a semicolon between a method's name and its body
expect AD002 AD003
answer url warm yes
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (void)applicationDidEnterBackground:(UIApplication *)application;
{
    [[Store shared] save];
}
@end
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, @"AppDelegate");
}
--- SceneDelegate.m
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts;
@end
@implementation SceneDelegate
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts;
{
    [[Router shared] open:contexts.anyObject.URL];
}
@end
