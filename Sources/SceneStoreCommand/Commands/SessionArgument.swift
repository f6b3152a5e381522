import SceneStore
import SceneStoreExchange

/// What a person may write for a session: its identifier, the beginning of it, `@last`,
/// `@foreground`.
struct SessionArgument {
    /// Fewer characters of an identifier say too little.
    static let minimumPrefix = 4

    let word: String

    init(_ word: String) {
        self.word = word
    }

    /// The session that the word names, open or recently closed.
    ///
    /// No such session answers no; a word that could mean several is wrong usage, and the error
    /// names some of them.
    func resolve(in store: SceneSessionStore) throws -> SessionRecord {
        switch word {
        case "@last":
            guard let record = try store.mostRecentRecord() else {
                throw CommandError(.answeredNo, "no session is open")
            }
            return record
        case "@foreground":
            guard let record = try store.frontRecords().first else {
                throw CommandError(
                    .answeredNo, "no session is in the foreground",
                    hint: "@last is the one that was active last")
            }
            return record
        default: break
        }
        guard !word.hasPrefix("@") else {
            throw CommandError.usage(
                "a session is no \(word.quotedForError)",
                hint: "write an identifier, the beginning of one, @last or @foreground")
        }
        if !word.isEmpty, let record = try store.record(identifier: word) {
            return record
        }
        guard word.count >= Self.minimumPrefix else {
            throw CommandError.usage(
                "\(word.quotedForError) is too short for a session",
                hint: "write at least \(Self.minimumPrefix) characters of its identifier")
        }
        let all = try store.openRecords() + store.recentlyClosed().map(\.record)
        var found = all.filter { $0.identifier.utf8.starts(with: word.utf8) }
        if found.isEmpty {
            let folded = Array(word.utf8.map(Self.folded))
            found = all.filter {
                $0.identifier.utf8.lazy.map(Self.folded).starts(with: folded)
            }
        }
        guard let record = found.first else {
            throw CommandError(
                .answeredNo, "no session \(word.quotedForError)",
                hint:
                    "'scenestore sessions --all' lists the sessions, 'scenestore log' those of the past"
            )
        }
        guard found.count == 1 else {
            let names = found.prefix(3).map(\.identifier).joined(separator: ", ")
            throw CommandError.usage(
                "\(word.quotedForError) could be \(found.count) sessions",
                hint: "write more of it: \(names)\(found.count > 3 ? ", …" : "")")
        }
        return record
    }

    /// A letter without its case; identifiers are most often hexadecimal.
    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    /// The beginning of an identifier.
    static func shortened(_ identifier: String, to length: Int) -> String {
        length < identifier.utf8.count
            ? String(decoding: identifier.utf8.prefix(length), as: UTF8.self) : identifier
    }

    /// How many characters of identifiers tell them apart, at least eight.
    static func shortLength(of records: [SessionRecord]) -> Int {
        for length in [8, 13, 18, 23] {
            var seen: Set<[UInt8]> = []
            seen.reserveCapacity(records.count)
            let isUnique = records.allSatisfy { record in
                seen.insert(Array(record.identifier.utf8.prefix(length))).inserted
            }
            if isUnique {
                return length
            }
        }
        return Int.max
    }
}

extension CompletionSource {
    /// The sessions of the store that the line names, most recently active first.
    static let sessions = CompletionSource(name: "sessions") { request, context in
        let store = try context.openStore(at: request.storePath)
        defer { try? store.close() }
        // A shell shows a screen of candidates at most; more would only slow the prompt down.
        let records = try store.openRecords().lazy
            .filter { $0.identifier.utf8.starts(with: request.prefix.utf8) }.prefix(100)
        let found = Array(records)
        let labels = try store.labels(of: found[...])
        return zip(found, labels).map { record, label in
            let name = label.title ?? label.activityType ?? record.configuration.name ?? ""
            let age = TimeText.relative(record.lastActiveAt, to: context.clock.now())
            return CompletionCandidate(
                word: record.identifier,
                explanation: name.isEmpty ? "active \(age)" : "\(name), active \(age)")
        }
    }
}
