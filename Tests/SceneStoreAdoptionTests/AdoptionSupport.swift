import FoundationEssentials
import SceneStoreAdoption

/// A made-up app: its files, and what is expected of it.
struct MadeUpApp {
    var files: [(name: String, text: String)] = []

    /// The files of a page's block, with what every app has.
    init(blocks: [(language: String, text: String)]) {
        for (index, block) in blocks.enumerated() {
            switch block.language {
            case "swift": files.append(("Example\(index).swift", block.text))
            case "objc": files.append(("Example\(index).m", block.text))
            default:
                let isWhole = block.text.contains("<plist")
                files.append(("Info.plist", isWhole ? block.text : Self.plist(block.text)))
            }
        }
        complete()
    }

    init(files: [(name: String, text: String)]) {
        self.files = files
        complete()
    }

    private mutating func complete() {
        let sources = files.filter { $0.name != "Info.plist" }.map(\.text).joined()
        if !sources.contains("UIApplicationDelegate") && !sources.contains(": App {") {
            files.append(
                (
                    "AppDelegate.swift",
                    "@main final class AppDelegate: UIResponder, UIApplicationDelegate {}\n"
                ))
        }
        if !sources.contains("SceneDelegate"), !sources.contains(": App {") {
            files.append(
                (
                    "SceneDelegate.swift",
                    "final class SceneDelegate: UIResponder, UIWindowSceneDelegate {}\n"
                ))
        }
        if !files.contains(where: { $0.name.hasSuffix("Info.plist") }) {
            files.append(("Info.plist", Self.plist(Self.manifest("SceneDelegate"))))
        }
    }

    static func plist(_ entries: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundlePackageType</key><string>APPL</string>
        \(entries)
        </dict></plist>
        """
    }

    static func manifest(_ delegate: String, isOfSeveralScenes: Bool = false) -> String {
        """
        <key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
        <key>UIWindowSceneSessionRoleApplication</key><array><dict>
        <key>UISceneConfigurationName</key><string>Default</string>
        <key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).\(delegate)</string>
        </dict></array></dict>
        <key>UIApplicationSupportsMultipleScenes</key><\(isOfSeveralScenes)/></dict>
        """
    }

    func report() -> AdoptionReport {
        var reader = AdoptionReader()
        for file in files {
            guard let kind = SourceTree.kind(file.name) else {
                continue
            }
            reader.add(file.name, kind, Array(file.text.utf8))
        }
        return reader.report()
    }

    var codes: [String] {
        Array(Set(report().findings.map(\.code.rawValue))).sorted()
    }
}

/// A file of the repository.
enum RepositoryText {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func read(_ path: String) throws -> String {
        try String(decoding: Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: folder).path(percentEncoded: false)
        ).sorted()
    }
}
