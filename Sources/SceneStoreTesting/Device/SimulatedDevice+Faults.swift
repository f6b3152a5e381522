#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreSQLite

/// What goes wrong on a device. Faults of the disk need a device in memory; for finer ones, use its
/// ``disk`` directly.
extension SimulatedDevice {
    private func memoryDisk() throws(SceneStoreError) -> FaultDisk {
        guard let disk else {
            throw SceneStoreError(.invalidState, "this fault needs a device in memory")
        }
        return disk
    }

    /// Makes the n-th write from now on fail, counting from 1; if permanent, also every later one.
    public func failWrite(_ number: Int = 1, permanently: Bool = false) throws(SceneStoreError) {
        try memoryDisk().program =
            lockFaults
            + [.init([.write], at: UInt64(clamping: max(number, 1)), isPermanent: permanently)]
    }

    /// Fills the disk, except for some bytes.
    public func fillDisk(leaving bytes: Int = 0) throws(SceneStoreError) {
        let disk = try memoryDisk()
        let used = disk.files.reduce(0) { $0 &+ (disk.fileSize($1) ?? 0) }
        disk.configure { $0.capacity = used &+ UInt64(clamping: max(bytes, 0)) }
    }

    /// Repairs the disk, which works again and has room. What a lock protects stays out of reach.
    public func repairDisk() throws(SceneStoreError) {
        let disk = try memoryDisk()
        disk.program = lockFaults
        disk.configure { $0.capacity = nil }
    }

    /// The faults by which a lock keeps files out of reach; they come before the disk's own.
    var lockFaults: [FaultDisk.Fault] {
        protectsFiles ? [.init([.open, .write, .sync], isPermanent: true)] : []
    }

    /// Cuts the power: a running process dies, and the device starts again.
    ///
    /// Changes that were not durable may be lost or torn, depending on the seed.
    public func cutPower(
        seed: UInt64 = 1, mode: FaultDisk.PowerCutMode = .mixed
    ) throws(SceneStoreError) {
        let disk = try memoryDisk()
        application?.abandon()
        disk.reboot(seed: seed, mode: mode)
        end(.kill)
        bootCount += 1
    }

    /// Damages the row that holds a session's state; no process may run.
    ///
    /// Names the session by its identifier or its letter in the ``transcript``; nil is the most
    /// recently active session. Throws `SceneStoreError.Code.requestDenied` if the session has no
    /// state.
    public func damageState(of session: SceneSession.ID? = nil) throws(SceneStoreError) {
        let named = session.map { recorder.session($0) }
        let record = try edit { (store) throws(SceneStoreError) in
            if let named {
                return try store.record(identifier: named)
            }
            return try store.mostRecentRecord(role: nil)
        }
        guard let record, record.hasState else {
            throw SceneStoreError(.requestDenied, "the session is unknown or has no state")
        }
        // The activity's bytes no longer match the row's checksum.
        try alterDatabase(
            """
            UPDATE state SET payload = zeroblob(length(payload))
            WHERE id = (SELECT state_id FROM session WHERE id = \(record.key))
            """)
    }

    /// Runs SQL on the file as a person with the sqlite3 shell would; no process may run.
    func alterDatabase(_ sql: String) throws(SceneStoreError) {
        guard application == nil else {
            throw SceneStoreError(.invalidState, "the process runs and owns the container")
        }
        var settings = Connection.Options(.owner)
        settings.vfs = disk?.vfsName
        do {
            let connection = try Connection(path: storePath, options: settings)
            try connection.execute(script: sql, named: "fault")
            try connection.close()
        } catch {
            throw SceneStoreError(.ioError, "the store's file can't be altered")
        }
    }

    /// Fills a page of the store's file with junk, counting from 1; no process may run.
    ///
    /// Close the store first, because a log next to the file may hold a newer version of the page.
    /// Throws `SceneStoreError.Code.ioError` if the file has no such page.
    public func damagePage(_ number: Int) throws(SceneStoreError) {
        guard application == nil else {
            throw SceneStoreError(.invalidState, "the process runs and owns the container")
        }
        guard var bytes = try fileBytes(storePath), bytes.count >= 100 else {
            throw SceneStoreError(.ioError, "there is no store")
        }
        let written = Int(bytes[16]) << 8 | Int(bytes[17])
        let size = written == 1 ? 65_536 : written
        let (start, overflows) = (number &- 1).multipliedReportingOverflow(by: size)
        guard number > 0, !overflows, size >= 512, start < bytes.count else {
            throw SceneStoreError(.ioError, "the store has no such page")
        }
        for index in start..<min(start + size, bytes.count) {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 167 &+ 13)
        }
        try replaceFile(storePath, bytes)
    }

    /// Opens the container in another process, for as long as `body` runs.
    ///
    /// Throws `SceneStoreError.Code.owned` if it wants to own a container that the running process
    /// owns. A reader may open it, and sees what is written.
    public func withSecondProcess<Result>(
        _ access: SceneSessionStore.Access = .owner,
        _ body: (SceneSessionStore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard access != .reader else {
            return try readFile(body)
        }
        guard disk == nil || application == nil else {
            throw SceneStoreError(.owned, "another process owns the container", ownerProcess: 1)
        }
        var opening = openingOptions(access)
        opening.ownerTimeout = 0
        let store = try SceneSessionStore.open(at: .directory(containerPath), options: opening)
        defer { try? store.close() }
        return try body(store)
    }

    /// Sets the clock forward or back, as a user or a time server does; timers don't notice.
    public func jumpClock(milliseconds: Int64) {
        clock.now = clock.now.saturatingPlus(milliseconds)
    }

    // MARK: Files

    /// A file's bytes, nil when there is none.
    func fileBytes(_ path: String) throws(SceneStoreError) -> [UInt8]? {
        if let disk {
            return disk.exportFile(path)
        }
        guard FileManager.default.fileExists(atPath: path) else {
            return nil
        }
        do {
            return try Array(Data(contentsOf: URL(filePath: path)))
        } catch {
            throw SceneStoreError(.ioError, "the file can't be read")
        }
    }

    /// Makes or replaces a file.
    func replaceFile(_ path: String, _ bytes: [UInt8]) throws(SceneStoreError) {
        if let disk {
            disk.importFile(path, bytes: bytes)
            return
        }
        do {
            try Data(bytes).write(to: URL(filePath: path))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw SceneStoreError(.ioError, "the file can't be written")
        }
    }
}
