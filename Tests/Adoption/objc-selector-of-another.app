# A method of the same name that another object has does no work for the application delegate
expect AD002
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end
@implementation AppDelegate
- (void)applicationDidBecomeActive:(UIApplication *)application {
    [self.store refresh];
}
@end
@interface Player : NSObject
@end
@implementation Player
- (void)watch {
    [[NSNotificationCenter defaultCenter] addObserver:self selector:@selector(applicationDidBecomeActive:) name:UIApplicationDidBecomeActiveNotification object:nil];
}
- (void)applicationDidBecomeActive:(NSNotification *)note {
    [self play];
}
@end
