import Foundation

/// The releases of the app.
enum HistoryManifest {
    /// One that allows several windows, one that does not, one with the flag misspelled, and one that
    /// renames what windows are made with: its default is another one of theirs.
    static let names = ["many.plist", "single.plist", "misspelled.plist", "renamed.plist"]

    /// Writes all of them into a directory, where scenarios find them.
    static func write(to directory: String) throws {
        for (name, bytes) in files {
            try Data(bytes.utf8).write(to: URL(filePath: directory + "/" + name))
        }
    }

    private static var files: [(String, String)] {
        [
            (names[0], manifest("<true/>", ["Editor", "Viewer"])),
            (names[1], manifest("<false/>", ["Editor", "Viewer"])),
            (names[2], manifest("<string>YES</string>", ["Editor", "Viewer"])),
            (names[3], manifest("<true/>", ["Viewer", "Writer"])),
        ]
    }

    /// The role of panels, which are no windows of the app, and what every release makes them with.
    static let panelRole = "com.example.Panel"
    static let panel = "Palette"

    /// How the types begin that no release declares (L-34).
    static let undeclaredPrefix = "com.example.u"

    /// Whether a release has a configuration.
    static func has(_ name: String, in manifest: String) -> Bool {
        manifest == names[3]
            ? [panel, "Writer", "Viewer"].contains(name)
            : [panel, "Editor", "Viewer"].contains(name)
    }

    /// What a release shows when nothing else is said.
    static func first(of manifest: String) -> String {
        manifest == names[3] ? "Viewer" : "Editor"
    }

    /// The class of a configuration's scenes.
    static func delegateClass(of name: String) -> String { name + "Scene" }

    /// Whether a release may show several windows.
    static func isOfManyWindows(_ manifest: String) -> Bool {
        manifest == names[0] || manifest == names[3]
    }

    private static func manifest(_ flag: String, _ configurations: [String]) -> String {
        let types = (1...stateCount).map { "<string>com.example.s\($0)</string>" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>NSUserActivityTypes</key><array>\(types.joined())</array>
            <key>UIApplicationSceneManifest</key><dict>
            <key>UIApplicationSupportsMultipleScenes</key>\(flag)
            <key>UISceneConfigurations</key><dict><key>UIWindowSceneSessionRoleApplication</key>
            <array>\(configurations.map(entry).joined())</array>
            <key>\(panelRole)</key><array>\(entry(panel))</array></dict></dict></dict></plist>
            """
    }

    /// How many types of states are declared: more than a history saves.
    private static let stateCount = 200

    private static func entry(_ configuration: String) -> String {
        """
        <dict><key>UISceneConfigurationName</key><string>\(configuration)</string>
        <key>UISceneDelegateClassName</key>
        <string>\(delegateClass(of: configuration))</string></dict>
        """
    }
}
