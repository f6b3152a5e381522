import SceneStoreSQLite
import SceneStoreValues

/// Exchanging one database for another: every transition is in this file.
///
///     connection ──suspend()──────────────> suspended ──any call──> a new connection    (S-33)
///     connection ──idle, if asked for─────> resting ────any call──> a new connection
///     connection ──a write is refused─────> memory ─────written───> the file's connection (L-17)
///     connection ──its pages are damaged──> memory ─────written───> a new file's (S-11)
///     connection ──they can't be salvaged─> suspended
///     any of them ──close(), abandon()────> closed
///
/// Invariants:
/// 1. An exchange happens under the store's lock, before or after a body, never while one runs.
/// 2. What outlives a database is handed on to the next: counters, waiting decisions, diagnostics.
/// 3. A body that meets a refusal runs once more, on the database in memory; never a third time.
extension Database {
    /// What a file refused, while this stands for it in memory.
    var refused: RefusedWrites? { if case .memory(let refused) = backing { refused } else { nil } }

    /// Whether nothing is open: for good, or until the next call.
    var isClosed: Bool {
        switch backing {
        case .connection, .memory: false
        case .resting, .suspended, .closed: true
        }
    }

    /// Takes the container back if it was let go.
    package static func wake(
        _ db: inout Database, at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        switch db.backing {
        case .connection, .memory, .closed: return
        case .suspended(let row): try takeBack(&db, row, at: location)
        case .resting(let row):
            do throws(SceneStoreError) {
                db = try db.openAgain(row)
            } catch  where db.holdsRefusedWrites && RefusedWrites.isRefusal(error) {
                try goOnInMemory(&db, error)
            }
        }
    }

    /// Opens a container anew that was let go, which held this row then.
    private static func takeBack(
        _ db: inout Database, _ left: StoreRow?, at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        var opening = StoreOpening(following: db)
        opening.mustExist = true
        opening.mayHoldDamaged = left == nil
        let next = try opening.open(location)
        guard let left else {
            // What a salvage made has the rows' numbers; a backup may lack those of windows that are here.
            let last = db.store.lastID
            if next.store.lastID < last {
                try next.write(.full) { transaction in transaction.store.lastID = last }
            }
            db.handOn(to: next, telling: next.damage.openingDiagnostics + next.damage.diagnostics)
            db = next
            return
        }
        let isSame =
            next.store.uuid == left.uuid && next.store.containerEpoch == left.containerEpoch
            && next.store.generation > left.generation
        guard isSame else {
            // This opening was a commit of its own, which must not bring an older file up to what was
            // let go.
            var left = left
            left.generation += 1
            db.backing = .suspended(left)
            try next.leave()
            throw SceneStoreError(
                .replaced,
                "the container was reset or replaced while the store was suspended; launch again")
        }
        db.handOn(to: next)
        // The mark of this opening is one transaction and one epoch.
        if next.store.ownerEpoch != left.ownerEpoch + 1
            || next.store.generation != left.generation + 1
        {
            next.hadOtherOwner = true
        }
        db = next
    }

    /// After an error: if the file refused a write, goes on in memory and runs the body there.
    static func hold<Result: Sendable>(
        _ db: inout Database, _ error: SceneStoreError,
        at location: SceneSessionStore.Location,
        _ body: @Sendable (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        if db.maySalvage(after: error) {
            return try again(&db, after: error, at: location, body)
        }
        guard db.holdsRefusedWrites, db.refused == nil,
            RefusedWrites.isRefusal(error)
        else {
            throw error
        }
        try goOnInMemory(&db, error)
        let result = try body(db)
        try afterRefused(&db)
        return result
    }

    /// After a body: tries to write what is held, if it is more than before.
    static func afterRefused(_ db: inout Database) throws(SceneStoreError) {
        if let late = db.lateRefusal {
            db.lateRefusal = nil
            return try goOnInMemory(&db, late)
        }
        guard let refused = db.refused, db.store.generation > refused.attempted else {
            return
        }
        refused.attempted = db.store.generation
        // What is refused again stays in memory; the cause is told once.
        try? writeRefused(&db)
    }

    static func goOnInMemory(
        _ db: inout Database, _ cause: SceneStoreError
    ) throws(SceneStoreError) {
        let memory = try db.inMemory(orThrow: cause)
        db.passOn(to: memory)
        db = memory
    }

    /// Writes what is held into the file, which is the store's again.
    static func writeRefused(_ db: inout Database) throws(SceneStoreError) {
        guard let refused = db.refused else {
            return
        }
        guard var file = refused.file else {
            throw refused.cause
        }
        if let failure = file.fence.failure {
            throw failure
        }
        do throws(SceneStoreError) {
            if case .resting(let rested) = file.backing {
                file = try file.openAgain(rested)
                refused.file = file
            }
            if refused.cause.code == .diskFull {
                file.makeRoom()
            }
            try file.takeOver(db, isWhole: refused.isWhole)
        } catch {
            if error.code != refused.cause.code {
                db.damage.tell(error)
            }
            refused.cause = error
            throw error
        }
        db.counters.transactions += 1
        db.counters.durableTransactions += 1
        db.passOn(to: file)
        refused.file = nil
        db.abandon()
        db = file
    }

    /// The same, through a file that is opened anew if nothing else can have taken its place.
    static func retryRefused(
        _ db: inout Database, at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        if db.refused?.mayReopen == true {
            try reopen(&db, at: location)
        } else {
            try writeRefused(&db)
        }
    }

    static func reopen(
        _ db: inout Database, at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        guard let refused = db.refused else {
            return
        }
        refused.abandonFile()
        var opening = StoreOpening(following: db)
        opening.mayHold = false
        opening.memory = db
        opening.damage = refused.damage
        let next: Database
        do throws(SceneStoreError) {
            defer {
                if opening.mayHaveBegunAnew {
                    refused.placed = db.store
                }
                if opening.hasBegunAnew {
                    refused.noteWritten(db.store)
                }
            }
            next = try opening.open(location)
        } catch {
            refused.failedOpenings += RefusedWrites.isRefusal(error) ? 1 : 0
            refused.owned = opening.owned?.container
            throw error
        }
        let openings = refused.failedOpenings
        if refused.isNext(next.store, to: refused.placed, others: -openings...openings + 1) {
            refused.noteWritten(next.store)
        } else if refused.isNext(next.store, to: refused.base, others: 0...refused.lateWrites) {
            refused.isWhole = refused.isWhole || refused.undoesLate
            refused.begin(at: next.store)
        } else if next.isBlank {
            refused.begin(at: next.store)
            refused.isWhole = true
        } else {
            try next.leave()
            throw SceneStoreError(
                .replaced,
                "another store has replaced the one that was moved; both are kept")
        }
        next.holdsRefusedWrites = db.holdsRefusedWrites
        db.damage.diagnostics += opening.replacements
        refused.file = next
        try writeRefused(&db)
    }

    /// Leaves a store that is somebody else's as an owner leaves it. What no app was told of it is
    /// for whoever launches on it.
    fileprivate func leave() throws(SceneStoreError) {
        damage.untold = []
        try close()
    }

    /// Gives what outlives a change of database to the one that goes on.
    func passOn(to next: Database) {
        handOn(to: next, telling: next.damage.diagnostics)
        next.damage.lostStates.formUnion(damage.lostStates)
        damage.diagnostics = []
    }

    /// Whether no app ever wrote anything but the owner's mark.
    fileprivate var isBlank: Bool {
        store.launchNumber == 0 && store.openCount == 0 && store.containerEpoch == 1
            && store.ownerEpoch <= 1
    }

    /// Runs a body that is not held in memory.
    func withoutHolding<Result>(
        _ body: (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        let holds = holdsRefusedWrites
        holdsRefusedWrites = false
        defer { holdsRefusedWrites = holds }
        return try body(self)
    }
}

extension RefusedWrites {
    /// A file of all that is held stands in its place: this is the store's own row in it.
    fileprivate func noteWritten(_ row: StoreRow) {
        begin(at: row)
        isWhole = false
        damage = nil
    }

    /// The file holds this row, and nothing is on the way to it.
    fileprivate func begin(at row: StoreRow) {
        base = row
        failedOpenings = 0
        lateWrites = 0
    }

    /// Whether a store that was opened just now is one that was left: nobody else owned it.
    ///
    /// - Parameter others: How many commits are in it beside the marks of openings.
    fileprivate func isNext(
        _ store: StoreRow, to base: StoreRow?, others: ClosedRange<Int64>
    ) -> Bool {
        guard let base else {
            return false
        }
        // The mark of an opening, which may have reached the file although it was reported as failed,
        // is one epoch and one commit. The refused write may have done so, too.
        let marks = store.ownerEpoch - base.ownerEpoch
        let resets = store.containerEpoch - base.containerEpoch
        return store.uuid == base.uuid && (resets == 0 || resets == 1 && undoesLate)
            && (1...1 + failedOpenings).contains(marks)
            && others.contains(store.generation - base.generation - marks)
            && store.launchNumber <= base.launchNumber + 1
    }
}

/// Salvaging a damaged store within the process that met the damage (S-11, L-17).
///
/// What the next opening would do must not wait for it: until then nothing that the app does would be
/// kept. What can be read goes on in memory, and is written into a new file at once, or when the disk
/// has room for one. The damaged file is set aside, as by an opening.
extension Database {
    /// Whether a damaged file is salvaged now. The beginning of a launch decides anew on what an
    /// opening salvages.
    func maySalvage(after error: SceneStoreError) -> Bool {
        hasBegunLaunch && refused == nil && error.isOfDamage && !damage.isSalvageVain
            && container.folder != nil && connection.role == .owner
            && options.corruption.salvager != nil
    }

    /// Exchanges the database of a damaged file for one of what can be read of it. Its rows have the
    /// numbers that they had.
    private static func salvage(
        _ db: inout Database, _ cause: SceneStoreError,
        at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        let memory = try db.salvaged(cause)
        db.passOn(to: memory)
        db = memory
        do throws(SceneStoreError) {
            try reopen(&db, at: location)
        } catch {
            // It stays in memory until the disk takes it.
            db.refused?.cause = error
            db.damage.tell(error)
        }
    }

    /// What can be read of the file, in memory; the container stays owned.
    private func salvaged(_ cause: SceneStoreError) throws(SceneStoreError) -> Database {
        guard let folder = container.folder else {
            throw cause
        }
        // The files stay as they are: a checkpoint would take the log away.
        connection.abandon()
        do throws(SceneStoreError) {
            let found = try recovery.readInMemory(folder, options: options, mayBeBackup: false)
            guard let found else {
                throw cause
            }
            defer { found.db.abandon() }
            let memory = try found.db.inMemory(cause, options, recovery: recovery)
            let refused = RefusedWrites(cause: cause, generation: memory.store.generation)
            refused.damage = container.identity.map { (cause, $0) }
            refused.owned = container
            memory.backing = .memory(refused)
            memory.damage.diagnostics = found.found
            return memory
        } catch {
            letGo()
            throw error
        }
    }

    /// What a salvage that failed leaves: the next call opens the container as a new process would.
    func letGo() {
        backing = .suspended(nil)
        container.abandon()
    }

    /// Salvages a damaged file and runs a body once more; throws any other error. If the salvage was
    /// in vain, no other one is tried.
    ///
    /// - Parameter inFile: Whether the body needs the file, and must not run on what is in memory.
    static func again<Result: Sendable>(
        _ db: inout Database, after error: SceneStoreError,
        at location: SceneSessionStore.Location, inFile: Bool = false,
        _ body: @Sendable (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard db.maySalvage(after: error) else {
            throw error
        }
        try salvage(&db, error, at: location)
        if inFile, let refused = db.refused {
            throw refused.cause
        }
        do throws(SceneStoreError) {
            let result = try body(db)
            try afterRefused(&db)
            return result
        } catch {
            db.damage.isSalvageVain = error.isOfDamage
            throw error
        }
    }

    // MARK: - Ending the use of a store

    /// Ends the use of the store. What went wrong before is not reported again: the next owner
    /// takes care then, as after a crash.
    package func close() throws(SceneStoreError) {
        if let refused {
            // What is held is lost with it; who closes has been told.
            lostIdentifiers = refusedIdentifiers
            refused.abandonFile()
            return abandon()
        }
        guard !isClosed || isAtRest else {
            // Nothing is open any more.
            backing = .closed
            return
        }
        guard isReader || !connection.isPoisoned && (try? checkSound()) != nil else {
            return abandon()
        }
        noteTold(damage.untold)
        try leave(isForGood: true)
    }

    /// Throws unless the file is what this database left or has open, and may be written.
    private func checkSound() throws(SceneStoreError) {
        if let failure = fence.failure {
            throw failure
        }
        try isAtRest ? container.confirmRest() : container.checkUnmoved()
    }

    /// Writes what waits, closes the file and lets go of the container, which happens whatever fails; at
    /// rest there is nothing to write or close. The log stays after a failure as after a death of the
    /// process, and the next opening takes care of it.
    private func leave(isForGood: Bool) throws(SceneStoreError) {
        // What is surely in the file: a commit that waits may fail after it was written.
        var left = store
        defer {
            backing = isForGood ? .closed : .suspended(left)
            container.abandon()
        }
        do throws(SceneStoreError) {
            if !isForGood {
                try checkSound()
            }
            if !isAtRest {
                try finishWriting()
                left = store
            }
        } catch {
            connection.abandon()
            throw error
        }
        if !isAtRest {
            try translating { try connection.close() }
        }
        try container.release(at: isForGood ? closing : nil)
    }

    /// An app was told of exchanges, or had the time to ask: that is not repeated. Where it can't be
    /// written down, the next opening repeats it.
    func noteTold(_ names: Set<String>) {
        guard !names.isEmpty, container.isOwned, let folder = container.folder,
            (try? SetAside.forget(untold: names, in: folder)) != nil
        else {
            return
        }
        damage.untold.subtract(names)
    }

    /// What the next owner is to find, at least.
    var closing: OwnerLock.Closing { (store.generation, now) }

    /// What the death of the process would do: nothing is written, the log stays, the lock is
    /// dropped.
    package func abandon() {
        refused?.abandonFile()
        if !isClosed {
            connection.abandon()
        }
        backing = .closed
        container.abandon()
    }

    /// Stores the decisions that wait, and copies the log into the file.
    func finishWriting() throws(SceneStoreError) {
        guard connection.role == .owner, !isReader else {
            return
        }
        try storeDecisions()
        let copied = try translating { try connection.checkpoint(.truncate) }
        if !copied.isComplete, log.unsyncedSince != nil {
            // A reader keeps the log from being emptied: it stays, and is complete.
            try syncLog()
        }
    }

    func storeDecisions() throws(SceneStoreError) {
        if !journal.decisions.isEmpty {
            try commit(.normal) { _ throws(SceneStoreError) in }
        }
    }

    // MARK: - Letting go of the container while the app is in the background (S-33)

    //     open --suspend()--> suspended --any call--> open
    //
    // While a store is suspended its connection is closed and its lock is released: another process
    // may own the container. Taking it back is an opening like any other, with all its checks, so
    // that the rule of one writer holds throughout.

    /// Copies the log into the file, closes it and lets go of the container.
    static func suspend(_ db: inout Database) throws(SceneStoreError) {
        // Who goes on in memory: a file that lost its name can be read as long as it is open.
        if db.holdsRefusedWrites, db.refused == nil, !db.isClosed || db.isAtRest {
            do throws(SceneStoreError) {
                try db.checkSound()
            } catch  where RefusedWrites.isRefusal(error) {
                try? goOnInMemory(&db, error)
            } catch _ {}
        }
        switch db.backing {
        case .suspended: return
        case .closed: throw db.closedError
        case .connection, .memory, .resting: break
        }
        guard !db.isReader else {
            throw SceneStoreError(.readOnly, "a store that is only read has nothing to release")
        }
        if let refused = db.refused {
            // What is held goes on in memory: a system ends suspended processes for their locks.
            return refused.abandonFile()
        }
        // What is no owner's only this process has.
        if db.connection.role == .owner {
            try db.leave(isForGood: false)
        }
    }

    /// Gives what outlives a suspension to the database that goes on, which has something to tell: what
    /// its opening found, unless more is known.
    func handOn(to next: Database, telling news: [Diagnostic]? = nil) {
        next.counters = counters
        next.journal.decisions = journal.decisions
        journal.decisions.removeAll()
        next.damage.diagnostics = damage.diagnostics + (news ?? next.damage.openingDiagnostics)
        next.damage.untold.formUnion(damage.untold)
        next.hadOtherOwner = hadOtherOwner
        next.holdsRefusedWrites = holdsRefusedWrites
        next.hasBegunLaunch = hasBegunLaunch
        next.damage.isSalvageVain = damage.isSalvageVain
    }

    /// Why a closed database does nothing.
    var closedError: SceneStoreError {
        if case .closed = backing {
            return SceneStoreError(.closed, "the store was closed")
        }
        return SceneStoreError(.suspended, "the store was suspended; resume it first")
    }
}

extension SceneSessionStore {
    /// Releases the container, and keeps the store ready for ``resume()``.
    ///
    /// Committed changes are copied into the file, the file is closed, and the owner's lock is
    /// released. For apps whose container other processes share: iOS ends a suspended process that
    /// holds a lock in an app group (0xdead10cc). Also for hosts with more stores than they want to
    /// keep open. The next call that needs the container takes it back, as ``resume()`` does.
    ///
    /// The container is released even if this throws; acknowledged changes are safe then, too. An
    /// application goes on in memory with what the disk refuses, which is written when the disk
    /// takes it and no other process has written meanwhile. A memory store has nothing to release.
    public func suspend() throws(SceneStoreError) {
        try database.withLock { db throws(SceneStoreError) in
            try? Database.retryRefused(&db, at: location)
            try Database.suspend(&db)
        }
    }

    /// Whether the store has released the container.
    public var isSuspended: Bool {
        database.withLock { if case .suspended = $0.backing { true } else { false } }
    }

    /// Takes the container back after ``suspend()``, and returns whether another process owned it
    /// meanwhile, so that values that you read before may be outdated.
    ///
    /// It makes all the checks of an opening. The result covers the time since the last call.
    /// Throws ``SceneStoreError/Code/owned`` while another process owns the container, and
    /// ``SceneStoreError/Code/replaced`` if it was reset or replaced, or has less than before: then
    /// you must not write back values that you read before, and the app has to launch again. The
    /// store stays suspended. If the store is not suspended, the call does nothing.
    @discardableResult
    public func resume() throws(SceneStoreError) -> Bool {
        try database.withLock { db throws(SceneStoreError) in
            try Database.wake(&db, at: location)
            defer { db.hadOtherOwner = false }
            return db.hadOtherOwner
        }
    }

    /// Whether the connection is closed until the next call that needs it.
    package var isAtRest: Bool {
        database.withLock { $0.isAtRest }
    }

    /// Whether the next idle moment that finds nothing to do closes the connection.
    package var awaitsRest: Bool {
        database.withLock { $0.awaitsRest }
    }
}

extension SceneStoreError.Code {
    /// The store has released the container; ``SceneSessionStore/resume()`` takes it back.
    public static let suspended = Self("suspended")
}

/// Closing the connection while nothing is done, for servers with many open stores.
///
///     open --idle work is done--> at rest --any call--> open
///
/// 1. At rest the container is owned: folder and lock are open, SQLite has nothing of it open.
/// 2. What was committed is synced, in the file, and nothing is in the log.
/// 3. Whoever opens it again finds the very file and the very row that were left (S-26, R-27), or
///    writes nothing. No owner's mark is made: it is the same owner, in the same epoch.
/// 4. A store that writes no more doesn't come to rest, so that it stays what it is.
/// 5. Under an app that goes on without its file (L-17), the file's descriptor is kept, to be read
///    when the name is gone. It is closed before SQLite opens the file.
extension Database {
    /// Whether the connection is closed and the container is still owned.
    package var isAtRest: Bool { if case .resting = backing { true } else { false } }

    /// Whether the next idle moment that finds nothing to do closes the connection.
    package var awaitsRest: Bool {
        options.closesWhenIdle && !isClosed && !isReader && container.isOwned
            && refused == nil && fence.failure == nil && !connection.isPoisoned
    }

    /// Copies the log into the file and closes it. A reader in the way keeps the store open.
    func rest() throws(SceneStoreError) {
        guard awaitsRest else {
            return
        }
        try checkUsable()
        // Reads the store's row again where a transaction was rolled back.
        try read { _ throws(SceneStoreError) in }
        try storeDecisions()
        try checkpoint()
        guard !log.hasFrames(connection.walFrames, counters.transactions) else {
            return
        }
        try container.checkUnmoved()
        guard try copyLog(.truncate, waits: false).isComplete else {
            return
        }
        container.note(durable: store.generation)
        caches = StoreCaches()
        backing = .resting(store)
        defer { container.rest(keepsFile: holdsRefusedWrites) }
        do throws(SceneStoreError) {
            try translating { try connection.close() }
        } catch {
            // Nothing is lost; what SQLite still holds of the file is not known.
            fence.failure = error
            throw error
        }
    }

    /// A private copy of the file that was left at rest, whose name may be gone; throws `replaced` when
    /// it is not what was left.
    func left(_ row: StoreRow) throws(SceneStoreError) -> Connection {
        guard let file = container.left else {
            throw closedError
        }
        var reading = options
        reading.access = .reader
        var opening = StoreOpening(reading, recovery: recovery)
        var settings = opening.connectionOptions(.copy)
        settings.image = try translating { try InspectionCopy(of: file) }
        // The copy is on another disk than the one that fails.
        settings.fault = nil
        let copy = try opening.connect(ContainerName.store, settings)
        _ = try opening.finish(copy, OpenContainer(), rested: row)
        return copy
    }

    /// The database that goes on after a rest.
    func openAgain(_ row: StoreRow) throws(SceneStoreError) -> Database {
        guard !connection.isForked else {
            throw SceneStoreError(Connection.forked)
        }
        if let failure = fence.failure {
            throw failure
        }
        var opening = StoreOpening(options, recovery: recovery)
        opening.mustExist = true
        let next: Database
        do throws(SceneStoreError) {
            next = try opening.openAgain(container, row, keepsFile: holdsRefusedWrites)
        } catch {
            noteDamagedPages(error)
            throw error
        }
        // Before what outlives any change of database, which takes the subscribers away from this one.
        next.journal = journal
        handOn(to: next)
        next.log = log
        next.damage = damage
        next.upkeep = upkeep
        return next
    }
}

extension StoreOpening {
    /// Opens the file of a container that stayed owned, with the checks of an opening, and makes
    /// sure that it is the one that was left.
    mutating func openAgain(
        _ container: OpenContainer, _ row: StoreRow, keepsFile: Bool
    ) throws(SceneStoreError) -> Database {
        guard let folder = container.folder else {
            throw Database.ownershipLost
        }
        try container.confirmRest()
        var settings = connectionOptions(.owner)
        settings.identity = container.identity
        // No descriptor of the file may be closed once the connection has opened it.
        container.left = nil
        var opened: Connection?
        do throws(SceneStoreError) {
            let connection = try connect(folder.storePath, settings)
            opened = connection
            let db = try finish(connection, container, rested: row)
            // Whoever writes from here on is noticed by the next write, who wrote before by this.
            connection.expectNoChanges()
            try container.confirmRest()
            try container.checkIndex()
            return db
        } catch {
            opened?.abandon()
            container.rest(keepsFile: keepsFile)
            throw error
        }
    }
}

extension StoreRow {
    /// Whether this is the same row: its checksum covers every column.
    func isSame(as other: StoreRow) -> Bool {
        uuid == other.uuid && containerEpoch == other.containerEpoch
            && ownerEpoch == other.ownerEpoch && generation == other.generation
            && checksum == other.checksum
    }
}
