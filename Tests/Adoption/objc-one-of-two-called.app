# Two objects got the same message; in the second method both get it still
expect AD002
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (void)applicationWillEnterForeground:(UIApplication *)application {
    [player start];
    [uploader start];
}
- (void)applicationDidEnterBackground:(UIApplication *)application {
    [player stop];
    [uploader stop];
}
@end
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
@implementation SceneDelegate
- (void)sceneWillEnterForeground:(UIScene *)scene {
    [player start];
}
- (void)sceneDidEnterBackground:(UIScene *)scene {
    [uploader stop];
    [player stop];
}
@end
