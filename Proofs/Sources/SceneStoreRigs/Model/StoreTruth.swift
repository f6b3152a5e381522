import SceneStore

/// What one session holds, as numbers from which its whole content follows.
struct SessionTruth: Hashable, Sendable {
    /// Which state was saved last, or nil.
    var state: Int64?
    /// Which user info it has.
    var info: Int64 = 0
    /// Which title, or nil.
    var title: Int64?
    /// Which value of its scene storage, or nil.
    var storage: Int64?
    var isFront = false
}

/// All that a store holds, as far as the rigs look.
struct StoreTruth: Hashable, Sendable {
    var open: [String: SessionTruth] = [:]
    var closed: [String: SessionTruth] = [:]
    /// Discards of which the app has not been told for good.
    var pending: Set<String> = []

    /// A value that no save ever wrote.
    struct Wrong: Error, CustomStringConvertible {
        var description: String
    }

    // MARK: - What numbers stand for

    static let configuration = SceneConfiguration(name: "Main", role: .windowApplication)

    /// A state: its bytes follow from the session and the number, and no two are equal.
    static func activity(_ identifier: String, _ number: Int64) -> UserActivity {
        var activity = UserActivity(checkedType: "com.example.edit.\(number % 3)")
        activity.userInfo = [
            "number": .integer(number),
            "session": .string(identifier),
            "text": .string(text(number)),
        ]
        activity.title = "state \(number)"
        activity.needsSave = false
        return activity
    }

    /// Mostly short, at times several pages, so that transactions differ in their frames.
    private static func text(_ number: Int64) -> String {
        let sizes = [20, 300, 1_500, 40, 5_000, 700, 90, 13_000]
        let size = sizes[Int(truncatingIfNeeded: number.magnitude % UInt64(sizes.count))]
        let letter = UInt8(ascii: "a") + UInt8(truncatingIfNeeded: number.magnitude % 26)
        return "\(number):"
            + String(decoding: [UInt8](repeating: letter, count: size), as: UTF8.self)
    }

    static func info(_ identifier: String, _ number: Int64) -> ValueDictionary {
        number == 0
            ? [:]
            : ["info": .integer(number), "of": .string(identifier), "more": .string(text(number))]
    }

    static func title(_ number: Int64) -> String { "title \(number)" }

    static let storageKey = "selection"

    // MARK: - Reading

    /// Everything in a store; throws when a value is none that was ever saved.
    static func read(_ store: SceneSessionStore) throws -> StoreTruth {
        var truth = StoreTruth()
        for record in try store.openRecords() {
            truth.open[record.identifier] = try session(record, store)
        }
        for closed in try store.discards.recentlyClosed() {
            truth.closed[closed.record.identifier] = try session(closed.record, store)
        }
        truth.pending = Set(try store.discards.pending().map(\.identifier.rawValue))
        return truth
    }

    /// One session.
    static func session(
        _ record: SessionRecord, _ store: SceneSessionStore
    ) throws -> SessionTruth {
        let session = try store.session(for: record)
        let identifier = record.identifier
        guard session.id == record.id else {
            throw Wrong(description: "a session answers to two identifiers")
        }
        var truth = SessionTruth()
        truth.isFront = record.isFront
        truth.state = try number(session.stateRestorationActivity, of: identifier)
        if !session.userInfo.isEmpty {
            guard case .integer(let number)? = session.userInfo["info"],
                session.userInfo == info(identifier, number)
            else {
                throw Wrong(description: "the user info of \(identifier) was never set")
            }
            truth.info = number
        }
        if let text = session.title {
            guard let number = Int64(text.dropFirst("title ".count)), title(number) == text else {
                throw Wrong(description: "the title of \(identifier) was never set")
            }
            truth.title = number
        }
        if let value = try store.values.storageValue(key: record.key, name: storageKey) {
            guard case .integer(let number) = value else {
                throw Wrong(description: "the scene storage of \(identifier) was never set")
            }
            truth.storage = number
        }
        return truth
    }

    /// Which state an activity is.
    static func number(
        _ activity: UserActivity?, of identifier: String
    ) throws -> Int64? {
        guard var activity else {
            return nil
        }
        activity.needsSave = false
        guard case .integer(let number)? = activity.userInfo["number"],
            activity == Self.activity(identifier, number)
        else {
            throw Wrong(description: "the state of \(identifier) was never saved")
        }
        return number
    }

    /// Whether everything that is there is as another truth has it.
    func isPart(of truth: StoreTruth) -> Bool {
        pending.isSubset(of: truth.pending)
            && Self.isPart(open, of: truth.open) && Self.isPart(closed, of: truth.closed)
    }

    private static func isPart(
        _ found: [String: SessionTruth], of truth: [String: SessionTruth]
    ) -> Bool {
        found.allSatisfy { identifier, session in
            guard let known = truth[identifier], session.isFront == known.isFront else {
                return false
            }
            return (session.state == nil || session.state == known.state)
                && (session.info == 0 || session.info == known.info)
                && (session.title == nil || session.title == known.title)
                && (session.storage == nil || session.storage == known.storage)
        }
    }

    /// How two truths differ, for people.
    func difference(from other: StoreTruth) -> String {
        var parts: [String] = []
        for (name, mine, theirs) in [("open", open, other.open), ("closed", closed, other.closed)] {
            for identifier in Set(mine.keys).union(theirs.keys).sorted()
            where mine[identifier] != theirs[identifier] {
                let left = mine[identifier].map { "\($0)" } ?? "nothing"
                let right = theirs[identifier].map { "\($0)" } ?? "nothing"
                parts.append("\(name) \(identifier): \(left) instead of \(right)")
            }
        }
        if pending != other.pending {
            parts.append("pending \(pending.sorted()) instead of \(other.pending.sorted())")
        }
        return parts.joined(separator: "; ")
    }
}

extension SceneSessionStore {
    /// Saves states by their numbers.
    @discardableResult
    func save(
        _ states: [(record: SessionRecord, number: Int64?)], marks: [MarkChange] = [],
        savedAt: Int64 = 0, durability: Durability = .full
    ) throws(SceneStoreError) -> [Int64] {
        try save(
            states.map { record, number in
                StateToSave(
                    key: record.key,
                    activity: number.map { StoreTruth.activity(record.identifier, $0) })
            }, marks: marks,
            context: SaveContext(appVersion: "1.0", systemVersion: "6", savedAt: savedAt),
            durability: durability)
    }

    /// Looks at every row; what it finds, and what was found at opening.
    func findings() throws(SceneStoreError) -> [Diagnostic] {
        while try !upkeep.verifyRows(budgetMilliseconds: 600_000) {}
        return openingDiagnostics + takeDiagnostics()
    }
}
