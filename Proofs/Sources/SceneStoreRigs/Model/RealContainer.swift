import SceneStore
import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A container in the file system, into which a rig puts files: what a store finds there goes
/// through every check of files, locks and logs that a simulated disk has none of.
final class RealContainer {
    let path: String

    init() throws(SceneStoreError) {
        path = try TemporaryDirectory.make()
    }

    deinit {
        TemporaryDirectory.remove(path)
    }

    /// The file that a container gets before SQLite sees it.
    static func emptyStore() throws -> [UInt8] {
        let container = try RealContainer()
        let folder = try ContainerFolder.open(container.path, access: .owner)
        try folder.createStore(applicationID: SchemaMigration.applicationID)
        guard let bytes = container.bytes(ContainerName.store) else {
            throw SceneStoreError(.ioError, "the rig cannot read a file")
        }
        return bytes
    }

    /// Makes or replaces a file; nil removes it.
    func put(_ bytes: [UInt8]?, _ name: String) throws(SceneStoreError) {
        let file = path + "/" + name
        guard let bytes else {
            unlink(file)
            return
        }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SceneStoreError(.ioError, "the rig cannot make a file")
        }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else {
            throw SceneStoreError(.ioError, "the rig cannot write a file")
        }
    }

    /// Moves a file, a folder or a link; false if there is none.
    static func move(_ path: String, to other: String) -> Bool { rename(path, other) == 0 }

    /// A file's bytes; nil when there is none.
    func bytes(_ name: String) -> [UInt8]? {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return nil
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else {
                return count == 0 ? bytes : nil
            }
            bytes += buffer[..<count]
        }
    }

    /// The files as a process leaves them that died as the owner.
    func leave(
        store: [UInt8], log: [UInt8]?, epoch: Int64, durable generation: Int64
    ) throws(SceneStoreError) {
        try put(nil, ContainerName.index)
        try put(nil, ContainerName.journal)
        try put(store, ContainerName.store)
        try put(log, ContainerName.log)
        try put(Self.lockText(epoch: epoch, durable: generation), ContainerName.lock)
    }

    /// The lock file's two lines, as the owner wrote them; the process is one that is long gone.
    private static func lockText(epoch: Int64, durable generation: Int64) -> [UInt8] {
        func line(_ text: String) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0x20, count: 63 - text.utf8.count) + [0x0a]
        }
        return line("owner 4711 epoch \(epoch) durable \(generation)") + line("")
    }

    func openStore(
        _ access: SceneSessionStore.Access = .owner, clock: VirtualClock = VirtualClock()
    ) throws(SceneStoreError) -> SceneSessionStore {
        var options = SceneSessionStore.Options()
        options.access = access
        options.clock = { clock.now }
        options.closedCapacity = 1_000
        // What is noticed is to be seen, not mended.
        options.corruption = .fail
        return try SceneSessionStore.open(at: .directory(path), options: options)
    }
}
