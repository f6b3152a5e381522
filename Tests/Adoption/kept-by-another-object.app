# What another object keeps is read where that object is, which is not among the sources
expect AD010
answer notification cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let response = connectionOptions.notificationResponse {
            handle(response)
        }
    }
    private func handle(_ response: UNNotificationResponse) {
        let userInfo = response.notification.request.content.userInfo
        if let product = userInfo["product"] as? String {
            NotificationService.shared.lastProduct = product
        }
    }
}
