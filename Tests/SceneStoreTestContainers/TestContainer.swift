import SceneStore
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One container, opened as often as a test likes.
package struct TestContainer {
    package let parent = TemporaryFolder()
    package let clock = TestClock()
    package var name = "container"
    /// What is done about a damaged store.
    package var corruption: SceneSessionStore.CorruptionPolicy
    private let identities: IdentifierSequence

    /// The stores in it have the same identities in every run: those of a seed, which is the line that
    /// makes the container.
    package init(
        _ corruption: SceneSessionStore.CorruptionPolicy = .salvage,
        name: String = "container", seed: UInt64 = #line
    ) {
        self.corruption = corruption
        self.name = name
        identities = IdentifierSequence(seed: seed)
    }

    package var path: String { parent.file(name) }
    package var folder: TestFolder { TestFolder(path, in: parent) }
    package var store: String { path + "/" + ContainerName.store }
    package var location: SceneSessionStore.Location { .directory(path) }

    package func options(
        _ access: SceneSessionStore.Access = .owner
    ) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        let (clock, identities) = (clock, identities)
        options.clock = { clock.now }
        options.makeUUID = { identities.nextUUID() }
        options.access = access
        options.corruption = corruption
        return options
    }

    package func open(
        _ access: SceneSessionStore.Access = .owner,
        _ change: (inout SceneSessionStore.Options) -> Void = { _ in }
    ) throws -> SceneSessionStore {
        var options = options(access)
        change(&options)
        return try SceneSessionStore.open(at: location, options: options)
    }

    /// Leaves a closed store with a session; answers the folder, as its owner has it.
    package func closed(holding name: String) throws -> ContainerFolder {
        let store = try open()
        _ = try store.add(name)
        try store.close()
        return try ContainerFolder.open(path, access: .owner)
    }

    /// Every file below the container with its bytes.
    package var files: [String: Data] {
        var files: [String: Data] = [:]
        let manager = FileManager.default
        for name in (try? manager.subpathsOfDirectory(atPath: path)) ?? [] {
            files[name] = manager.contents(atPath: path + "/" + name)
        }
        return files
    }

    package var names: [String] { files.filter { $0.value.count >= 0 }.keys.sorted() }

    package func quarantined() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/quarantine")) ?? [])
            .sorted()
    }

    /// Runs SQL on the closed store with nothing of our own in between.
    package func sql(_ text: String) throws {
        var settings = Connection.Options(.scratch)
        settings.applicationID = 0x5343_5345
        let connection = try Connection(path: store, options: settings)
        try connection.execute(script: text, named: "test")
        try connection.close()
    }
}

extension SceneSessionStore {
    /// An open session of the plainest configuration.
    package func add(
        _ identifier: String, front: Bool = false, active: Bool = true,
        configuration: SceneConfiguration = SceneConfiguration(
            name: "Default Configuration", role: .windowApplication)
    ) throws -> SessionRecord {
        try insertSession(
            identifier: identifier, configuration: configuration, isFront: front,
            becameActive: active)
    }

    /// Saves one state; answers whether it was written.
    @discardableResult
    package func save(
        _ record: SessionRecord, _ activity: UserActivity?, at time: Int64 = 1_767_225_600_000,
        durability: Durability = .full
    ) throws -> Bool {
        !(try save(
            [StateToSave(key: record.key, activity: activity)],
            context: SaveContext(appVersion: "1", systemVersion: "6", savedAt: time),
            durability: durability)).isEmpty
    }

    /// Begins a launch.
    @discardableResult
    package func launch(boot: String = "boot-1") throws -> LaunchStart {
        try launches.begin(LaunchContext(bootIdentifier: boot, processIdentifier: 42))
    }
}

/// An activity that holds a number, padded to a size.
package func activity(
    _ number: Int, bytes: Int = 0, type: String = "com.example.edit"
) -> UserActivity {
    var activity = UserActivity(checkedType: type)
    activity.userInfo["number"] = .integer(Int64(number))
    if bytes > 0 {
        let text = String(repeating: "abcdefghij", count: bytes / 10 + 1)
        activity.userInfo["text"] = .string(
            String(decoding: text.utf8.prefix(bytes), as: UTF8.self))
    }
    activity.needsSave = false
    return activity
}

/// The code of the error of a body, or nil.
package func failure(_ body: () throws -> Void) -> SceneStoreError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? SceneStoreError)?.code
    }
}

/// The bytes of a file, to be damaged.
package struct DamagedFile {
    package var bytes: [UInt8]
    package let path: String

    package init(bytes: [UInt8], path: String) {
        self.bytes = bytes
        self.path = path
    }

    package init(_ path: String) throws {
        self.path = path
        bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    package var pages: Int { (bytes.count + 4_095) / 4_096 }

    package mutating func overwrite(page: Int, with fill: (Int) -> UInt8) {
        for offset in page * 4_096..<min((page + 1) * 4_096, bytes.count) {
            bytes[offset] = fill(offset)
        }
    }

    package func write(to other: String? = nil) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: other ?? path))
    }
}
