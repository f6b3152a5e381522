# The application delegate's window, asked of what its class gives
expect AD013
--- main.m
int main(int argc, char *argv[]) {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
}
--- AppDelegate.m
@interface AppDelegate : UIResponder <UIApplicationDelegate>
@property (strong, nonatomic) UIWindow *window;
+ (AppDelegate *)sharedDelegate;
@end
@implementation AppDelegate
+ (AppDelegate *)sharedDelegate {
    return (AppDelegate *)[UIApplication sharedApplication].delegate;
}
@end
--- Alert.m
void ShowAlert(UIAlertController *alert) {
    [[AppDelegate sharedDelegate].window.rootViewController presentViewController:alert animated:YES completion:nil];
}
