# Objective-C: the link first
expect none
answer activity cold yes
--- SceneDelegate.m
@implementation SceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session
      options:(UISceneConnectionOptions *)connectionOptions {
    NSUserActivity *activity = connectionOptions.userActivities.anyObject;
    if (activity) {
        [self scene:scene continueUserActivity:activity];
        return;
    }
    if (session.stateRestorationActivity) {
        [self.reader restore:session.stateRestorationActivity];
        return;
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
