# Objective-C: a universal link that is read only if no state is restored
expect AD004
answer activity cold no
--- SceneDelegate.m
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session
      options:(UISceneConnectionOptions *)connectionOptions {
    if (session.stateRestorationActivity) {
        [self.reader restore:session.stateRestorationActivity];
        return;
    }
    for (NSUserActivity *activity in connectionOptions.userActivities) {
        [self scene:scene continueUserActivity:activity];
    }
}
- (void)scene:(UIScene *)scene continueUserActivity:(NSUserActivity *)userActivity {
    [self.reader openPage:userActivity.webpageURL];
}
- (NSUserActivity *)stateRestorationActivityForScene:(UIScene *)scene {
    return self.reader.activity;
}
@end
--- SceneDelegate.h
@interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
