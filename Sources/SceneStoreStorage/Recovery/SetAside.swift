#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreSQLite
import SceneStoreValues

/// Puts a new store into the place of another one, which is set aside whole (S-11, R-07, S-12).
///
/// The owner of the container does it. At any moment the old store is either in its place or whole
/// in `quarantine/`:
///
///     new store is built beside -> marker -> old files moved -> [its log] -> new store renamed
///         -> marker gone, or renamed until the app is told
///
/// 1. Nothing of the old store is touched before the new one is whole and on the disk.
/// 2. With a marker and no store in its place, the files are moved back: the next owner begins
///    again (``finishInterrupted(_:)``). A marker that says so tells that a log which lies there is
///    the new store's; it goes first.
/// 3. With a marker and a store in its place, the new store is there: the marker goes.
/// 4. Where nothing was moved, nothing was set aside: the ledger goes with the marker.
/// 5. An exchange that nobody asked for leaves a note that no app was told of it, until one was: the
///    process may die at any moment after the exchange.
/// 6. Nothing in `quarantine/` is ever overwritten; what is oldest goes when there is too much.
package struct SetAside {
    package let folder: ContainerFolder
    /// Milliseconds since 1970.
    package let time: Int64
    /// What an undo needs, by name, where a command knows it. An app leaves alone all that commands
    /// set aside.
    private let needed: Set<String>?

    package init(folder: ContainerFolder, time: Int64, needed: Set<String>? = nil) {
        self.folder = folder
        self.time = time
        self.needed = needed
    }

    /// Why commands set stores aside, which an undo brings back.
    package enum CommandReason: String, CaseIterable {
        case repair, replaced
    }

    private static let marker = ".unfinished"
    /// What the marker says while a log in its place is the new store's.
    private static let newLog = CanonicalJSON.string("log")
    /// What the marker says of an exchange that the app has to be told of.
    private static let tells = CanonicalJSON.string("tell")
    /// What such a marker is called when the new store is in its place.
    private static let untold = ".untold"
    /// What the ledger of such an exchange has to tell.
    package static let diagnostics = "diagnostics"
    /// Bytes of everything that was set aside; the newest is kept in any case.
    package static let capacity: Int64 = 256 << 20
    /// How many stores are kept.
    package static let countCapacity = 10
    /// Bytes of a ledger that is read.
    private static let ledgerCapacity = 64 << 20

    /// Replaces the store.
    ///
    /// - Parameters:
    ///   - reason: One word, a part of the name.
    ///   - keepsOld: Whether the old store stays in `quarantine/`.
    ///   - draft: What a new store is known by that another process may go on with; drafts of
    ///     anything else are removed.
    ///   - mustTell: Whether an app has to be told of it; the ledger holds what.
    ///   - build: Makes the new store in an empty file or a draft, and answers what is to be said
    ///     of it in the ledger; the name is that of the old one in `quarantine/`.
    ///   - prepare: Puts a log in its place that belongs to the new store, and whatever else has to
    ///     be there before it; called when the old one's files are gone.
    /// - Returns: The name under which the old store was set aside, nil when there was none.
    @discardableResult
    package func replace(
        reason: String, keepsOld: Bool = true, draft: UInt64? = nil, mustTell: Bool = false,
        build: (_ path: String, _ name: String) throws(SceneStoreError) -> CanonicalJSON,
        prepare: (() throws(SceneStoreError) -> Void)? = nil
    ) throws(SceneStoreError) -> String? {
        try translating("setting the store aside") {
            try folder.removeDrafts(except: draft)
            let base = try unusedName(reason)
            var file = try newStore(draft)
            var ledger: CanonicalJSON?
            if file.isContinued {
                ledger = try Self.goOn(file.temporaryPath) { path throws(SceneStoreError) in
                    try build(path, base)
                }
                if ledger == nil {
                    _ = consume file
                    file = try newStore(draft)
                }
            }
            let said = try ledger ?? build(file.temporaryPath, base)
            let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
            let names = try oldFiles()
            guard !names.isEmpty || prepare != nil else {
                try file.commit()
                return nil
            }
            if !names.isEmpty {
                try Self.write(said, base + ".json", in: quarantine)
            }
            try Self.write(mustTell ? Self.tells : .null, base + Self.marker, in: quarantine)
            for name in names {
                try folder.move(name, to: quarantine, as: Self.name(name, base))
            }
            if let prepare {
                try Self.write(Self.newLog, base + Self.marker, in: quarantine)
                try prepare()
            }
            try file.commit()
            if !keepsOld {
                // The database last: what is left of it is no store without its log.
                for name in names.reversed() {
                    try quarantine.remove(Self.name(name, base))
                }
                try quarantine.remove(base + ".json")
            }
            try Self.end(base, tells: mustTell, in: quarantine)
            try prune(quarantine, keeping: base)
            return keepsOld && !names.isEmpty ? base : nil
        }
    }

    private func newStore(_ draft: UInt64?) throws(ContainerError) -> AtomicFile {
        try AtomicFile(in: folder, name: ContainerName.store, replacing: true, draft: draft)
    }

    /// Goes on with a draft; nil when it is of no use. If it is the disk that fails, making a new one
    /// says so.
    private static func goOn(
        _ path: String, _ build: (_ path: String) throws(SceneStoreError) -> CanonicalJSON
    ) throws(SceneStoreError) -> CanonicalJSON? {
        do throws(SceneStoreError) {
            return try build(path)
        } catch  where error.code != .cancelled {
            return nil
        }
    }

    /// Writes the ledger of what is set aside beside a store that stays, before that itself: what lies
    /// there without a store tells nothing wrong. Answers the name that it has.
    private func begin(
        _ reason: String, _ ledger: CanonicalJSON
    ) throws(ContainerError) -> (quarantine: ContainerFolder, base: String) {
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        let base = try unusedName(reason)
        try Self.write(ledger, base + ".json", in: quarantine)
        return (quarantine, base)
    }

    /// Copies a store that stays in its place; answers the copy's name.
    package func keepCopy(
        of connection: Connection, reason: String, ledger: CanonicalJSON
    ) throws(SceneStoreError) -> String {
        try translating("copying the store") {
            let (quarantine, base) = try begin(reason, ledger)
            let name = Self.name(ContainerName.store, base)
            do {
                let file = try AtomicFile(in: quarantine, name: name)
                try StoreBackup.copy(connection, to: file.temporaryPath, WorkTeller())
                try file.commit()
            } catch {
                // By itself it would take the place of a store that is kept.
                try? quarantine.remove(base + ".json")
                throw error
            }
            try prune(quarantine, keeping: base)
            return name
        }
    }

    /// Sets a journal aside, or a log with what lies beside it, whose database is gone or another one;
    /// answers its name.
    package func keepLog(
        _ file: String = ContainerName.log, reason: String, ledger: CanonicalJSON
    ) throws(SceneStoreError) -> String {
        try translating("setting the log aside") {
            let (quarantine, base) = try begin(reason, ledger)
            for name in try oldFiles()
            where name != ContainerName.store && (file == ContainerName.log || name == file) {
                try folder.move(name, to: quarantine, as: Self.name(name, base))
            }
            try quarantine.sync()
            try prune(quarantine, keeping: base)
            return Self.name(file, base)
        }
    }

    /// The new store is in its place: the marker goes, or says that the app is still to be told.
    private static func end(
        _ base: String, tells: Bool, in quarantine: ContainerFolder
    ) throws(ContainerError) {
        guard !tells else {
            return try quarantine.move(base + marker, to: quarantine, as: base + untold)
        }
        try quarantine.remove(base + marker)
        try quarantine.sync()
    }

    /// Ends what a process that died began; to be called by a new owner before it looks at the
    /// store's files. Answers the exchanges that no app was told of, the oldest first.
    @discardableResult
    package static func finishInterrupted(
        _ folder: ContainerFolder
    ) throws(SceneStoreError) -> [UntoldExchange] {
        try translating {
            guard try folder.status(of: ContainerName.quarantine)?.kind == .folder else {
                return []
            }
            let (quarantine, names): (ContainerFolder, [String])
            do {
                quarantine = try folder.folder(ContainerName.quarantine)
                names = try quarantine.entries().map(\.name)
            } catch let error as ContainerError where error.kind == .permission {
                // A store that stands in its place misses nothing that may lie there.
                guard try folder.status(of: ContainerName.store) != nil else {
                    throw error
                }
                return []
            }
            var untold = names.filter { $0.hasSuffix(Self.untold) }
                .map { String($0.dropLast(Self.untold.count)) }
            for name in names where name.hasSuffix(marker) {
                let base = String(name.dropLast(marker.count))
                if try folder.status(of: ContainerName.store) == nil {
                    try removeNewLog(folder, name, in: quarantine)
                    // The database last: while it is missing this is done again.
                    for name in movable.reversed() {
                        let old = Self.name(name, base)
                        if try quarantine.status(of: old) != nil {
                            try quarantine.move(old, to: folder, as: name)
                        }
                    }
                }
                let isDone = try holdsAny(of: base, quarantine)
                if !isDone {
                    try quarantine.remove(base + ".json")
                }
                let tells = try isDone && says(tells, name, in: quarantine)
                try end(base, tells: tells, in: quarantine)
                if tells {
                    untold.append(base)
                }
            }
            return untold.sorted { $0.precedes($1) }.map {
                (name: $0, findings: findings(of: $0, in: quarantine))
            }
        }
    }

    /// An app was told of exchanges.
    package static func forget(
        untold names: some Sequence<String>, in folder: ContainerFolder
    ) throws(SceneStoreError) {
        try translating {
            let quarantine = try folder.folder(ContainerName.quarantine)
            for name in names {
                try quarantine.remove(name + untold)
            }
        }
    }

    /// What is read again of a ledger.
    private struct Ledger: Decodable {
        /// Under ``SetAside/diagnostics``.
        let diagnostics: [Diagnostic.Kept]
    }

    /// What is to be told of an exchange; without details where its ledger can't be read.
    private static func findings(of base: String, in quarantine: ContainerFolder) -> [Diagnostic] {
        let ledger = try? JSONDecoder().decode(
            Ledger.self,
            from: Data(quarantine.contents(of: base + ".json", limit: ledgerCapacity)))
        let findings = ledger?.diagnostics.compactMap(\.diagnostic) ?? []
        return findings.isEmpty
            ? [
                Diagnostic(
                    .storeSetAside, .error, "the store was set aside, and its ledger is damaged",
                    path: "\(ContainerName.quarantine)/\(base).sqlite")
            ] : findings
    }

    /// Whether a marker has a content.
    private static func says(
        _ content: CanonicalJSON, _ name: String, in quarantine: ContainerFolder
    ) throws(ContainerError) -> Bool {
        try quarantine.contents(of: name, limit: 100).starts(with: content.text.utf8)
    }

    /// Whether a file of a store lies in `quarantine/` under a name.
    private static func holdsAny(
        of base: String, _ quarantine: ContainerFolder
    ) throws(ContainerError) -> Bool {
        for name in movable where try quarantine.status(of: Self.name(name, base)) != nil {
            return true
        }
        return false
    }

    /// Removes the log of a new store that never came, so that the old one's can come back; the
    /// marker then no longer speaks of it.
    private static func removeNewLog(
        _ folder: ContainerFolder, _ name: String, in quarantine: ContainerFolder
    ) throws(ContainerError) {
        guard try says(newLog, name, in: quarantine) else {
            return
        }
        try folder.remove(ContainerName.log)
        try folder.sync()
        try write(.null, name, in: quarantine)
    }

    /// Under which names stores lie in `quarantine/` whose replacement did not come to its end.
    package static func interrupted(among names: [String]) -> [String] {
        names.filter { $0.hasSuffix(marker) }.map { String($0.dropLast(marker.count)) }
    }

    // MARK: - Names

    private static let movable = [
        ContainerName.store, ContainerName.log, ContainerName.index, ContainerName.journal,
    ]

    private func oldFiles() throws(ContainerError) -> [String] {
        var names: [String] = []
        for name in Self.movable where try folder.status(of: name) != nil {
            names.append(name)
        }
        return names
    }

    /// `scenes.sqlite-wal` becomes `20260101T120000.000Z-corrupt.sqlite-wal`.
    private static func name(_ name: String, _ base: String) -> String {
        base + ".sqlite" + name.dropFirst(ContainerName.store.count)
    }

    private func unusedName(_ reason: String) throws(ContainerError) -> String {
        let start = "\(CompactTime.text(time))-\(reason)"
        var base = start
        var number = 1
        let used =
            try folder.status(of: ContainerName.quarantine) == nil
            ? [] : folder.folder(ContainerName.quarantine).entries().map(\.name)
        while used.contains(where: { $0.hasPrefix(base + ".") }) {
            number += 1
            base = "\(start)-\(number)"
        }
        return base
    }

    private static func write(
        _ json: CanonicalJSON, _ name: String, in quarantine: ContainerFolder
    ) throws(ContainerError) {
        var file = try AtomicFile(in: quarantine, name: name, replacing: true)
        try file.write(Array("\(json.text)\n".utf8))
        try file.commit()
    }

    /// Whether an undo may need what was set aside under a name.
    private func isNeeded(_ name: String) -> Bool {
        needed?.contains(name)
            ?? CommandReason.allCases.contains { name.contains("Z-\($0.rawValue)") }
    }

    /// Removes the oldest stores while there are too many or they are too large, and keeps what an
    /// undo needs.
    private func prune(_ quarantine: ContainerFolder, keeping base: String) throws(ContainerError) {
        var sets: [String: (size: Int64, names: [String])] = [:]
        for entry in try quarantine.entries() where entry.status.kind == .regular {
            guard let range = entry.name.utf8.firstIndex(of: 0x5A),
                let dot = entry.name[range...].utf8.firstIndex(of: 0x2E)
            else {
                continue
            }
            let name = String(entry.name[..<dot])
            sets[name, default: (0, [])].size += max(entry.status.size, 0)
            sets[name, default: (0, [])].names.append(entry.name)
        }
        var total = sets.values.reduce(0) { $0 + $1.size }
        var count = sets.count
        for (name, set) in sets.sorted(by: { $0.key.precedes($1.key) })
        where name != base && !isNeeded(name) {
            guard total > Self.capacity || count > Self.countCapacity else {
                return
            }
            for file in set.names {
                try quarantine.remove(file)
            }
            total -= set.size
            count -= 1
        }
    }
}

/// Points in time as parts of file names, sorted by time.
package enum CompactTime {
    /// `20260101T120000.000Z`, in UTC; far from our days the milliseconds themselves.
    package static func text(_ time: Int64) -> String {
        guard (0..<253_402_300_800_000).contains(time) else {
            return "T\(time)Z"
        }
        let (days, inDay) = time.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = ISO8601.civil(fromDays: days)
        let parts = [month, day, inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1_000 % 60]
            .map { String($0, digits: 2) }
        return String(year, digits: 4) + parts[..<2].joined() + "T" + parts[2...].joined()
            + ".\(String(inDay % 1_000, digits: 3))Z"
    }
}
