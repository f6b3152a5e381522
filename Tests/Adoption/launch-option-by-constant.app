# The key of a launch option is a local constant, and the options are kept in a property
expect AD004 AD011
ask 0
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    private var launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.launchOptions = launchOptions
        return true
    }
    func start() {
        let key = UIApplication.LaunchOptionsKey.userActivityDictionary
        if let info = launchOptions?[key] as? [String: Any] {
            Router.shared.open(info)
        }
    }
}
