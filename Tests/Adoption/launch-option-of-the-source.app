# Who opened a link and what came with it is not the link: an app that reads only these loses none
expect none
lost url cold no
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let source = launchOptions?[.sourceApplication] as? String {
            Campaigns.shared.count(source)
        }
        if let annotation = launchOptions?[.annotation] {
            Campaigns.shared.keep(annotation)
        }
        return true
    }
}
