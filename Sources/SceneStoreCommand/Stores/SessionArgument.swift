import SceneStore
import SceneStoreExchange

/// What a person may write for a session: `@last`, `@foreground`, its identifier or the beginning
/// of one, its title or a part of it; `id:` and `title:` force a reading.
struct SessionArgument {
    /// Fewer characters of an identifier say too little.
    static let minimumPrefix = 4

    /// How a word names a session.
    enum Way {
        case word
        case identifier
        case beginning
        case title
        case partOfTitle
        /// No window has it any more.
        case formerTitle
    }

    let word: String
    /// Whether errors may name sessions by their titles.
    let showsTitles: Bool

    init(_ word: String, showsTitles: Bool = false) {
        self.word = word
        self.showsTitles = showsTitles
    }

    /// The session that the word names, open or recently closed.
    func resolve(in store: SceneSessionStore) throws -> SessionRecord {
        try find(in: store).record
    }

    /// The session that the word names, and how.
    ///
    /// No such session exits with 3. A word that could mean several is wrong usage, and the error
    /// lists them.
    func find(in store: SceneSessionStore) throws -> (record: SessionRecord, way: Way) {
        switch word {
        case "@last":
            guard let record = try store.mostRecentRecord() else {
                throw CommandError(.noStore, "no session is open")
            }
            return (record, .word)
        case "@foreground":
            guard let record = try store.frontRecords().first else {
                throw CommandError(
                    .noStore, "no session is in the foreground",
                    hint: "@last is the session that was active last")
            }
            return (record, .word)
        default: break
        }
        guard !word.hasPrefix("@") else {
            throw CommandError.usage(
                "\(word.quotedForError) is not a session",
                hint: "write a title, an identifier, the beginning of one, @last or @foreground")
        }
        if let text = rest(after: "id:") {
            return try only(try identified(by: text, in: store), title: nil, in: store)
        }
        if let text = rest(after: "title:") {
            return try only(try titled(text, in: store), title: text, in: store)
        }
        if word.utf8.count >= 32, let record = try store.record(identifier: word) {
            // No title holds a whole identifier.
            return (record, .identifier)
        }
        let byIdentifier = try identified(by: word, in: store)
        let known = Set(byIdentifier.map(\.record.key))
        let byTitle = try titled(word, in: store).filter { !known.contains($0.record.key) }
        return try only(byIdentifier + byTitle, title: word, in: store)
    }

    private func rest(after prefix: String) -> String? {
        word.utf8.starts(with: prefix.utf8)
            ? String(decoding: word.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }

    private typealias Match = (record: SessionRecord, way: Way)

    private func only(
        _ found: [Match], title: String?, in store: SceneSessionStore
    ) throws -> Match {
        guard let first = found.first else {
            let former = try title.map { try Self.former($0, in: store) } ?? []
            if former.count == 1 {
                return (former[0], .formerTitle)
            }
            let earlier = former.map(\.identifier)
            let hint =
                !earlier.isEmpty
                ? "an earlier state of \(earlier.listed(with: "and")) has that title"
                : word.count < Self.minimumPrefix
                    ? "an identifier needs at least \(Self.minimumPrefix) characters"
                    // Whoever knows the store's path says what lists them.
                    : nil
            throw CommandError(.noStore, "no session \(word.quotedForError)", hint: hint)
        }
        guard found.count == 1 else {
            let names = try store.names(of: found.prefix(5).map(\.record))
            let lines = zip(found, names).map {
                "\($0.record.identifier) (\(showsTitles ? $1.quoted : $1.fallback))"
            }
            throw CommandError.usage(
                "\(word.quotedForError) could be \(found.count) sessions",
                hint: lines.joined(separator: ", ") + (found.count > 5 ? ", …" : "")
                    + "; id: and title: force a reading")
        }
        return first
    }

    private static func all(in store: SceneSessionStore) throws -> [SessionRecord] {
        Array(try store.openRecords()) + (try store.discards.recentlyClosed().map(\.record))
    }

    /// The sessions of which only an earlier state has a title, or else a title with it in it, at most
    /// five; only the sessions that were used last are looked through.
    static func former(_ text: String, in store: SceneSessionStore) throws -> [SessionRecord] {
        let wanted = text.lowercased()
        var (whole, part): ([SessionRecord], [SessionRecord]) = ([], [])
        for record in try all(in: store).prefix(1_000)
        where record.privacy == .standard && whole.count < 5 && !wanted.isEmpty {
            let titles = try store.history.versions(key: record.key).compactMap { version in
                try store.history.state(key: record.key, generation: version.generation)?.title?
                    .lowercased()
            }
            if titles.contains(wanted) {
                whole.append(record)
            } else if titles.contains(where: { $0.containsBytes(of: wanted) }) {
                part.append(record)
            }
        }
        return whole.isEmpty ? Array(part.prefix(5)) : whole
    }

    private func identified(by text: String, in store: SceneSessionStore) throws -> [Match] {
        if !text.isEmpty, let record = try store.record(identifier: text) {
            return [(record, .identifier)]
        }
        guard text.count >= Self.minimumPrefix else {
            return []
        }
        let all = try Self.all(in: store)
        var found = all.filter { $0.identifier.utf8.starts(with: text.utf8) }
        if found.isEmpty {
            let folded = Array(text.utf8.map(Self.folded))
            found = all.filter {
                $0.identifier.utf8.lazy.map(Self.folded).starts(with: folded)
            }
        }
        return found.map { ($0, .beginning) }
    }

    /// Titles of sessions that are marked private are no names.
    private func titled(_ text: String, in store: SceneSessionStore) throws -> [Match] {
        guard !text.isEmpty else {
            return []
        }
        let all = try Self.all(in: store)
        let wanted = text.lowercased()
        let titles = try store.names(of: all).map { $0.title?.lowercased() }
        let whole = zip(all, titles).filter { $0.1 == wanted }
        guard whole.isEmpty else {
            return whole.map { ($0.0, .title) }
        }
        return zip(all, titles).filter { $0.1?.containsBytes(of: wanted) ?? false }
            .map { ($0.0, .partOfTitle) }
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

extension String {
    /// Whether the bytes of a text stand in this one.
    func containsBytes(of text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard !wanted.isEmpty else {
            return true
        }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: wanted[0]) {
            rest = rest[start...]
            if rest.starts(with: wanted) {
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }
}

extension CompletionSource {
    /// The sessions of the store that the line names, most recently active first: by title and by
    /// identifier, or by one of them as long as nothing is typed. What `reopen` takes are closed and
    /// parked ones, and what `release` takes are held ones.
    static let sessions = CompletionSource(name: "sessions") { request, context in
        let store = try context.openStore(at: request.storePath)
        defer { try? store.close() }
        var all = Array(try store.openRecords())
        if request.words.contains("reopen") {
            all =
                try store.discards.recentlyClosed().map(\.record)
                + all.filter { $0.parkedCause != nil }
        }
        if request.words.contains("release") {
            all.removeAll { !$0.isHeldByHand && $0.crashCount == 0 }
        }
        guard !request.words.contains("checkout") else {
            return try generations(of: all, request.prefix, in: store, context)
        }
        let (word, isTitle, isIdentifier) = reading(of: request.prefix)
        var candidates: [CompletionCandidate] = []
        // A prompt doesn't wait for the titles of all windows of a huge store.
        let latest = isIdentifier ? [] : all.prefix(1_000)
        for (record, name) in zip(latest, try store.names(of: latest)) {
            guard let title = name.title, SessionArgument.isTyped(title),
                title.lowercased().hasPrefix(word.lowercased())
            else {
                continue
            }
            let isForced = isTitle || SessionArgument.needsForce(title)
            let identifier = SessionArgument.shortened(record.identifier, to: 8)
            candidates.append(
                CompletionCandidate(
                    word: (isForced ? "title:" : "") + title,
                    explanation: "\(identifier), \(age(record, context))"))
        }
        guard !isTitle else {
            return candidates
        }
        // A shell shows a screen of candidates at most.
        let found = Array(
            all.lazy.filter { $0.identifier.utf8.starts(with: word.utf8) }.prefix(100))
        for (record, name) in zip(found, try store.names(of: found)) {
            if word.isEmpty, let title = name.title, SessionArgument.isTyped(title) {
                // It stands there by its title.
                continue
            }
            let title = name.title ?? record.configuration.name ?? name.fallback
            candidates.append(
                CompletionCandidate(
                    word: (isIdentifier ? "id:" : "") + record.identifier,
                    explanation: "\(title), \(age(record, context))"))
        }
        return candidates
    }

    /// `SESSION@G` for every earlier state of the session that is typed, else for the newest earlier
    /// one of each session.
    private static func generations(
        of all: [SessionRecord], _ prefix: String, in store: SceneSessionStore,
        _ context: CommandContext
    ) throws -> [CompletionCandidate] {
        let latest = all.prefix(100)
        let typed = prefix.lowercased()
        var found: [(record: SessionRecord, word: String, title: String)] = []
        for word in ["@last", "@foreground"] where typed.hasPrefix("\(word)@") {
            let record = try SessionArgument(word).resolve(in: store)
            found.append((record, word, try store.name(of: record).text))
        }
        for (record, name) in zip(latest, try store.names(of: latest)) {
            let title = name.title.flatMap {
                SessionArgument.isTyped($0) && !SessionArgument.needsForce($0) ? $0 : nil
            }
            let words = [title, record.identifier].compactMap { $0 }
            if let word = words.first(where: { "\($0)@".lowercased().hasPrefix(typed) })
                ?? words.first(where: { typed.hasPrefix("\($0)@".lowercased()) })
            {
                found.append((record, word, name.text))
            }
        }
        return try found.flatMap { record, word, title in
            let earlier = try store.history.versions(key: record.key).filter { !$0.isCurrent }
            return earlier.prefix(found.count == 1 ? 256 : 1).map { version in
                let time = TimeText.relative(version.context.savedAt, to: context.clock.now())
                return CompletionCandidate(
                    word: "\(word)@\(version.generation)", explanation: "\(title), saved \(time)")
            }
        }
    }

    /// The key paths of the session that the line names before the option, as `show --key` takes them.
    static let keys = CompletionSource(name: "keys") { request, context in
        var words = request.words.dropLast()
        if request.words.last?.hasPrefix("--key=") != true {
            words = words.dropLast()
        }
        guard let name = words.last, let command = words.firstIndex(of: "show"),
            command < words.endIndex - 1, !name.hasPrefix("-")
        else {
            return []
        }
        let store = try context.openStore(at: request.storePath)
        defer { try? store.close() }
        let record = try SessionArgument(name).resolve(in: store)
        guard record.privacy == .standard else {
            return []
        }
        let tree = try SessionDetails(record, in: store).tree
        return KeyPath.all(in: .dictionary(tree)).prefix(1_000).map {
            CompletionCandidate(word: $0, explanation: "")
        }
    }

    private static func age(_ record: SessionRecord, _ context: CommandContext) -> String {
        "active \(TimeText.relative(record.lastActiveAt, to: context.clock.now()))"
    }

    /// What is typed, and whether `title:` or `id:` before it forces a reading.
    private static func reading(
        of prefix: String
    ) -> (word: String, isTitle: Bool, isIdentifier: Bool) {
        if prefix.hasPrefix("title:") {
            (String(prefix.dropFirst(6)), true, false)
        } else if prefix.hasPrefix("id:") {
            (String(prefix.dropFirst(3)), false, true)
        } else {
            (prefix, false, false)
        }
    }
}

extension SessionArgument {
    /// Whether a title can be put on a line as it is: nothing in it is shown in another way.
    static func isTyped(_ title: String) -> Bool {
        TextEscaping.terminal(title) == title
    }

    /// Whether a title alone would be read as something else.
    static func needsForce(_ title: String) -> Bool {
        ["@", "-", "id:", "title:"].contains { title.hasPrefix($0) }
    }
}
