import SceneStoreFormats
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A change that the command made, as the container remembers it so that it can be undone.
///
/// It holds no title, state or other private string: sessions are named by their identifiers. What
/// the store was before lies in `backups/` or `quarantine/`.
package struct StoreOperation: Sendable, Hashable {
    /// From 1, in the order in which they were made; no number is used twice.
    package var number: Int
    /// When it was made, milliseconds since 1970.
    package var time: Int64
    /// The command, such as `discard`.
    package var command: String
    /// The sessions that it named.
    package var sessions: [String]
    /// What the rows of each of them were after it. Empty
    /// when it changed more than these sessions.
    package var sessionMarks: [String] = []
    /// The store before it, relative to the container; nil when there is no copy.
    package var before: String?
    /// The store after it, relative to the container, kept by an undo.
    package var after: String?
    /// What the store held before it; see ``SceneSessionStore/contentMark()``.
    package var markBefore: String
    /// What the store held after it.
    package var markAfter: String
    /// The generation of the store after it: what has a greater one came later.
    package var generation: Int64
    /// Whether it was undone.
    package var isUndone = false
    /// Which undo it was that took it back, counted through all: 0 when none did, or when it can't be
    /// made again because another operation came after that undo.
    package var undoNumber = 0
    /// Whether it was begun and not noted as done: the process was killed, or the record could not be
    /// written. Nobody knows then how much of it was made.
    package var isPending = false

    package init(
        number: Int, time: Int64, command: String, sessions: [String], before: String?,
        markBefore: String, markAfter: String, generation: Int64
    ) {
        self.number = number
        self.time = time
        self.command = command
        self.sessions = sessions
        self.before = before
        self.markBefore = markBefore
        self.markAfter = markAfter
        self.generation = generation
    }

    /// As it is written, and printed for programs.
    package var json: CanonicalJSON {
        [
            "operation": .integer(Int64(number)), "time": .integer(time),
            "command": .string(command), "sessions": .array(sessions.map { .string($0) }),
            "before": .text(before), "after": .text(after), "markBefore": .string(markBefore),
            "markAfter": .string(markAfter), "undone": .boolean(isUndone),
            "undo": .integer(Int64(undoNumber)), "generation": .integer(generation),
            "sessionMarks": .array(sessionMarks.map { .string($0) }),
            "pending": .boolean(isPending),
        ]
    }

    fileprivate init?(_ json: CanonicalJSON) {
        guard let object = json.objectValue,
            let number = object["operation"]?.integerValue, (1...Int64(Int32.max)).contains(number),
            let time = object["time"]?.integerValue,
            let command = object["command"]?.stringValue,
            let markBefore = object["markBefore"]?.stringValue,
            let markAfter = object["markAfter"]?.stringValue
        else {
            return nil
        }
        self.init(
            number: Int(number), time: time, command: command,
            sessions: (object["sessions"]?.arrayValue ?? []).compactMap(\.stringValue),
            before: object["before"]?.stringValue, markBefore: markBefore, markAfter: markAfter,
            generation: object["generation"]?.integerValue ?? .max)
        sessionMarks = (object["sessionMarks"]?.arrayValue ?? []).compactMap(\.stringValue)
        after = object["after"]?.stringValue
        isUndone = object["undone"]?.booleanValue ?? false
        isPending = object["pending"]?.booleanValue ?? false
        undoNumber = max(0, Int(Int32(clamping: object["undo"]?.integerValue ?? 0)))
    }
}

/// The operations of a container, in its folder `operations`: a file each, the newest hundred.
package struct StoreOperations: Sendable {
    private let directory: String
    /// In the order in which they were made.
    package private(set) var all: [StoreOperation]
    /// The greatest number that a file has, which may be one that can't be read.
    private var lastNumber = 0

    /// How many are kept.
    static let capacity = 100

    /// Reads them; a container without any has none. Changes nothing.
    package init(of location: SceneSessionStore.Location) throws(SceneStoreError) {
        guard case .directory(let path) = location else {
            directory = ""
            all = []
            return
        }
        directory = path
        var last = 0
        all = try translating {
            let container = try ContainerFolder.open(path, access: .inspector)
            guard try container.status(of: ContainerName.operations)?.kind == .folder else {
                return []
            }
            let folder = try container.folder(ContainerName.operations)
            var found: [StoreOperation] = []
            for entry in try folder.entries() where entry.name.hasSuffix(".json") {
                last = max(last, Int(Int32(entry.name.dropLast(".json".count)) ?? 0))
                let bytes = try folder.contents(of: entry.name, limit: 4 << 20)
                // One that was cut short, or written by hand, keeps nobody from the others, and nothing
                // is written over it.
                if let json = try? CanonicalJSON(parsing: String(decoding: bytes, as: UTF8.self)),
                    let operation = StoreOperation(json), Self.name(operation.number) == entry.name
                {
                    found.append(operation)
                }
            }
            found.sort { $0.number < $1.number }
            for (index, operation) in found.enumerated()
            where operation.isPending && operation.before == nil {
                let later = found.dropFirst(index + 1).first?.time ?? .max
                found[index].before = try Self.setAside(by: operation, until: later, in: container)
            }
            return found
        }
        lastNumber = last
    }

    /// The store that a restore or repair set aside which was killed before it noted the name: the first
    /// one from its beginning to the next operation.
    private static func setAside(
        by operation: StoreOperation, until later: Int64, in container: ContainerFolder
    ) throws(SceneStoreError) -> String? {
        let reasons: [String: SetAside.CommandReason] = ["repair": .repair, "restore": .replaced]
        guard let reason = reasons[operation.command]?.rawValue else {
            return nil
        }
        let (begin, end) = (CompactTime.text(operation.time), CompactTime.text(later))
        return try StoreBackup.setAside(in: container).map(place).filter { place in
            let name = place.dropFirst(ContainerName.quarantine.count + 1)
            return name > begin && name < end
                && name.hasPrefix("\(name.prefix(begin.count))-\(reason)")
        }.min()
    }

    /// The path of a store of earlier times, below the container.
    package static func place(_ path: String) -> String {
        path.split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// The number of the next one.
    package var nextNumber: Int { max(all.last?.number ?? 0, lastNumber) + 1 }

    /// The last one that was not undone: what an undo takes back. One that did not finish counts when
    /// it says where the store before it is.
    package var last: StoreOperation? {
        all.last { !$0.isUndone && (!$0.isPending || $0.before != nil) }
    }

    /// What a redo makes again: the operation that was undone last, unless another one has come since.
    package var redoable: StoreOperation? {
        all.filter { $0.isUndone && $0.undoNumber > 0 }.max { $0.undoNumber < $1.undoNumber }
    }

    /// The number of the next undo.
    package var nextUndoNumber: Int { (all.map(\.undoNumber).max() ?? 0) + 1 }

    /// The stores that an undo or a redo still needs, below the container.
    ///
    /// - Parameter count: Of how many operations, the newest ones.
    package func needed(_ count: Int = StoreBackup.commandCapacity, now: Int64) -> Set<String> {
        Set(
            all.suffix(count).compactMap { operation in
                guard operation.isUndone else {
                    return operation.expiresAt > now ? operation.before : nil
                }
                return operation.undoNumber > 0 ? operation.after : nil
            })
    }

    /// Those of them that are in the quarantine, by their names without endings.
    package func neededInQuarantine(now: Int64) -> Set<String> {
        let folder = ContainerName.quarantine + "/"
        return Set(
            needed(now: now).filter { $0.hasPrefix(folder) }.map {
                String($0.dropFirst(folder.count).dropLast(".sqlite".count))
            })
    }

    /// Whether two marks are of one launch: then no app has changed the store between them.
    package static func isOneLaunch(_ mark: String, _ other: String) -> Bool {
        let parts = [mark, other].map { $0.split(separator: ".") }
        return parts[0].count == parts[1].count && parts[0].count > 1
            && parts[0].last == parts[1].last
    }

    /// Whether two marks differ at most in the sum of the rows, which has the journal, too.
    package static func isSameContent(_ mark: String, _ other: String) -> Bool {
        let parts = [mark, other].map { $0.split(separator: ".") }
        return isOneLaunch(mark, other) && parts[0].count == 5
            && parts[0].prefix(3) == parts[1].prefix(3)
    }

    /// Adds a new operation: what was undone before it can't be made again.
    package mutating func add(_ operation: StoreOperation) throws(SceneStoreError) {
        for var undone in all where undone.undoNumber > 0 {
            undone.undoNumber = 0
            try write(undone)
        }
        try write(operation)
    }

    /// Writes one, a new one or one anew.
    package mutating func write(_ operation: StoreOperation) throws(SceneStoreError) {
        if let place = all.firstIndex(where: { $0.number == operation.number }) {
            all[place] = operation
        } else {
            all.append(operation)
        }
        try translating {
            let container = try ContainerFolder.open(directory, access: .owner)
            let folder = try container.folder(ContainerName.operations, createsMissing: true)
            var file = try AtomicFile(
                in: folder, name: Self.name(operation.number), replacing: true)
            var bytes: [UInt8] = []
            operation.json.append(to: &bytes)
            try file.write(bytes + [0x0A])
            try file.commit()
            for old in all.dropLast(Self.capacity) {
                try folder.remove(Self.name(old.number))
            }
            all.removeFirst(max(0, all.count - Self.capacity))
        }
    }

    /// Removes the record of one that changed nothing.
    package mutating func remove(_ number: Int) throws(SceneStoreError) {
        all.removeAll { $0.number == number }
        do throws(ContainerError) {
            let container = try ContainerFolder.open(directory, access: .owner)
            try container.folder(ContainerName.operations).remove(Self.name(number))
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Says that what one mark stood for is now marked by another one: an undo brings back what was
    /// there, and notes in the journal that it did.
    package mutating func rename(mark old: String, to new: String) throws(SceneStoreError) {
        for var operation in all where [operation.markBefore, operation.markAfter].contains(old) {
            operation.markBefore = operation.markBefore == old ? new : operation.markBefore
            operation.markAfter = operation.markAfter == old ? new : operation.markAfter
            try write(operation)
        }
    }

    private static func name(_ number: Int) -> String {
        String(number, digits: 6) + ".json"
    }
}

extension StoreOperation {
    /// When its backup may be removed.
    package var expiresAt: Int64 {
        time.addingReportingOverflow(StoreBackup.commandDays * 86_400_000).partialValue
    }
}

extension SceneSessionStore {
    /// A text that is the same as long as nobody opens the store to write it: no session, state,
    /// launch or entry of the journal has changed. Reads one row: the store keeps the sums of its
    /// rows' checksums.
    package func contentMark() throws(SceneStoreError) -> String {
        try read { db throws(SceneStoreError) in
            let store = db.store
            return [
                store.containerEpoch, store.openCount, store.openDigest, store.rowDigest,
                store.launchNumber,
            ].map { String($0, radix: 16) }.joined(separator: ".")
        }
    }

    /// A text that is the same as long as no launch, session or state has changed: opening the store
    /// to write it, which the journal notes, leaves it as it was.
    package func sessionMark() throws(SceneStoreError) -> String {
        try read { db throws(SceneStoreError) in
            let store = db.store
            return [
                store.containerEpoch, store.openCount, store.openDigest, store.launchNumber,
            ].map { String($0, radix: 16) }.joined(separator: ".")
        }
    }

    /// The sessions whose row was written after a generation: an app or a tool changed them.
    package func sessionsChanged(after generation: Int64) throws(SceneStoreError) -> [String] {
        try read { db throws(SceneStoreError) in
            let epoch = db.store.containerEpoch
            let open = try db.rows(Queries.openSessions, binding(epoch))
            return open.filter { $0.generation > generation }.map(\.identifier)
        }
    }
}

extension SetAside {
    /// What a command uses: it keeps what an undo needs, and removes what is too old or too much.
    /// Records that can't be read keep nothing: nothing is undone by them.
    init(byCommandIn folder: ContainerFolder, at time: Int64) {
        let operations = try? StoreOperations(of: .directory(folder.path))
        self.init(
            folder: folder, time: time, needed: operations?.neededInQuarantine(now: time) ?? [])
    }
}

/// Whom the next launch blames for the death of the last process (L-52).
package struct Blame: Sendable, Hashable {
    /// The session's identifier.
    package var session: String
    /// The launch that died.
    package var launch: Int64
}

extension SceneSessionStore {
    /// Whom the next launch blames; nil when the last process died of nothing known, or ended.
    package func blame() throws(SceneStoreError) -> Blame? {
        try read { db throws(SceneStoreError) in
            let process = try db.previousProcess()
            guard let key = process.restoring,
                let session = try db.openRecords().first(where: { $0.key == key })
            else {
                return nil
            }
            return Blame(session: session.identifier, launch: process.number)
        }
    }

    /// Blames a session again that is back in the store, unless a launch has come since.
    package func blame(_ blame: Blame) throws(SceneStoreError) {
        guard let record = try record(identifier: blame.session), record.isOpen,
            try read({ db in db.store.launchNumber }) == blame.launch
        else {
            return
        }
        try launches.setRestoring(key: record.key)
    }
}
