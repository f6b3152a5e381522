#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreFormats

/// Info.plists of public apps.
@Suite(.enabled(if: TestData.isThere, "SCENESTORE_TEST_DATA is not set"))
struct RealManifestTests {
    struct App: Sendable, CustomTestStringConvertible {
        var file: String
        var roles: [String: Int]
        var isMultiple = true
        var activityTypes = 0
        var urlSchemes = 0
        var findings: [String] = []

        var testDescription: String { file }
    }

    static let window = "UIWindowSceneSessionRoleApplication"

    static let apps: [App] = [
        App(
            file: "a-shell__Info.plist", roles: [window: 1],
            findings: ["unknownManifestKey \(windowRole)[0].UILaunchStoryboardName"]),
        App(
            file: "apple-sample-gallery__Info.plist", roles: [window: 2], activityTypes: 1,
            findings: ["severalConfigurationsNeedProvider \(windowRole)"]),
        App(
            file: "apple-sample-phpicker__Info.plist", roles: [window: 1], isMultiple: false,
            findings: ["configurationWithoutName \(windowRole)[0]"]),
        App(
            file: "apple-sample-restoring-your-apps-state__Info.plist", roles: [window: 2],
            activityTypes: 2,
            findings: [
                "unknownManifestKey \(windowRole)[0].UILaunchStoryboardName",
                "unknownManifestKey \(windowRole)[1].UILaunchStoryboardName",
                "severalConfigurationsNeedProvider \(windowRole)",
            ]),
        App(
            file: "apple-sample-rich-graphics-swiftui__Info.plist", roles: [:],
            findings: ["noConfigurations UIApplicationSceneManifest"]),
        App(
            file: "apple-sample-trip-planner__Info.plist", roles: [window: 2], activityTypes: 1,
            findings: ["severalConfigurationsNeedProvider \(windowRole)"]),
        App(
            file: "home-assistant-ios__Info.plist",
            roles: [window: 5, "CPTemplateApplicationSceneSessionRoleApplication": 1],
            activityTypes: 4, urlSchemes: 2,
            findings: [
                "missingDelegateClass \(windowRole)[0]", "missingDelegateClass \(windowRole)[2]",
                "missingDelegateClass \(windowRole)[3]", "missingDelegateClass \(windowRole)[4]",
                "severalConfigurationsNeedProvider \(windowRole)",
                "unresolvedBuildVariable CFBundleURLTypes[0].CFBundleURLSchemes[0]",
                "unresolvedBuildVariable CFBundleURLTypes[0].CFBundleURLSchemes[1]",
            ]),
        App(
            file: "netnewswire__iOS-Resources-Info.plist", roles: [window: 1], activityTypes: 5,
            urlSchemes: 3,
            findings: (1...4).map { "activityTypeNotReverseDNS NSUserActivityTypes[\($0)]" }),
        App(
            file: "react-native-auto-play__example-Info.plist",
            roles: [
                window: 1, "CPTemplateApplicationSceneSessionRoleApplication": 1,
                "CPTemplateApplicationDashboardSceneSessionRoleApplication": 1,
                "CPTemplateApplicationInstrumentClusterSceneSessionRoleApplication": 1,
            ], urlSchemes: 1),
        App(
            file: "swift-win32-calculator__Info.plist", roles: [window: 1], isMultiple: false,
            findings: ["unprefixedManifestKeys ApplicationSceneManifest"]),
        App(
            file: "utm__Platform-iOS-Info-Remote.plist",
            roles: ["UIWindowSceneSessionRoleExternalDisplay": 1],
            findings: [
                "noWindowConfiguration UIApplicationSceneManifest.UISceneConfigurations",
                "deprecatedRole UIApplicationSceneManifest.UISceneConfigurations"
                    + ".UIWindowSceneSessionRoleExternalDisplay",
            ]),
    ]

    @Test("L-20 L-21 L-22 manifests of public apps are read and judged rightly", arguments: apps)
    func read(app: App) throws {
        let bytes = try TestData.read("manifests/\(app.file)")
        let manifest = try SceneManifest(propertyList: bytes)
        #expect(manifest.isPresent)
        #expect(manifest.supportsMultipleScenes == app.isMultiple)
        let roles = manifest.configurations.map { ($0.key.rawValue, $0.value.count) }
        #expect(Dictionary(uniqueKeysWithValues: roles) == app.roles)
        #expect(manifest.activityTypes.count == app.activityTypes)
        #expect(manifest.urlSchemes.count == app.urlSchemes)
        #expect(summary(try SceneManifest.lint(propertyList: bytes)) == app.findings)
    }
}
