#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore
import SceneStoreFormats

/// What is malformed is found, and every other part works (L-21).
extension SceneManifestTests {
    struct Malformed: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var findings: [String]
        var check: @Sendable (SceneManifest) -> Bool

        var testDescription: String { name }
    }

    static let malformed: [Malformed] = [
        Malformed(
            name: "a string where a Boolean belongs",
            bytes: manifest(
                """
                <key>UIApplicationSupportsMultipleScenes</key><string>YES</string>
                <key>CPSupportsDashboardNavigationScene</key><true/>
                """),
            findings: ["malformedManifestValue \(root).UIApplicationSupportsMultipleScenes"],
            check: { !$0.supportsMultipleScenes && $0.supportsDashboardNavigationScene }),
        Malformed(
            name: "an integer where a Boolean belongs",
            bytes: manifest(
                "<key>UIApplicationSupportsMultipleScenes</key><integer>1</integer>"),
            findings: ["malformedManifestValue \(root).UIApplicationSupportsMultipleScenes"],
            check: { !$0.supportsMultipleScenes }),
        Malformed(
            name: "a Boolean where an array belongs",
            bytes: manifest(
                """
                <key>UISceneConfigurations</key><dict>
                <key>UIWindowSceneSessionRoleApplication</key><true/>
                <key>CPTemplateApplicationSceneSessionRoleApplication</key>
                <array>\(entry("Car"))</array></dict>
                """),
            findings: ["malformedManifestValue \(windowRole)"],
            check: {
                $0.configurations[.windowApplication] == nil
                    && $0.defaultConfiguration(for: .carTemplateApplication)?.name == "Car"
            }),
        Malformed(
            name: "an empty array",
            bytes: windows(""),
            findings: ["emptyConfigurations \(windowRole)"],
            check: { $0.configurations.isEmpty && $0.supportsMultipleScenes }),
        Malformed(
            name: "an entry that is no dictionary: the first well-formed one is the default",
            bytes: windows("<string>Main</string><array/>\(entry("Third"))"),
            findings: [
                "malformedManifestValue \(windowRole)[0]",
                "malformedManifestValue \(windowRole)[1]",
            ],
            check: { $0.defaultConfiguration(for: .windowApplication)?.name == "Third" }),
        Malformed(
            name: "no well-formed entry",
            bytes: windows("<true/>"),
            findings: ["malformedManifestValue \(windowRole)[0]"],
            check: { $0.configurations[.windowApplication] == [] }),
        Malformed(
            name: "two equal names: the first counts",
            bytes: windows(
                entry("Main", delegate: "First") + entry("Other")
                    + entry("Main", delegate: "Second")),
            findings: ["duplicateConfigurationName \(windowRole)[2].UISceneConfigurationName"],
            check: {
                $0.configuration(named: "Main", role: .windowApplication)?.delegateClassName
                    == "First" && $0.configurations[.windowApplication]?.count == 2
            }),
        Malformed(
            name: "no delegate class: the entry works without one",
            bytes: windows(entry("Main", delegate: nil)),
            findings: ["missingDelegateClass \(windowRole)[0]"],
            check: {
                $0.defaultConfiguration(for: .windowApplication)?.name == "Main"
                    && $0.defaultConfiguration(for: .windowApplication)?.delegateClassName == nil
            }),
        Malformed(
            name: "a name and a class that are no strings",
            bytes: windows(
                """
                <dict><key>UISceneConfigurationName</key><integer>1</integer>
                <key>UISceneDelegateClassName</key><array/>
                <key>UISceneStoryboardFile</key><string>Main</string></dict>
                """),
            findings: [
                "malformedManifestValue \(windowRole)[0].UISceneConfigurationName",
                "malformedManifestValue \(windowRole)[0].UISceneDelegateClassName",
            ],
            check: {
                let configuration = $0.defaultConfiguration(for: .windowApplication)
                return configuration?.storyboardName == "Main" && configuration?.name == nil
            }),
        Malformed(
            name: "an empty name",
            bytes: windows(entry("")),
            findings: ["malformedManifestValue \(windowRole)[0].UISceneConfigurationName"],
            check: { $0.defaultConfiguration(for: .windowApplication)?.delegateClassName == "D" }),
        Malformed(
            name: "a manifest that is no dictionary",
            bytes: xml(
                """
                <key>UIApplicationSceneManifest</key><array/>
                <key>CFBundleVersion</key><string>1</string>
                """),
            findings: ["malformedManifestValue \(root)"],
            check: { !$0.isPresent && $0.bundleVersion == "1" }),
        Malformed(
            name: "configurations that are no dictionary",
            bytes: manifest(
                """
                <key>UISceneConfigurations</key><array/>
                <key>UIApplicationSupportsMultipleScenes</key><true/>
                """),
            findings: ["malformedManifestValue \(root).UISceneConfigurations"],
            check: { $0.supportsMultipleScenes && $0.configurations.isEmpty }),
        Malformed(
            name: "activity types and schemes",
            bytes: xml(
                """
                <key>CFBundleIdentifier</key><integer>1</integer>
                <key>NSUserActivityTypes</key>
                <array><string>a.b</string><true/><string></string><string>c.d</string></array>
                <key>CFBundleURLTypes</key><array><string>x</string>
                <dict><key>CFBundleURLSchemes</key><string>one</string></dict>
                <dict><key>CFBundleURLSchemes</key><array><integer>2</integer><string>two</string></array></dict>
                </array>
                """),
            findings: [
                "malformedManifestValue CFBundleIdentifier",
                "malformedManifestValue NSUserActivityTypes[1]",
                "malformedManifestValue NSUserActivityTypes[2]",
                "malformedManifestValue CFBundleURLTypes[0]",
                "malformedManifestValue CFBundleURLTypes[1].CFBundleURLSchemes",
                "malformedManifestValue CFBundleURLTypes[2].CFBundleURLSchemes[0]",
            ],
            check: {
                $0.activityTypes == ["a.b", "c.d"] && $0.urlSchemes == ["two"]
                    && $0.bundleIdentifier == nil
            }),
        Malformed(
            name: "lists that are no lists",
            bytes: xml(
                """
                <key>NSUserActivityTypes</key><string>a.b</string>
                <key>CFBundleURLTypes</key><dict/>
                """),
            findings: [
                "malformedManifestValue NSUserActivityTypes",
                "malformedManifestValue CFBundleURLTypes",
            ],
            check: { $0.activityTypes.isEmpty && $0.urlSchemes.isEmpty }),
    ]

    @Test(
        "L-21 a malformed part yields a finding with its key path, and every other part works",
        arguments: malformed)
    func malformedParts(example: Malformed) throws {
        let manifest = try SceneManifest(propertyList: example.bytes)
        #expect(summary(manifest.diagnostics) == example.findings)
        #expect(example.check(manifest))
        #expect(manifest.diagnostics.allSatisfy { $0.fix != nil && !$0.message.isEmpty })
    }
}
