import SceneStore
import SceneStoreExchange

/// One session as a page for people.
struct SessionPage {
    private let details: SessionDetails
    private let context: CommandContext
    private let now: Int64
    private let path: String

    /// - Parameter path: Where the store is.
    init(_ details: SessionDetails, _ context: CommandContext, at path: String) {
        self.details = details
        self.path = path
        self.context = context
        now = context.clock.now()
    }

    func write() throws {
        let record = details.record
        let session = details.session
        try line("Session", "\(record.identifier, .bold)")
        if let title = details.title {
            try line("Title", "\(title)")
        }
        try writeState()
        try writeConfiguration(session.configuration)
        try line(
            "Created",
            "\(age(record.createdAt)), active \(age(record.lastActiveAt))"
                + ((record.savedAt ?? details.history.first?.context.savedAt).map {
                    ", saved \(age($0))"
                } ?? (hasLostStates ? "" : ", never saved")))
        for (index, text) in (details.places?.lines(at: now) ?? []).enumerated() {
            try line(index == 0 ? "Placement" : "", text)
        }
        let conditions = session.activationConditions
        try line(
            "Conditions",
            conditions.words)
        try writeHistory()
        var tree = ValueTree(width: context.terminal.width)
        if let value = session.presentedValue {
            tree.add("presentedValue", value)
        }
        tree.add("userInfo", .dictionary(session.userInfo))
        tree.add("storage", .dictionary(ValueDictionary(details.storage)))
        if let activity = session.stateRestorationActivity {
            tree.add("activity", .dictionary(activity.tree.filter { $0.value.isSet }))
        } else {
            tree.addNote("activity", "no current state")
        }
        for line in tree.lines {
            try context.output.line(line)
        }
    }

    private func age(_ time: Int64) -> String {
        TimeText.relative(time, to: now)
    }

    private var hasLostStates: Bool { details.verdict.restorationReason == LostStates.reason }

    private func line(_ name: String, _ text: String) throws {
        try line(name, TerminalText(text))
    }

    private func line(_ name: String, _ text: TerminalText) throws {
        try context.output.labelled(name, text)
    }

    private func writeState() throws {
        let record = details.record
        var marks = [details.state.rawValue]
        if record.isFront {
            marks.append(details.state == .connected ? "in front" : "was in front")
        }
        if record.isPinned {
            marks.append("pinned")
        }
        if record.privacy != .standard {
            marks.append(record.privacy.rawValue)
        }
        if let closed = details.closed {
            marks.append("closed \(age(closed.closedAt)) (\(closed.cause.rawValue))")
        }
        try line("State", marks.joined(separator: ", "))
        if let text = context.privacyText(record, at: path) {
            try line("Private", text)
        }
        guard record.isOpen else {
            return
        }
        let verdict = details.verdict
        try line("Outcome", "\(verdict.outcome): \(verdict.reason)")
        try line(
            "Restoration", "\(verdict.restores): \(verdict.restorationReason)")
    }

    private func writeConfiguration(_ configuration: SceneConfiguration) throws {
        let origin =
            switch configuration.resolution {
            case .application: "made by the app"
            case .manifest: "from the manifest"
            case .unresolved: "which the manifest does not have"
            }
        try line("Configuration", "\(configuration.name ?? "without a name"), \(origin)")
        try line("Role", configuration.role.rawValue)
        let parts = [
            ("delegate", configuration.delegateClassName),
            ("scene class", configuration.sceneClassName),
            ("storyboard", configuration.storyboardName),
            ("immersion style", configuration.initialImmersionStyle),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }
        if !parts.isEmpty {
            try line("Made of", parts.joined(separator: ", "))
        }
    }

    private func writeHistory() throws {
        let history = details.history
        guard let oldest = history.last else {
            try line(
                "History",
                hasLostStates ? "what was saved was lost in a salvage" : "no state was saved")
            return
        }
        let bytes = history.reduce(0) { $0 &+ Int64($1.byteCount) }
        var text = NumberText.counted(history.count, "state") + ", \(NumberText.bytes(bytes))"
        text += ", the oldest \(age(oldest.context.savedAt))"
        if let context = history.first(where: \.isCurrent)?.context {
            let versions = [
                context.appVersion.map { "app \($0)" },
                context.systemVersion.map { "system \($0)" },
                context.idiom,
            ].compactMap(\.self)
            if !versions.isEmpty {
                text += "; saved under " + versions.joined(separator: ", ")
            }
        }
        try line("History", text)
    }
}

extension CommandContext {
    /// Whether a private window comes back.
    static func privateReturn(_ isRemembered: Bool) -> String {
        isRemembered
            ? "it comes back empty, because the app remembers private windows"
            : "the app doesn't bring it back"
    }

    /// What is stored of a private window, and what removes it; nil of any other.
    func privacyText(_ record: SessionRecord, at path: String) -> String? {
        guard record.privacy == .ephemeral, record.isOpen else {
            return nil
        }
        let forget = advice(
            "forget \(Self.quoted(record.identifier)) --no-backup", at: path)
        return "its title, text and state are never stored, only its kind, place and times; "
            + "\(Self.privateReturn(record.isRestorationEnabled)); \(forget) removes it; the journal and operations/ keep that it was there, and when"
    }
}

extension Output {
    /// Writes a line that begins with a name, all such lines of a page alike.
    func labelled(_ name: String, _ text: TerminalText) throws(OutputError) {
        let padding = String(repeating: " ", count: max(1, 15 - name.utf8.count))
        var line = TerminalText(verbatim: name + padding, .bold)
        line.append(text)
        try prose(line, indent: 15)
    }
}

extension ScenePlacement {
    /// The placement in a line.
    fileprivate var text: String {
        var text = frameText
        // Each window's place is stored at a time of its own.
        text +=
            ", \(windowState.rawValue), "
            + (stackingOrder == 0 ? "in front then" : "\(stackingOrder) from the front then")
        if let parent {
            text += ", belongs to \(parent.rawValue)"
        }
        if let tabIndex {
            text += ", tab \(tabIndex)" + (isSelectedTab ? ", selected" : "")
        }
        return text
    }
}

extension ScenePlacement {
    /// Its size and place, and on which display.
    fileprivate var frameText: String {
        func text(_ number: Double) -> String {
            Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        }
        var words = "\(text(width)) × \(text(height))"
        if let x, let y {
            words += " at \(text(x)), \(text(y))"
        }
        return words + (display.map { " on \($0)" } ?? "")
    }
}

/// Where a window was last, and where on other arrangements of displays (L-49).
struct StoredPlaces {
    let memory: PlacementMemory
    /// When the last place was stored, as far as the journal knows.
    private let storedAt: Int64?

    init?(_ record: SessionRecord, in store: SceneSessionStore) throws {
        guard let memory = try store.values.placements(key: record.key) else {
            return nil
        }
        self.memory = memory
        storedAt = try store.journal.events(session: record.identifier, limit: 1_000).first {
            $0.kind == .change && $0.detail == "placement"
        }?.happenedAt
    }

    /// The last place, then the others.
    func lines(at now: Int64) -> [String] {
        let last = memory.placement
        let others = memory.arranged.map(\.placement.frameText).filter { $0 != last.frameText }
        let age = storedAt.map { TimeText.dated($0, at: now) }
        return [
            last.text + (age.map { "; stored \($0), and the app reported no move since" } ?? "")
        ]
            + others.map { "kept for other displays: \($0)" }
            + (others.isEmpty
                ? []
                : [
                    "taken only with displays of the same names; a dock may give a monitor another, "
                        + "and then the first line counts"
                ])
    }
}

extension Value {
    /// Whether it says more than that nothing is there.
    fileprivate var isSet: Bool {
        switch self {
        case .null: false
        case .array(let values): !values.isEmpty
        case .set(let values): !values.isEmpty
        default: true
        }
    }
}
