import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

/// What people call a window, by one rule everywhere: the scene's title, else its activity's, else
/// its configuration and the beginning of its identifier.
///
/// A session that is marked private has no title here. Titles are for people: prompts and messages
/// show them on a terminal only, never in a file or a log; see ``CommandContext/spoken(_:)``.
struct SessionName: Hashable {
    /// The scene's or the activity's title; nil when it has none, or must not be shown.
    let title: String?
    /// The configuration's name, else the role's last word, and the beginning of the identifier.
    let fallback: String

    init(_ record: SessionRecord, title: String?, shortLength: Int = 8) {
        self.title = record.privacy == .standard ? title : nil
        let configuration =
            record.configuration.name ?? RoleName.short(for: record.configuration.role)
        fallback =
            "\(configuration) \(SessionArgument.shortened(record.identifier, to: shortLength))"
    }

    /// The name without quotes, for tables.
    var text: String { title ?? fallback }

    /// The name in a sentence: a title in quotes.
    var quoted: String { title.map { "\"\(DisplayWidth.truncated($0, to: 60))\"" } ?? fallback }
}

extension CommandContext {
    /// A name in a sentence on standard error: without the title unless a person reads it.
    func spoken(_ name: SessionName) -> String {
        terminal.isErrorTerminal ? name.quoted : name.fallback
    }
}

/// Names of sessions by identifier, each read once.
struct SessionNames {
    private let store: SceneSessionStore
    private var known: [String: SessionName?] = [:]

    init(_ store: SceneSessionStore) {
        self.store = store
    }

    /// Returns the name of a session; nil if the store has no readable row of it.
    mutating func name(of identifier: String) throws -> SessionName? {
        if let name = known[identifier] {
            return name
        }
        let name = try store.name(of: identifier)
        known.updateValue(name, forKey: identifier)
        return name
    }
}

extension SceneSessionStore {
    /// Returns the name of a session; nil if the store has no readable row of it.
    func name(of identifier: String) throws -> SessionName? {
        let found: SessionRecord?
        do throws(SceneStoreError) {
            found = try record(identifier: identifier)
        } catch {
            guard error.code == .damagedRow else {
                throw error
            }
            // It is a finding of its own; the rest still needs names.
            return nil
        }
        return try found.map { try name(of: $0) }
    }

    /// What a session is called.
    func name(of record: SessionRecord) throws -> SessionName {
        try names(of: [record])[0]
    }

    /// What sessions are called, in their order. Reads the states only of those whose scene has no
    /// title.
    func names(of records: some Collection<SessionRecord>) throws -> [SessionName] {
        let records = Array(records)
        let labels = try SessionLabel.labels(of: records[...], in: self)
        return try zip(records, labels).map { record, label in
            try name(of: record, label)
        }
    }

    /// What a session with a label is called.
    func name(of record: SessionRecord, _ label: SessionLabel) throws -> SessionName {
        guard record.privacy == .standard else {
            return SessionName(record, title: nil)
        }
        if let title = label.title, !title.isEmpty {
            return SessionName(record, title: title)
        }
        guard label.activityType != nil else {
            return SessionName(record, title: nil)
        }
        let title: String?
        do throws(SceneStoreError) {
            title = try restorationActivity(key: record.key)?.title
        } catch {
            // A damaged state is told of elsewhere; the window still needs a name.
            title = nil
        }
        return SessionName(record, title: title.flatMap { $0.isEmpty ? nil : $0 })
    }
}
