import SceneStore
import SceneStoreSQLite
import SceneStoreTesting

/// A store on a simulated disk.
enum Simulation {
    static let container = "c"
    static let file = container + "/" + ContainerName.store
    static let log = container + "/" + ContainerName.log

    static func options(_ disk: FaultDisk, clock: VirtualClock) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        // What the file holds is to be seen, not what memory does.
        options.beginsInMemory = false
        options.vfs = disk.vfsName
        options.clock = { clock.now }
        options.closedCapacity = 1_000
        options.corruption = .fail
        let identifiers = IdentifierSequence(seed: 0x5ce9_e570)
        options.makeUUID = { identifiers.nextUUID() }
        return options
    }

    static func open(
        _ disk: FaultDisk, clock: VirtualClock = VirtualClock()
    ) throws(SceneStoreError) -> SceneSessionStore {
        try SceneSessionStore.open(
            at: .directory(container), options: options(disk, clock: clock))
    }

    /// What SQLite itself finds wrong with the pages.
    static func problems(_ disk: FaultDisk) throws(SQLiteError) -> [String] {
        var options = Connection.Options(.owner)
        options.vfs = disk.vfsName
        let connection = try Connection(path: file, options: options)
        defer { connection.abandon() }
        return try connection.check(budget: Budget()).problems
    }

    /// Runs SQL of a rig, past the library.
    static func execute(_ script: String, on disk: FaultDisk) throws(SQLiteError) {
        var options = Connection.Options(.owner)
        options.vfs = disk.vfsName
        let connection = try Connection(path: file, options: options)
        do throws(SQLiteError) {
            try connection.execute(script: script, named: "rig")
            try connection.close()
        } catch {
            connection.abandon()
            throw error
        }
    }
}
