#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreFormats

@Suite struct ManifestLintTests {
    static func lint(_ bytes: [UInt8]) throws -> [String] {
        summary(try SceneManifest.lint(propertyList: bytes))
    }

    /// What Xcode's template for an app with a storyboard writes.
    static let templateBytes = xml(
        """
        <key>UIApplicationSceneManifest</key>
        <dict>
            <key>UIApplicationSupportsMultipleScenes</key>
            <false/>
            <key>UISceneConfigurations</key>
            <dict>
                <key>UIWindowSceneSessionRoleApplication</key>
                <array>
                    <dict>
                        <key>UISceneConfigurationName</key>
                        <string>Default Configuration</string>
                        <key>UISceneDelegateClassName</key>
                        <string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
                        <key>UISceneStoryboardFile</key>
                        <string>Main</string>
                    </dict>
                </array>
            </dict>
        </dict>
        """)

    @Test("L-21 Apple's template gives no finding")
    func template() throws {
        #expect(try Self.lint(Self.templateBytes) == [])
        #expect(
            try SceneManifest.lint(propertyList: SceneManifestTests.everything).map(\.code) == [
                .carSceneNotConfigured, .carSceneNotConfigured,
                .severalConfigurationsNeedProvider, .unknownRole,
            ])
    }

    struct Example: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var findings: [String]

        init(_ bytes: [UInt8], _ findings: String...) {
            self.bytes = bytes
            self.findings = findings
        }

        var testDescription: String { findings.joined(separator: ", ") }
    }

    static func role(_ role: String, _ entries: String, beside: String = "") -> [UInt8] {
        manifest(
            """
            <key>UISceneConfigurations</key><dict>
            <key>UIWindowSceneSessionRoleApplication</key><array>\(entry("Main"))</array>
            <key>\(role)</key><array>\(entries)</array></dict>\(beside)
            """)
    }

    static func schemes(_ names: String...) -> [UInt8] {
        let list = names.map { "<string>\($0)</string>" }.joined()
        return windows(
            entry("Main"),
            beside: "<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>"
                + "<array>\(list)</array></dict></array>")
    }

    static func types(_ names: String...) -> [UInt8] {
        let list = names.map { "<string>\($0)</string>" }.joined()
        return windows(
            entry("Main"), beside: "<key>NSUserActivityTypes</key><array>\(list)</array>")
    }

    static let configurations = "UIApplicationSceneManifest.UISceneConfigurations"
    static let schemePath = "CFBundleURLTypes[0].CFBundleURLSchemes"

    static let examples: [Example] = [
        Example(xml(""), "noSceneManifest UIApplicationSceneManifest"),
        Example(
            manifest("<key>UIApplicationSupportsMultipleScenes</key><true/>"),
            "noConfigurations UIApplicationSceneManifest"),
        Example(
            manifest("<key>UISceneConfigurations</key><true/>"),
            "malformedManifestValue \(configurations)"),
        Example(windows(entry(nil)), "configurationWithoutName \(windowRole)[0]"),
        Example(
            windows("<true/>" + entry(nil)), "malformedManifestValue \(windowRole)[0]",
            "configurationWithoutName \(windowRole)[1]"),
        Example(
            windows("<dict><key>UISceneConfigurationName</key><true/></dict>"),
            "malformedManifestValue \(windowRole)[0].UISceneConfigurationName",
            "missingDelegateClass \(windowRole)[0]"),
        Example(
            windows(entry("A") + entry("B"), multiple: false),
            "severalConfigurationsForOneScene \(windowRole)"),
        Example(
            windows(entry("A") + entry("B"), multiple: true),
            "severalConfigurationsNeedProvider \(windowRole)"),
        Example(windows(entry("A"), multiple: true)),
        Example(
            role("com.example.role", entry("A")),
            "unknownRole \(configurations)[\"com.example.role\"]"),
        Example(
            role("UIWindowSceneSessionRoleAplication", entry("A")),
            "unknownRole \(configurations).UIWindowSceneSessionRoleAplication"),
        Example(
            role("UIWindowSceneSessionRoleExternalDisplay", entry("A")),
            "deprecatedRole \(configurations).UIWindowSceneSessionRoleExternalDisplay"),
        Example(role("UIWindowSceneSessionRoleExternalDisplayNonInteractive", entry("A"))),
        Example(
            role("CPTemplateApplicationDashboardSceneSessionRoleApplication", entry("A")),
            "carSceneNotSupported \(configurations)"
                + ".CPTemplateApplicationDashboardSceneSessionRoleApplication"),
        Example(
            role(
                "CPTemplateApplicationInstrumentClusterSceneSessionRoleApplication", entry("A"),
                beside: "<key>CPSupportsInstrumentClusterNavigationScene</key><true/>")),
        Example(
            role(
                "CPTemplateApplicationSceneSessionRoleApplication",
                entry("A", more: "<key>UISceneClassName</key><string>UIWindowScene</string>"),
                beside: "<key>CPSupportsDashboardNavigationScene</key><true/>"),
            "sceneClassOfOtherRole \(configurations)"
                + ".CPTemplateApplicationSceneSessionRoleApplication[0].UISceneClassName",
            "carSceneNotConfigured UIApplicationSceneManifest.CPSupportsDashboardNavigationScene"),
        Example(
            role(
                "UIWindowSceneSessionRoleVolumetricApplication",
                entry("A", more: "<key>UISceneClassName</key><string>UIWindowScene</string>"))),
        Example(
            windows(
                entry("A"),
                beside: "<key>UIApplicationPreferredDefaultSceneSessionRole</key>"
                    + "<string>UISceneSessionRoleImmersiveSpaceApplication</string>"),
            "preferredRoleWithoutConfiguration UIApplicationPreferredDefaultSceneSessionRole"),
        Example(
            windows(entry("$(NAME)", delegate: "$(MODULE.Delegate")),
            "malformedBuildVariable \(windowRole)[0].UISceneDelegateClassName",
            "unresolvedBuildVariable \(windowRole)[0].UISceneConfigurationName"),
        Example(types("com.example.a", "INSendMessageIntent", "MyIntent")),
        Example(
            types("Restoration", "a.b", "a.b", "${ID}.x"),
            "activityTypeNotReverseDNS NSUserActivityTypes[0]",
            "declaredTwice NSUserActivityTypes[2]",
            "unresolvedBuildVariable NSUserActivityTypes[3]"),
        Example(schemes("my-app", "a1+.x")),
        Example(
            schemes(String(repeating: "a", count: 40), String(repeating: "b", count: 41)),
            "longURLScheme \(schemePath)[1]"),
        Example(
            schemes("my app", "1a", "HTTP", "App", "app", "$(S)"),
            "invalidURLScheme \(schemePath)[0]", "invalidURLScheme \(schemePath)[1]",
            "reservedURLScheme \(schemePath)[2]", "declaredTwice \(schemePath)[4]",
            "unresolvedBuildVariable \(schemePath)[5]"),
    ]

    @Test("L-21 lint finds what is probably not meant, and nothing else", arguments: examples)
    func finds(example: Example) throws {
        let findings = try SceneManifest.lint(propertyList: example.bytes)
        #expect(summary(findings) == example.findings)
        #expect(findings.allSatisfy { $0.fix != nil && !$0.message.isEmpty })
        #expect(findings.map(\.severity) == findings.map(\.severity).sorted(by: >))
    }

    @Test(
        "L-21 what the system makes of an app without scenes goes by its SDK",
        arguments: [
            ("iphoneos27.0", true, "does not launch"),
            ("iphonesimulator28.1", true, "does not launch"),
            ("iphoneos26.4", false, "system log that the process does not adopt"),
            ("iphoneos18.4", false, "system log that the process does not adopt"),
            ("iphoneos18.3", false, "the life cycle from before scenes"),
            ("iphoneos9", false, "the life cycle from before scenes"),
            ("macosx27.0", false, "with the SDK of iOS 27 or later"),
            ("iphoneos", false, "with the SDK of iOS 27 or later"),
        ])
    func sdk(name: String, isError: Bool, consequence: String) throws {
        let bytes = xml("<key>DTSDKName</key><string>\(name)</string>")
        #expect(try SceneManifest(propertyList: bytes).sdkName == name)
        let finding = try #require(try SceneManifest.lint(propertyList: bytes).first)
        #expect(finding.code == .noSceneManifest)
        #expect(finding.severity == (isError ? .error : .warning))
        #expect(finding.message.contains(consequence))
    }

    @Test("L-21 a role that is nearly one of UIKit's is a warning with the right name")
    func nearRole() throws {
        let bytes = Self.role("UIWindowSceneSessionRoleAplication", entry("A"))
        let finding = try #require(try SceneManifest.lint(propertyList: bytes).first)
        #expect(finding.severity == .warning)
        #expect(finding.fix?.contains("UIWindowSceneSessionRoleApplication") == true)
    }

    @Test("L-21 findings of an unprefixed manifest name its own spelling")
    func unprefixedPaths() throws {
        let bytes = xml(
            """
            <key>ApplicationSceneManifest</key><dict><key>SceneConfigurations</key><dict>
            <key>UIWindowSceneSessionRoleApplication</key><array><dict>
            <key>SceneConfigurationName</key><string>$(X)</string>
            <key>SceneDelegateClassName</key><string>D</string>
            </dict></array></dict></dict>
            """)
        let path =
            "ApplicationSceneManifest.SceneConfigurations.UIWindowSceneSessionRoleApplication"
        #expect(
            try Self.lint(bytes) == [
                "unprefixedManifestKeys ApplicationSceneManifest",
                "unresolvedBuildVariable \(path)[0].SceneConfigurationName",
            ])
    }

    @Test("L-21 messages hold no value of the list")
    func privacy() throws {
        let secret = "CANARY"
        let bytes = windows(
            entry(secret) + entry(secret) + "<string>\(secret)</string>",
            beside: """
                <key>NSUserActivityTypes</key><array><string>\(secret)</string></array>
                <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>
                <array><string>\(secret) x</string></array></dict></array>
                """)
        let findings = try SceneManifest.lint(propertyList: bytes)
        #expect(findings.count >= 3)
        for finding in findings {
            #expect(!finding.message.contains(secret))
            #expect(finding.fix?.contains(secret) == false)
        }
    }
}
