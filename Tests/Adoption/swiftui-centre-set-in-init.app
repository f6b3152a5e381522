# The initializer of a SwiftUI app runs while it is launched
expect none
answer notification cold yes
--- App.swift
@main struct Notes: App {
    let responder = Responder()
    init() {
        UNUserNotificationCenter.current().delegate = responder
    }
    var body: some Scene {
        WindowGroup { Text("Notes") }
    }
}
final class Responder: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler handler: @escaping () -> Void
    ) {
        Router.open(response)
    }
}
