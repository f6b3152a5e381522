#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreTesting
import Synchronization

/// Folders in the temporary folder in which scenarios are played.
///
/// 1. While a process that made one lives, or a child of it, it has the folder's lock.
/// 2. A folder gets its name after its lock, so none with this name is unlocked and in use.
/// 3. A command removes its folders at its end, and at its start those of commands that were killed.
/// 4. What is in use is a folder within: a scenario moves a container away and makes another one, and
///    both are below the folder that is locked.
enum PrivateFolder {
    /// No folder that anybody is told of begins so.
    private static let prefix = "scenestore-command-"
    private static let inner = "scenestore-copy"
    /// The locks that this process has.
    private static let locks = Mutex<[String: Int32]>([:])

    private static var place: URL { FileManager.default.temporaryDirectory }

    static func make() throws -> String {
        let made = try TemporaryDirectory.make()
        let path = place.appending(path: prefix + UUID().uuidString, directoryHint: .isDirectory)
            .path(percentEncoded: false)
        do {
            let lock = Platform.takeFolder(made)
            try FileManager.default.moveItem(atPath: made, toPath: path)
            locks.withLock { $0[path] = lock }
            try FileManager.default.createDirectory(
                atPath: path + inner, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            TemporaryDirectory.remove(made)
            remove(path + inner)
            throw SceneStoreError(.ioError, "a temporary folder can't be made")
        }
        return path + inner
    }

    /// Removes a folder that ``make()`` has answered, or a temporary one of another kind.
    static func remove(_ made: String) {
        let path = made.hasSuffix("/" + inner) ? String(made.dropLast(inner.count)) : made
        TemporaryDirectory.remove(path)
        if let lock = locks.withLock({ $0.removeValue(forKey: path) }) {
            Platform.close(lock)
        }
    }

    /// Removes the folders whose commands were killed.
    static func sweep() {
        let folder = place.path(percentEncoded: false)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(prefix) {
            let path = place.appending(path: name).path(percentEncoded: false)
            if let lock = Platform.takeFolder(path) {
                TemporaryDirectory.remove(path)
                Platform.close(lock)
            }
        }
    }
}
