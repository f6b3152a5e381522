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

    /// Whether a release has a configuration.
    static func has(_ name: String, in manifest: String) -> Bool {
        manifest == names[3]
            ? ["Writer", "Viewer"].contains(name) : ["Editor", "Viewer"].contains(name)
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
        let entries = configurations.map {
            """
            <dict><key>UISceneConfigurationName</key><string>\($0)</string>
            <key>UISceneDelegateClassName</key><string>\(delegateClass(of: $0))</string></dict>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>UIApplicationSceneManifest</key><dict>
            <key>UIApplicationSupportsMultipleScenes</key>\(flag)
            <key>UISceneConfigurations</key><dict><key>UIWindowSceneSessionRoleApplication</key>
            <array>\(entries.joined())</array></dict></dict></dict></plist>
            """
    }
}
