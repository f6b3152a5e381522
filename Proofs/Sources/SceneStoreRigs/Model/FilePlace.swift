import SceneStore
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
    /// Files by their paths below the folder; a path that ends in a slash is a folder's.
    typealias Image = [String: [UInt8]]

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
        var folder = path
        for part in name.split(separator: "/").dropLast(name.hasSuffix("/") ? 0 : 1) {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        guard !name.hasSuffix("/") else {
            return
        }
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreTruth.Wrong(description: "the rig cannot make a file")
        }
        defer { close(descriptor) }
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw StoreTruth.Wrong(description: "the rig cannot write a file")
        }
    }

    /// A file's bytes; nil when there is none.
    func bytes(_ name: String) -> [UInt8]? {
        let descriptor = open(file(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return nil
        }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size >= 0 else {
            return nil
        }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }

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
        options.recentlyClosed.count = 1_000
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
