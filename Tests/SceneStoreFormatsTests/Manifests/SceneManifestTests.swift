#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore
import SceneStoreFormats

@Suite struct SceneManifestTests {
    static let everything = manifest(
        """
        <key>UIApplicationSupportsMultipleScenes</key><true/>
        <key>UIApplicationSupportsTabbedSceneCollection</key><false/>
        <key>CPSupportsDashboardNavigationScene</key><true/>
        <key>CPSupportsInstrumentClusterNavigationScene</key><true/>
        <key>UIApplicationPreferredDefaultSceneSessionRole</key>
        <string>UISceneSessionRoleImmersiveSpaceApplication</string>
        <key>UISceneConfigurations</key><dict>
          <key>UISceneSessionRoleImmersiveSpaceApplication</key><array><dict>
            <key>UISceneConfigurationName</key><string>Space</string>
            <key>UISceneClassName</key><string>App.Space</string>
            <key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SpaceDelegate</string>
            <key>UISceneStoryboardFile</key><string>Space</string>
            <key>UISceneInitialImmersionStyle</key>
            <string>UIImmersionStyleMixed</string>
          </dict></array>
          <key>UIWindowSceneSessionRoleApplication</key><array>
            \(entry("Main"))\(entry("Detail", delegate: "App.Detail"))
          </array>
          <key>com.example.role</key><array>\(entry("Odd"))</array>
        </dict>
        """,
        beside: """
            <key>NSUserActivityTypes</key>
            <array><string>com.example.a</string><string>com.example.b</string></array>
            <key>CFBundleURLTypes</key><array>
              <dict><key>CFBundleURLSchemes</key><array><string>one</string><string>Two</string></array></dict>
              <dict><key>CFBundleURLName</key><string>x</string></dict>
              <dict><key>CFBundleURLSchemes</key><array><string>three</string></array></dict>
            </array>
            <key>CFBundleIdentifier</key><string>com.example.app</string>
            <key>CFBundleVersion</key><string>42</string>
            <key>UIBackgroundModes</key><array><string>fetch</string></array>
            """)

    @Test("L-20 every key of the manifest is read")
    func allKeys() throws {
        let manifest = try SceneManifest(propertyList: Self.everything)
        #expect(manifest.isPresent)
        #expect(manifest.supportsMultipleScenes)
        #expect(manifest.supportsTabbedSceneCollection == false)
        #expect(manifest.supportsDashboardNavigationScene)
        #expect(manifest.supportsInstrumentClusterNavigationScene)
        #expect(manifest.preferredDefaultRole == .immersiveSpaceApplication)
        #expect(manifest.activityTypes == ["com.example.a", "com.example.b"])
        #expect(manifest.urlSchemes == ["one", "Two", "three"])
        #expect(manifest.bundleIdentifier == "com.example.app")
        #expect(manifest.bundleVersion == "42")
        #expect(manifest.configurations.count == 3)
        #expect(manifest.configurations[.windowApplication]?.map(\.name) == ["Main", "Detail"])
        #expect(manifest.diagnostics.isEmpty)
        #expect(manifest.unknownKeys.isEmpty)
        let space = try #require(
            manifest.configuration(named: "Space", role: .immersiveSpaceApplication))
        #expect(space.sceneClassName == "App.Space")
        #expect(space.storyboardName == "Space")
        #expect(space.initialImmersionStyle == "UIImmersionStyleMixed")
        #expect(space.resolution == .manifest)
        #expect(space.role == .immersiveSpaceApplication)
        let odd = SceneSessionRole(rawValue: "com.example.role")
        #expect(manifest.defaultConfiguration(for: odd)?.name == "Odd")
    }

    @Test("L-20 absent keys have UIKit's defaults")
    func defaults() throws {
        let bare = try SceneManifest(propertyList: manifest(""))
        #expect(bare.isPresent)
        #expect(!bare.supportsMultipleScenes)
        #expect(bare.supportsTabbedSceneCollection == nil)
        #expect(!bare.supportsDashboardNavigationScene)
        #expect(bare.preferredDefaultRole == nil)
        #expect(bare.diagnostics.isEmpty)
        let none = try SceneManifest(propertyList: xml(""))
        #expect(!none.isPresent)
        #expect(none.diagnostics.isEmpty)
        #expect(none == SceneManifest())
    }

    @Test("L-20 the preferred role is read at the top level too, where the manifest has none")
    func preferredRole() throws {
        let key = "UIApplicationPreferredDefaultSceneSessionRole"
        let outside = "<key>\(key)</key><string>outside</string>"
        let inside = "<key>\(key)</key><string>inside</string>"
        func role(_ bytes: [UInt8]) throws -> String? {
            try SceneManifest(propertyList: bytes).preferredDefaultRole?.rawValue
        }
        #expect(try role(xml(outside)) == "outside")
        #expect(try role(manifest(inside)) == "inside")
        #expect(try role(manifest(inside, beside: outside)) == "inside")
        #expect(try role(manifest("", beside: outside)) == "outside")
    }

    @Test("L-20 the binary form reads like the XML one")
    func binary() throws {
        let entry = Plist.dictionary([
            "UISceneConfigurationName": .string("Größe 水"),
            "UISceneDelegateClassName": .string("App.Delegate"),
        ])
        let list = Plist.dictionary([
            "UIApplicationSceneManifest": .dictionary([
                "UIApplicationSupportsMultipleScenes": .boolean(true),
                "UIApplicationSupportsTabbedSceneCollection": .integer(1),
                "UISceneConfigurations": .dictionary([
                    "UIWindowSceneSessionRoleApplication": .array([entry, entry])
                ]),
            ]),
            "CFBundleVersion": .string("7"),
        ])
        let manifest = try SceneManifest(propertyList: list.binary)
        #expect(manifest.supportsMultipleScenes)
        #expect(manifest.bundleVersion == "7")
        #expect(manifest.configurations[.windowApplication]?.map(\.name) == ["Größe 水"])
        // The integer 1 is no Boolean; the second entry has the first one's name.
        #expect(manifest.supportsTabbedSceneCollection == nil)
        #expect(
            summary(manifest.diagnostics) == [
                "malformedManifestValue \(root).UIApplicationSupportsTabbedSceneCollection",
                "duplicateConfigurationName \(windowRole)[1].UISceneConfigurationName",
            ])
    }

    @Test("L-20 the spellings without UI are read as well, with a note")
    func unprefixed() throws {
        let bytes = xml(
            """
            <key>ApplicationSceneManifest</key><dict>
            <key>ApplicationSupportsMultipleScenes</key><true/>
            <key>ApplicationPreferredDefaultSceneSessionRole</key><string>r</string>
            <key>SceneConfigurations</key><dict>
            <key>UIWindowSceneSessionRoleApplication</key><array><dict>
            <key>SceneConfigurationName</key><string>Main</string>
            <key>SceneDelegateClassName</key><string>App.Delegate</string>
            <key>SceneClassName</key><string>App.Scene</string>
            <key>SceneStoryboardFile</key><string>Board</string>
            <key>SceneInitialImmersionStyle</key><string>Full</string>
            </dict></array></dict></dict>
            """)
        let manifest = try SceneManifest(propertyList: bytes)
        #expect(manifest.isPresent && manifest.supportsMultipleScenes)
        #expect(manifest.preferredDefaultRole?.rawValue == "r")
        let configuration = try #require(manifest.defaultConfiguration(for: .windowApplication))
        #expect(configuration.name == "Main")
        #expect(configuration.delegateClassName == "App.Delegate")
        #expect(configuration.sceneClassName == "App.Scene")
        #expect(configuration.storyboardName == "Board")
        #expect(configuration.initialImmersionStyle == "Full")
        #expect(
            summary(manifest.diagnostics) == ["unprefixedManifestKeys ApplicationSceneManifest"])
        #expect(manifest.diagnostics.map(\.severity) == [.note])
    }

    @Test("L-20 of two spellings the one with UI counts")
    func bothSpellings() throws {
        let bytes = manifest(
            """
            <key>ApplicationSupportsMultipleScenes</key><false/>
            <key>UIApplicationSupportsMultipleScenes</key><true/>
            """)
        let read = try SceneManifest(propertyList: bytes)
        #expect(read.supportsMultipleScenes)
        #expect(
            summary(read.diagnostics) == [
                "doubleManifestKey \(root).UIApplicationSupportsMultipleScenes"
            ])
    }

    @Test("L-21 unknown keys are kept and reported, not errors")
    func unknownKeys() throws {
        let bytes = windows(
            entry(
                "Main",
                more: """
                    <key>UILaunchStoryboardName</key><string>Launch</string>
                    <key>UISceneDelegateClasName</key><true/>
                    """)
        )
        let read = try SceneManifest(propertyList: bytes)
        #expect(
            read.unknownKeys == [
                "\(windowRole)[0].UILaunchStoryboardName": "Launch",
                "\(windowRole)[0].UISceneDelegateClasName": true,
            ])
        #expect(
            summary(read.diagnostics) == [
                "unknownManifestKey \(windowRole)[0].UILaunchStoryboardName",
                "unknownManifestKey \(windowRole)[0].UISceneDelegateClasName",
            ])
        #expect(read.diagnostics.allSatisfy { $0.severity == .note })
        #expect(read.diagnostics.first?.fix?.contains("top level") == true)
        #expect(read.diagnostics.last?.fix?.contains("UISceneDelegateClassName") == true)
        #expect(read.defaultConfiguration(for: .windowApplication)?.name == "Main")
        let nested = try SceneManifest(
            propertyList: manifest(
                "<key>Other</key><dict><key>a</key><array><integer>1</integer></array></dict>"))
        #expect(nested.unknownKeys["\(root).Other"] == ["a": [1]])
    }

    @Test("L-21 a key that stands twice in one dictionary is found with its path, in every level")
    func repeatedKeys() throws {
        let bytes = manifest(
            """
            <key>UIApplicationSupportsMultipleScenes</key><true/>
            <key>UIApplicationSupportsMultipleScenes</key><false/>
            <key>UISceneConfigurations</key><dict>
            <key>UIWindowSceneSessionRoleApplication</key><array>
            <dict/>
            <dict>
            <key>UISceneConfigurationName</key><string>A</string>
            <key>UISceneDelegateClassName</key><string>D</string>
            <key>UISceneConfigurationName</key><string>B</string>
            </dict></array>
            </dict>
            """,
            beside: """
                <key>A&amp;B</key><array><dict><key>x</key><string/></dict></array>
                <key>x</key><dict><key>x</key><dict/></dict>
                <key>A&amp;B</key><string/>
                """)
        let found = try SceneManifest(propertyList: bytes).diagnostics
            .filter { $0.code == .repeatedManifestKey }
        #expect(
            found.map(\.path) == [
                "\(root).UIApplicationSupportsMultipleScenes",
                "\(windowRole)[1].UISceneConfigurationName",
                #"["A&B"]"#,
            ])
        #expect(found.allSatisfy { $0.severity == .warning && $0.fix != nil })
    }

    @Test("L-22 build variables are kept as they are")
    func buildVariables() throws {
        let bytes = windows(
            entry("${NAME}", delegate: "$(PRODUCT_MODULE_NAME).SceneDelegate"),
            beside: "<key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>")
        let read = try SceneManifest(propertyList: bytes)
        let configuration = try #require(read.defaultConfiguration(for: .windowApplication))
        #expect(configuration.name == "${NAME}")
        #expect(configuration.delegateClassName == "$(PRODUCT_MODULE_NAME).SceneDelegate")
        #expect(read.bundleIdentifier == "$(PRODUCT_BUNDLE_IDENTIFIER)")
        #expect(read.diagnostics.isEmpty)
    }

    @Test("L-20 any collection of bytes is read, also with a byte-order mark")
    func collections() throws {
        let expected = try SceneManifest(propertyList: Self.everything)
        #expect(try SceneManifest(propertyList: Data(Self.everything)) == expected)
        #expect(try SceneManifest(propertyList: ArraySlice(Self.everything)) == expected)
        #expect(try SceneManifest(propertyList: [0xef, 0xbb, 0xbf] + Self.everything) == expected)
        #expect(
            try SceneManifest(propertyList: Array("<!-- <dict> -->\n".utf8) + Self.everything)
                == expected)
    }
}
