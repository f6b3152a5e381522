import SceneStore
import SceneStoreFileFaults
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of a rig's own with containers and other files in it.
final class FilePlace {
    typealias Image = FileTree.Image

    /// Where the container lies that most is done with.
    static let container = "c"

    let path: String
    let clock = VirtualClock()

    init() throws(SceneStoreError) {
        path = try TemporaryDirectory.make()
    }

    deinit {
        TemporaryDirectory.remove(path)
    }

    /// A folder with these files.
    convenience init(_ image: Image) throws {
        try self.init()
        for (name, bytes) in image.sorted(by: { $0.key < $1.key }) {
            try put(bytes, name)
        }
    }

    func file(_ name: String) -> String { path + "/" + name }

    func exists(_ name: String) -> Bool { access(file(name), F_OK) == 0 }

    private func put(_ bytes: [UInt8], _ name: String) throws {
        try FileTree.put(bytes, name, in: path)
    }

    /// A file's bytes; nil when there is none.
    func bytes(_ name: String) -> [UInt8]? { FileTree.bytes(file(name)) }

    /// What a dead process left in the container; only while no store is open there. SQLite makes
    /// the log's index anew.
    func image() -> Image {
        var image: Image = [:]
        for name in ContainerName.all where name != ContainerName.index {
            image[Self.container + "/" + name] = bytes(Self.container + "/" + name)
        }
        return image
    }

    func options(
        _ policy: SceneSessionStore.CorruptionPolicy
    ) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        // What the file holds is to be seen, not what memory does.
        options.beginsInMemory = false
        let clock = clock
        options.clock = { clock.now }
        options.closedCapacity = 1_000
        options.corruption = policy
        options.busyTimeout = 10
        return options
    }

    func location(_ name: String = FilePlace.container) -> SceneSessionStore.Location {
        .directory(file(name))
    }

    /// Opens a container as its owner.
    func openStore(
        _ name: String = FilePlace.container,
        _ policy: SceneSessionStore.CorruptionPolicy = .fail
    ) throws(SceneStoreError) -> SceneSessionStore {
        try SceneSessionStore.open(at: location(name), options: options(policy))
    }
}
