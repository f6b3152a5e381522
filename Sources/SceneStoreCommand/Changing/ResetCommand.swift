import SceneStore
import SceneStoreExchange

enum ResetCommand {
    /// `reset`.
    static let command = Command(
        CommandDescription(
            name: "reset", group: .keepSafe,
            summary: "Empty the store, as if the app had been deleted and installed again",
            discussion: """
                Removes all sessions (open and recently closed), states, payloads and saved \
                activities in one step. The next launch is a first launch. A backup is made first; \
                'undo' brings everything back while that backup is there.

                --erase also removes every backup, set-aside file and operation, and leaves no \
                byte of the content in the store's files. It can't be undone. Files in the \
                container that aren't the store's stay, such as a backup that you made there, and \
                are listed. A damaged store is erased, too, also if it doesn't open; what it held \
                is not listed then.
                """,
            options: [
                .flag("erase", "Erase the content from all files; can't be undone")
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("reset --dry-run", "What would be lost"),
                ExampleDescription("reset --yes", "Empties the store after a backup"),
                ExampleDescription(
                    "reset --erase --yes", "Before a device is handed to somebody else"),
            ])
    ) { invocation, context in
        guard invocation.flag("erase") else {
            return try reset(invocation, context) {}
        }
        if let damage = try context.damageOfUnopened(invocation) {
            return try context.eraseUnread(damage, invocation)
        }
        var hasBegun = false
        do {
            return try reset(invocation, context) { hasBegun = true }
        } catch let error as SceneStoreError where error.code == .corrupt {
            // A page that only the erasure came to.
            return try context.eraseUnread(error, invocation)
        } catch let error as SceneStoreError where error.code == .diskFull && !hasBegun {
            // No room to read or open the store: what is erased first makes some.
            return try context.eraseUnread(error, invocation)
        }
    }

    private static func reset(
        _ invocation: Invocation, _ context: CommandContext, begin: () -> Void
    ) throws -> ExitStatus {
        let erases = invocation.flag("erase")
        return try context.edit(invocation, reason: "reset", isUndoable: !erases) { store in
            ResetPlan(
                open: try EditedSession.allOpen(in: store),
                closed: try store.discards.recentlyClosed().count,
                activities: try store.savedActivities().count,
                settings: try store.settings().count,
                payloads: try store.inbox.pending().count,
                backups: erases ? try store.backups().count : 0,
                left: erases ? try ContainerExamination(of: store.location).unerased : [])
        } show: { plan in
            try context.say(
                "reset", "would remove \(plan.text(at: context.clock.now()))", isDone: false,
                plan.members, invocation)
            if let text = plan.leftText {
                try context.note(text)
            }
        } question: { plan in
            guard erases || !plan.isEmpty else {
                try context.note("the store is empty; nothing to do")
                return nil
            }
            let text = plan.text(at: context.clock.now())
            guard erases else {
                return "Reset the store? It loses \(text)."
            }
            let left: TerminalText =
                plan.left.isEmpty
                ? ""
                : "Files that aren't the store's stay (\(plan.left.listed(with: "and"))). "
            return
                "\(left)Erase the store and every backup of it? It loses \(text). This can't be undone."
        } act: { store, plan in
            begin()
            if erases {
                try store.erase()
            } else {
                try store.reset()
            }
            let verb: TerminalText = erases ? "erased" : "removed"
            try context.say(
                "reset", "\(verb) \(plan.text(at: context.clock.now()))", plan.members,
                invocation)
            guard !erases else {
                return try context.note(
                    plan.leftText
                        ?? ResetPlan.nothingLeft)
            }
            let left = try StoreOperations.folders(at: store.location)
            if !left.isEmpty {
                let advice = context.advice("reset --erase", at: context.storePath(invocation))
                try context.note(
                    "left: \(left.listed(with: "and")), until they are too old; \(advice) removes them"
                )
            }
        }
    }
}

extension CommandContext {
    /// Why the store doesn't open, if that is damage.
    fileprivate func damageOfUnopened(_ invocation: Invocation) throws -> SceneStoreError? {
        try finishInterrupted(invocation)
        return try StoreErasure.damage(at: .container(path: storePath(invocation)))
    }

    /// Erases a damaged store, and says that the loss is not listed.
    fileprivate func eraseUnread(
        _ damage: SceneStoreError, _ invocation: Invocation
    ) throws -> ExitStatus {
        let location = SceneSessionStore.Location.container(path: storePath(invocation))
        let found = try ContainerExamination(of: location)
        if case .running(let process) = found.owner {
            try refuseOwned((true, process), invocation)
        }
        let what: TerminalText = damage.code == .diskFull ? "can't be opened" : "is damaged"
        try note("the store \(what) (\(damage.message)), so its loss is not listed")
        let plan = UnreadPlan(
            backups: found.backups.count { $0.name.hasSuffix(".sqlite") }, left: found.unerased)
        if invocation.flag("dry-run") {
            try say(
                "reset", "would erase \(plan.text)", isDone: false, plan.members, invocation)
            try plan.leftText.map { try note($0) }
            return .done
        }
        try refuseUnwritable(invocation)
        let left = plan.leftText.map { text -> TerminalText in "\(text). " } ?? ""
        try confirm(
            "\(left)Erase \(plan.text), unread?", invocation, losesWayBack: true)
        try StoreErasure.erase(at: location, options: editorOptions(invocation))
        try say("reset", "erased \(plan.text)", plan.members, invocation)
        try note(plan.leftText ?? ResetPlan.nothingLeft)
        return .done
    }
}

/// What the erasure of a damaged store removes.
private struct UnreadPlan {
    var backups: Int
    var left: [String]

    /// The loss for programs.
    var members: [CanonicalJSON.Object.Member] {
        [
            ("counts", ["backups": .count(backups)]), ("damaged", true),
            ("left", .array(left.map { .string($0) })),
        ]
    }

    var leftText: TerminalText? { ResetPlan.text(left: left) }

    var text: TerminalText {
        backups > 0
            ? "the damaged store and \(NumberText.counted(backups, "backup"))" : "the damaged store"
    }
}

/// What a reset loses.
private struct ResetPlan: Equatable {
    var open: [EditedSession]
    var closed: Int
    var activities: Int
    var settings: Int
    var payloads: Int
    var backups: Int
    /// What an erasure leaves in the container.
    var left: [String]

    var isEmpty: Bool {
        open.isEmpty && closed == 0 && activities == 0 && settings == 0 && payloads == 0
    }

    /// The loss for programs.
    var members: [CanonicalJSON.Object.Member] {
        [
            (
                "counts",
                [
                    "sessions": .count(open.count), "recentlyClosed": .count(closed),
                    "savedActivities": .count(activities), "settings": .count(settings),
                    "payloads": .count(payloads), "backups": .count(backups),
                ]
            ), ("left", .array(left.map { .string($0) })),
        ]
    }

    /// Names what an erasure leaves in the container; nil if that is nothing.
    var leftText: TerminalText? { Self.text(left: left) }

    static func text(left: [String]) -> TerminalText? {
        left.isEmpty ? nil : "not the store's, so it stays: \(left.listed(with: "and"))"
    }

    static let nothingLeft: TerminalText =
        "nothing is left but an empty store and its lock; copies elsewhere are yours to remove"

    func text(at now: Int64) -> TerminalText {
        var text = open.loss(at: now)
        let rest = [
            (closed, "recently closed", "recently closed"),
            (activities, "saved activity", "saved activities"), (settings, "setting", "settings"),
            (payloads, "waiting payload", "waiting payloads"), (backups, "backup", "backups"),
        ]
        for (count, one, several) in rest where count > 0 {
            text.append(", \(NumberText.counted(count, one, several))")
        }
        return text
    }
}
