# A method of which only a part moved to the scene delegate
expect AD002
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (void)applicationDidEnterBackground:(UIApplication *)application {
    [self.store save];
    [self.badge refresh];
}
@end
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)sceneDidEnterBackground:(UIScene *)scene {
    [self.store save];
}
@end
