# A Swift scene delegate that inherits its handlers from Objective-C
expect AD005
answer url cold yes
answer url warm yes
answer shortcut cold no
--- Base.h
@interface BaseSceneDelegate : UIResponder <UIWindowSceneDelegate>
@end
--- Base.m
@implementation BaseSceneDelegate
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)options {
    [self.router openAll:options.URLContexts];
}
- (void)scene:(UIScene *)scene openURLContexts:(NSSet *)contexts {
    [self.router openAll:contexts];
}
@end
--- SceneDelegate.swift
final class SceneDelegate: BaseSceneDelegate {
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        Router.perform(shortcutItem)
    }
}
