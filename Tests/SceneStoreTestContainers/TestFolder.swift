import SceneStoreSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder that goes away with its last use.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path =
            FileManager.default.temporaryDirectory.path + "/scenestore-tests-"
            + UUID().uuidString
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String {
        path + "/" + name
    }
}

/// A container's folder in a temporary one, which may not be there yet.
package struct TestFolder: Sendable {
    package let path: String
    /// Goes away after the last folder in it.
    private let parent: TemporaryFolder

    package init(_ path: String, in parent: TemporaryFolder) {
        self.path = path
        self.parent = parent
    }

    /// Path of a file in the folder.
    package func file(_ name: String = ContainerName.store) -> String {
        path + "/" + name
    }

    package func bytes(_ name: String = ContainerName.store) -> Data? {
        FileManager.default.contents(atPath: file(name))
    }

    /// Whether a text stands anywhere in a file's bytes.
    package func holds(_ text: String, _ name: String) -> Bool {
        let needle = Array(text.utf8)
        guard let bytes = bytes(name).map({ Array($0) }), bytes.count >= needle.count else {
            return false
        }
        return (0...bytes.count - needle.count).contains { start in
            bytes[start] == needle[0]
                && bytes[start..<start + needle.count].elementsEqual(needle)
        }
    }

    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    package func create() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    package func write(_ bytes: Data, _ name: String = ContainerName.store) throws {
        try bytes.write(to: URL(fileURLWithPath: file(name)))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file(name))
    }
}
