#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange

enum DiffCommand {
    /// `diff SESSION G1 G2` and `diff --with STORE`.
    static let command = Command(
        CommandDescription(
            name: "diff", group: .look,
            summary: "Show what changed between two states, or between two stores",
            discussion: """
                Lists differences by key path. A path that only one side has is marked + or -; a \
                path with two values shows both. The exit status is 1 when anything differs.

                For two stores, sessions that only one of them has are marked + or -. For the \
                others, 'diff' shows what differs, such as their configuration, or the state that \
                they would come back with. Then it names what else differs: records of \
                discards, waiting payloads or saved activities. In JSON each of these is a line \
                with the 'kind' discard, payload or activity.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The session", count: .optional),
                ArgumentDescription("G1", .text, "A generation of the session", count: .optional),
                ArgumentDescription("G2", .text, "Another one", count: .optional),
            ],
            options: [
                .value(
                    "with", "PATH", .file(endings: ["sqlite"]), "The store to compare with"),
                .json,
            ],
            examples: [
                ExampleDescription(
                    "diff @last 812 815", "What three saves changed", exits: .answeredNo),
                ExampleDescription(
                    "diff --store A --with B", "Which sessions differ", exits: .answeredNo),
            ],
            forms: ["SESSION G1 G2", "--store A --with B"])
    ) { invocation, context in
        if let other = invocation.text("with") {
            guard invocation.argument("SESSION") == nil else {
                throw CommandError.usage("name a session or --with a store, not both")
            }
            return try compareStores(other, invocation, context)
        }
        return try compareStates(invocation, context)
    }

    private static func compareStates(
        _ invocation: Invocation, _ context: CommandContext
    ) throws -> ExitStatus {
        let word = try invocation.requiredArgument("SESSION")
        var saved: [String] = []
        let differences = try context.withStore(invocation) { store in
            let record = try context.session(word, in: store)
            let versions = try store.history.versions(key: record.key)
            let states = try ["G1", "G2"].map { name -> UserActivity in
                let text = try invocation.requiredArgument(name)
                guard let generation = Int64(text) else {
                    throw CommandError.usage("\(name) must be a number, not \(text.quotedForError)")
                }
                guard let state = try store.history.state(key: record.key, generation: generation)
                else {
                    throw CommandError(
                        .answeredNo, "the session has no state of generation \(generation)",
                        hint: context.advice(
                            "history \(CommandContext.quoted(record.identifier))",
                            at: context.storePath(invocation))
                            + " lists them")
                }
                let version = versions.first { $0.generation == generation }
                saved.append("\(generation)\(version.map { ", \($0.saving)" } ?? "")")
                return state
            }
            return try ValueDifference.between(states[0], states[1])
        }
        if invocation.format == .text, !differences.isEmpty {
            try context.note("from \(saved[0]), to \(saved[1]):")
        }
        for difference in differences {
            // As 'show --key' takes it.
            let path = ActivityPath.shown(difference.path)
            if invocation.format == .json {
                try context.output.json([
                    "path": .string(path),
                    "old": difference.old.map { CanonicalJSON(stored: $0) } ?? .null,
                    "new": difference.new.map { CanonicalJSON(stored: $0) } ?? .null,
                ])
                continue
            }
            let old = difference.old.map { ValueTree.text(of: $0) }
            let new = difference.new.map { ValueTree.text(of: $0) }
            switch (old, new) {
            case (nil, let new?):
                try context.output.line(
                    "+ \(path, .green)  \(TerminalText(verbatim: new))")
            case (let old?, nil):
                try context.output.line(
                    "- \(path, .red)  \(TerminalText(verbatim: old))")
            default:
                try context.output.line(
                    "  \(path, .yellow)  \(TerminalText(verbatim: old ?? "")) -> \(TerminalText(verbatim: new ?? ""))"
                )
            }
        }
        return differences.isEmpty ? .done : .answeredNo
    }

    private static func compareStores(
        _ other: String, _ invocation: Invocation, _ context: CommandContext
    ) throws -> ExitStatus {
        let path = context.storePath(given: other)
        guard !context.isOneStore(path, context.storePath(invocation)) else {
            // One look at one store: it does not differ from itself.
            try context.note("both are one store: nothing differs")
            return .done
        }
        let isSame = try context.withUnpacked(other) { unpacking in
            let path = unpacking.storePath(given: other)
            // What is damaged of either is read salvaged, and the comparison begins anew.
            return try unpacking.withFound(invocation, at: path, saysFindings: false) { found in
                try context.withStore(invocation) { store in
                    try compare(store, found.store, invocation, context)
                }
            }
        }
        return isSame ? .done : .answeredNo
    }

    /// Sessions that are read and compared together: more would take more memory.
    private static let chunk = 1_000

    /// Prints how two stores differ; answers whether they don't.
    private static func compare(
        _ first: SceneSessionStore, _ second: SceneSessionStore, _ invocation: Invocation,
        _ context: CommandContext
    ) throws -> Bool {
        var isSame = true
        // A session that is private in one store has no title in the other one either (S-70).
        let title = { (session: String) in
            let records = try [first, second].compactMap { try $0.record(identifier: session) }
            guard records.allSatisfy({ $0.privacy == .standard }) else {
                return nil as String?
            }
            return try first.name(of: session)?.title ?? second.name(of: session)?.title
        }
        let differing = try SessionDigests(of: first).differing(
            from: try SessionDigests(of: second))
        for start in stride(from: 0, to: differing.count, by: chunk) {
            let part = differing[start..<min(start + chunk, differing.count)]
            let difference = try StoreDifference(
                try SessionDigests.export(part.compactMap(\.first), of: first),
                try SessionDigests.export(part.compactMap(\.second), of: second))
            try difference.write(invocation, context, title: title)
            isSame = isSame && difference.isSame
        }
        let others = try StoreDifference(
            try SessionDigests.exportOthers(of: first), try SessionDigests.exportOthers(of: second))
        try others.write(invocation, context, title: title)
        return isSame && others.isSame
    }
}

extension CommandContext {
    /// Whether two paths lead to one store, be it by a link or by the name of its file.
    fileprivate func isOneStore(_ first: String, _ second: String) -> Bool {
        func place(_ path: String) -> String {
            let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            let folder = file.hasSuffix("/scenes.sqlite") ? String(file.dropLast(14)) : file
            return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        }
        return place(first) == place(second)
    }
}

/// The paths of stored activities, as people see them.
enum ActivityPath {
    /// What the fields of a stored activity are called where people see them.
    private static let shownNames = [
        "info": "userInfo", "target": "targetContentIdentifier", "expires": "expirationDate",
        "webpage": "webpageURL", "eligible": "eligibility", "referrer": "referrerURL",
        "required": "requiredUserInfoKeys", "id": "persistentIdentifier",
    ]

    /// A path in a stored activity as a path in the tree that 'show' prints.
    static func shown(_ path: some StringProtocol) -> String {
        let key = path.prefix { $0 != "." && $0 != "[" }
        return "activity.\(shownNames[String(key)] ?? String(key))\(path.dropFirst(key.count))"
    }
}
