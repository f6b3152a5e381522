import SceneStoreSQLite
import SceneStoreValues

/// What a file refuses to take, while the store goes on in memory (L-17).
///
///     file's core ── a write is refused ──> core in memory: it is read and written instead
///          ^                                      │
///          └─── the rows that differ, in one ─────┘  at each write, in idle time, on reopening
///               transaction
///
/// Invariants:
/// 1. The core in memory holds all that the file held, and every decision since.
/// 2. What differs from the file is among the rows that the connection in memory has noted.
/// 3. The file is written only while nobody but this owner has written it since `base`.
package final class HeldWrites {
    /// The core of the file; nil when the file has to be opened anew.
    package internal(set) var file: StoreCore?
    /// The container, which stays owned while its file has to be opened anew.
    var owned: OpenContainer?
    /// The store's own row in the file; nil when there was none.
    var base: StoreRow?
    /// The store's own row in a file of all that is held, which may stand in its place although that
    /// was reported as failed.
    var placed: StoreRow?
    /// Whether the file holds nothing yet, and takes every row.
    var isWhole: Bool
    /// Why the file refuses.
    package internal(set) var cause: SceneStoreError
    /// The generation in memory at the last attempt.
    var attempted: Int64
    /// The damage of the file, which is set aside when it is opened anew; nil when it has none.
    var damage: KnownDamage?
    /// How many openings failed since: each may have left its owner's mark in the file.
    var failedOpenings: Int64 = 0

    /// What is damaged in one file, whatever has taken its place since.
    struct KnownDamage: Sendable {
        var cause: SceneStoreError
        var file: FileIdentity
    }

    init(file: StoreCore?, base: StoreRow?, cause: SceneStoreError, generation: Int64) {
        self.file = file
        self.base = base
        self.cause = cause
        isWhole = base == nil
        attempted = generation
    }

    /// Lets go of the file and of the container.
    func abandonFile() {
        file?.abandon()
        file = nil
        owned?.abandon()
        owned = nil
    }

    /// Whether an error of a write says that the file doesn't take what is written, so that the
    /// store goes on without it.
    static func isRefusal(_ error: SceneStoreError) -> Bool {
        switch error.code {
        case .diskFull, .readOnlyVolume, .ioError, .tooManyFiles, .moved, .replaced, .missing,
            .poisoned, .ownershipLost:
            true
        default: false
        }
    }

    /// Whether an error of an opening says that an app has to begin without the file (S-10).
    static func isRefusedOpening(_ error: SceneStoreError) -> Bool {
        switch error.code {
        case .diskFull, .readOnlyVolume, .ioError, .tooManyFiles: true
        default: false
        }
    }

    /// Whether an idle moment may open the file anew: nothing else can have taken its place.
    var mayReopen: Bool {
        guard let failure = file?.fence.failure else {
            return file.map(\.connection.isReadingWritableFile) ?? (base != nil) || isWhole
        }
        return failure.code == .poisoned
    }
}

extension StoreCore {
    /// Whether writes are held, or the last one was found to be refused.
    var isHeldOrRefused: Bool { parts.held != nil || parts.lateRefusal != nil }

    /// Throws for who was not told that nothing reaches the disk.
    func checkHolding() throws(SceneStoreError) {
        if let held = parts.held, !parts.holdsRefusedWrites {
            throw held.cause
        }
    }

    /// A core in memory with all that this one holds; it is written under an owner's options.
    func inMemory(
        _ cause: SceneStoreError, _ options: SceneSessionStore.Options,
        recovery other: (any StoreRecovering)? = nil
    ) throws(SceneStoreError) -> StoreCore {
        let memory = try translating {
            var settings = Connection.Options(.memory)
            settings.applicationID = connection.options.applicationID
            return try Connection(path: "", options: settings)
        }
        try copyAll(to: memory)
        let row = try Self.storeRow(memory)
        let core = StoreCore(
            connection: memory, container: OpenContainer(inPlaceOf: container), store: row,
            sealer: sealer,
            options: options, recovery: other ?? recovery)
        memory.observeChanges()
        core.damage.openingDiagnostics = damage.openingDiagnostics
        core.damage.untold = damage.untold
        core.damage.rollback = damage.rollback
        core.damage.lostStates = damage.lostStates
        core.parts.holdsRefusedWrites = parts.holdsRefusedWrites
        core.parts.held = HeldWrites(
            file: self, base: row, cause: cause, generation: row.generation)
        core.damage.tell(cause)
        return core
    }

    /// Copies all rows; at rest, when the connection is closed, those of the file that was left.
    private func copyAll(to memory: Connection) throws(SceneStoreError) {
        guard let rested = life.suspension?.rested else {
            return try Self.copy(connection, to: memory)
        }
        try reading(left: rested) { (left) throws(SceneStoreError) in
            try Self.copy(left, to: memory)
        }
    }

    private static func copy(
        _ source: Connection, to memory: Connection
    ) throws(SceneStoreError) {
        try translating { try source.backup(to: memory) }
    }

    /// The file was written by this core while others were held; its rows are of another time.
    fileprivate func forgetRows() {
        caches = StoreCaches()
    }

    /// Takes over what differs in a core in memory, in one durable transaction.
    func takeOver(_ memory: StoreCore, isWhole: Bool) throws(SceneStoreError) {
        var rows = memory.connection.changedRows
        if isWhole {
            rows = [:]
            for table in StoreTable.digested {
                rows[table.name] = Set(try memory.allNumbers(of: table))
            }
        }
        let changed = rows
        parts.lateRefusal = nil
        try write(.full) { writer throws(SceneStoreError) in
            try writer.takeOver(memory, changed, isWhole: isWhole)
        }
        forgetRows()
        if let late = parts.lateRefusal {
            parts.lateRefusal = nil
            throw late
        }
        do throws(SceneStoreError) {
            try container.record(store)
        } catch {
            // Less is noticed by the next owner, and nothing is lost.
        }
    }

    /// The numbers of all rows of a table, in no order.
    package func allNumbers(of table: StoreTable) throws(SceneStoreError) -> [Int64] {
        try translating {
            try connection.withStatement(table.description.numbers) {
                statement throws(SQLiteError) in
                var numbers: [Int64] = []
                while try statement.step() {
                    numbers.append(try statement.integer(at: 0))
                }
                return numbers
            }
        }
    }
}

extension DamageNotes {
    /// Tells once why nothing reaches the disk.
    mutating func tell(_ cause: SceneStoreError) {
        diagnostics.append(
            Diagnostic(
                .writeRefused, .error,
                "the store can't be written, so the app continues in memory: \(cause.message)",
                path: cause.path,
                fix: cause.code == .replaced
                    ? "call reopenStore(); it throws while another store is at the path, so put "
                        + "the one that was moved back first"
                    : "everything is written as soon as the disk accepts it; a store that was "
                        + "moved needs reopenStore()"))
    }
}

extension Diagnostic.Code {
    /// The store can't be written; the app goes on in memory (L-17).
    public static let writeRefused = Self("writeRefused")
}
