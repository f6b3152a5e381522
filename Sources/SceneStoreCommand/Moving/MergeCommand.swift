#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange

enum MergeCommand {
    /// `merge -o DIR STORE…`.
    static let command = Command(
        CommandDescription(
            name: "merge", group: .keepSafe,
            summary: "Merge many stores into one database for analysis",
            discussion: """
                To bring the windows of one store into another, use 'export' and 'import', not \
                this command.

                Writes DIR/merged.sqlite, an ordinary SQLite file with plain tables for sqlite3, \
                Datasette or a notebook: device, session, activity (states as JSON), storage, \
                launch, launch_exception, event, skipped. Each table has a column 'device' with \
                the store's path as you gave it. The file is not a container, so no app can open \
                it. Titles and states are those of 'scenestore sessions'.

                Ephemeral sessions and the content of private ones are left out. --redact values \
                writes only the keys and types of content, --redact all only sessions, \
                configurations and times.

                If the command can't read a store, it reports the store, lists it in the table \
                'skipped', and merges the others. The exit status is then 5 if a store is damaged, \
                3 if one is missing, and 1 otherwise. The command never overwrites an existing \
                file.
                """,
            arguments: [
                ArgumentDescription(
                    "STORE", .directory, "Containers, or their scenes.sqlite", count: .zeroOrMore)
            ],
            options: [
                .value(
                    "output", letter: "o", "DIR", .directory,
                    "Where merged.sqlite is made; the directory may be new"),
                .value(
                    "stores", "FILE", .file(),
                    "A file with a store's path on each line; - for "
                        + "standard input"),
                .redact,
                .json,
            ],
            examples: [
                ExampleDescription("merge -o analysis ipad iphone", "Two devices in one file"),
                ExampleDescription(
                    "merge -o fleet --stores stores.txt --redact values",
                    "A complete fleet, without text that people wrote"),
            ])
    ) { invocation, context in
        try StoreMerge(invocation, context).run()
    }
}

/// Reads store after store into one analysis database.
private struct StoreMerge {
    private let invocation: Invocation
    private let context: CommandContext
    private let redaction: ExportRedaction

    init(_ invocation: Invocation, _ context: CommandContext) {
        self.invocation = invocation
        self.context = context
        redaction = invocation.redaction
    }

    /// What became of the stores.
    private struct Outcome {
        var merged = 0
        var sessions = 0
        var findings = 0
        var skipped: [(device: String, error: CommandError)] = []

        /// Damage counts most, then what is missing.
        var status: ExitStatus {
            let found = Set(skipped.map(\.error.status))
            if found.contains(.damaged) || findings > 0 {
                return .damaged
            }
            if found.contains(.noStore) {
                return .noStore
            }
            return found.isEmpty ? .done : .answeredNo
        }
    }

    func run() throws -> ExitStatus {
        guard let directory = invocation.text("output") else {
            throw CommandError.usage("merge needs -o DIR, a place for merged.sqlite")
        }
        let devices = try stores()
        let place = StorePlace(context.absolutePath(directory))
        guard !FileManager.default.fileExists(atPath: place.file) else {
            throw CommandError.usage(
                "\(directory.quotedPath) is a container; -o names another directory")
        }
        let database = try AnalysisDatabase(inDirectory: place.path)
        var outcome = Outcome()
        let bar = Progress("merge", invocation, context)
        defer { bar.finish() }
        for (index, device) in devices.enumerated() {
            do {
                try database.atomically { () throws in
                    try context.withUnpacked(device) { context in
                        try merge(device, into: database, &outcome, context) { sessions, part in
                            try bar.update(
                                WorkProgress("merging", .sessions, done: sessions, total: 0),
                                fraction: (Double(index) + part) / Double(devices.count))
                        }
                    }
                }
                outcome.merged += 1
            } catch {
                guard let failure = Self.skippable(error) else {
                    throw error
                }
                try database.insert(
                    .skipped,
                    [
                        .text(device), .text("\(failure.status.rawValue)"),
                        .text(failure.message),
                    ])
                outcome.skipped.append((device, failure))
                bar.finish()
                try context.note("\("skipped", .yellow) \(device.withoutLink): \(failure.message)")
            }
        }
        bar.finish()
        guard outcome.merged > 0 else {
            throw CommandError(outcome.status, "no store could be merged")
        }
        try database.finish()
        try report(outcome, database.path)
        return outcome.status
    }

    /// The stores' paths, each once.
    private func stores() throws -> [String] {
        var words = invocation.arguments("STORE")
        if let list = invocation.text("stores") {
            let bytes = try context.readFile(list)
            words += bytes.split(separator: 0x0A).map { line in
                String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
        }
        var seen: Set<String> = []
        let devices = words.map(Self.name).filter { !$0.isEmpty && seen.insert($0).inserted }
        guard !devices.isEmpty else {
            throw CommandError.usage("merge needs the stores, or --stores FILE")
        }
        return devices
    }

    /// The path without the file's name and without slashes at its end.
    private static func name(_ path: String) -> String {
        var name = Substring(path)
        if name.utf8.count > 14, name.hasSuffix("/scenes.sqlite") {
            name = name.dropLast(14)
        }
        while name.utf8.count > 1, name.hasSuffix("/") {
            name.removeLast()
        }
        return String(name)
    }

    /// What keeps one store from being merged and is no fault of the others.
    private static func skippable(_ error: any Error) -> CommandError? {
        switch error {
        case is Interrupted, is OutputError: nil
        case let error as MergeFailure:
            // The database that is written: nothing goes on without it.
            error.isOfOutput ? nil : CommandError(error.error)
        default: CommandError(error)
        }
    }

    private func report(_ outcome: Outcome, _ path: String) throws {
        if invocation.format == .json {
            try context.output.json([
                "counts": [
                    "findings": .count(outcome.findings), "merged": .count(outcome.merged),
                    "sessions": .count(outcome.sessions),
                ],
                "path": .string(path),
                "skipped": .array(
                    outcome.skipped.map { device, error in
                        [
                            "device": .string(device), "reason": .string(error.message),
                            "status": .integer(Int64(error.status.rawValue)),
                        ]
                    }),
            ])
        } else {
            try context.output.line(
                """
                \(NumberText.counted(outcome.merged, "store")), \
                \(NumberText.counted(outcome.sessions, "session")) in \(path)
                """)
        }
    }

    // MARK: - One store

    private func merge(
        _ device: String, into database: AnalysisDatabase, _ outcome: inout Outcome,
        _ context: CommandContext, tell: (_ sessions: Int, _ part: Double) throws -> Void
    ) throws {
        let found = try context.findWhole(
            at: context.storePath(given: device), revealing: false, migrates: true)
        defer { found.close() }
        for warning in found.warnings {
            try context.note("\("warning", .yellow): \(device.withoutLink): \(warning)")
        }
        let writer = try MergeWriter(
            device: device, store: found.store, database: database, redaction: redaction,
            context: context)
        let before = outcome.sessions
        let (sessions, findings) = try writer.write { done, part in try tell(before + done, part) }
        outcome.sessions += sessions
        outcome.findings += findings
    }
}

/// An error with the side that it came from.
struct MergeFailure: Error {
    var error: SceneStoreError
    /// Whether the merged database failed and not a store.
    var isOfOutput: Bool
}
