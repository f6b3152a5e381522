import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import Synchronization

enum SupportCommand {
    /// `support -o FILE`.
    static let command = Command(
        CommandDescription(
            name: "support", group: .keepSafe,
            summary: "Pack everything a bug report needs into one ZIP file",
            discussion: """
                Contains the output of 'info', 'doctor', 'sessions', 'plan', 'log', 'size', \
                'operations', 'export' and 'report', as far as the store can be read, and \
                a list of its files. What the commands print to standard error is in errors.txt.

                Of a store with more than 10 000 sessions it has the 10 000 that were used last, \
                and of the journal the newest 10 000 entries. 'info' and 'doctor' count all.

                If a command could not print its complete output, the archive is written all the \
                same, and the exit status is that command's.

                By default, titles, everything that people wrote and the container's path are left \
                out; keys and types stay. --redact all also leaves out activity types, --redact \
                none leaves out nothing. The list is printed, so that you see what you send.
                """,
            options: [
                .output("The file", endings: ["zip"]), .force,
                .value(
                    "redact", "WHAT", .choice(ExportRedaction.allCases.map(\.rawValue)),
                    "What to leave out", default: ExportRedaction.values.rawValue),
                .json,
            ],
            examples: [
                ExampleDescription("support -o windows.zip", "Something to attach to a report")
            ])
    ) { invocation, context in
        guard invocation.text("output") != nil else {
            throw CommandError.usage("support needs -o FILE")
        }
        let redaction = invocation.redaction
        var archive = ZipArchive(time: context.clock.now())
        var list: [(name: String, bytes: Int, status: ExitStatus)] = []
        func add(_ name: String, _ bytes: [UInt8], _ status: ExitStatus) throws {
            guard archive.add(name, bytes) else {
                throw CommandError.usage("the store is too large for a ZIP file")
            }
            list.append((name, bytes.count, status))
        }
        var errors: [UInt8] = []
        let path = context.storePath(invocation)
        // An archive is named by its own path.
        let paths = [path, context.unpacked?.archive].compactMap(\.self)
        for part in SupportPart.all(redaction) {
            try context.checkInterruption()
            var (bytes, notes, status) = context.answer(to: part.words + ["--store", path])
            if !notes.isEmpty {
                errors += Array("\(part.name):\n".utf8) + notes
            }
            if redaction == .all, part.name == "log.ndjson" {
                bytes = withoutTypes(bytes)
            }
            if redaction != .none {
                bytes = withoutPaths(bytes, paths)
            }
            try add(part.name, bytes, status)
        }
        if redaction != .none {
            errors = withoutPaths(errors, paths)
        }
        let failed = list.filter { name, _, status in
            status != .done && !(isJudgement(name) && [.answeredNo, .damaged].contains(status))
        }
        if list.dropFirst().allSatisfy({ $0.status == .noStore }) {
            throw CommandError(
                .noStore, "there is no store at \(context.storePath(invocation).quotedPath)",
                hint: ExitStatus.noStore.hint)
        }
        var text = "scenestore \(CommandLineTool.version), --redact \(redaction.rawValue)\n\n"
        for (name, bytes, status) in list {
            text += "\(name): \(bytes) bytes, exit status \(status.rawValue)\n"
        }
        try add("errors.txt", errors, .done)
        try add("README.txt", Array(text.utf8), .done)
        // The list is not where the archive goes.
        let output = invocation.text("output") == "-" ? context.errorOutput : context.output
        for (name, bytes, status) in list {
            if invocation.format == .json {
                try output.json([
                    "bytes": .count(bytes), "file": .string(name),
                    "status": .integer(Int64(status.rawValue)),
                ])
            } else {
                try output.line("\(name)  \(NumberText.bytes(Int64(bytes)))")
            }
        }
        try context.deliver(archive.finished(), invocation)
        if redaction == .none {
            try context.note("nothing was left out: the file holds what people wrote")
        }
        guard let worst = failed.max(by: { $0.status.rawValue < $1.status.rawValue }) else {
            return .done
        }
        try context.note(
            "\("warning", .yellow): not complete: \(failed.map(\.name).listed(with: "and")); errors.txt says why"
        )
        return worst.status
    }
}

extension SupportCommand {
    /// Whether a command's status is what it found in the store.
    fileprivate static func isJudgement(_ name: String) -> Bool {
        name.hasPrefix("doctor")
    }

    /// The journal's lines without the activity types that saves tell.
    fileprivate static func withoutTypes(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for line in bytes.split(separator: 0x0A) {
            guard let json = try? CanonicalJSON(parsing: String(decoding: line, as: UTF8.self)),
                var object = json.objectValue
            else {
                result += line + [0x0A]
                continue
            }
            if object["event"]?.stringValue == "save" {
                // `TYPE, N bytes`; a type may hold a comma.
                let size = object["outcome"]?.stringValue?.split(separator: ", ").last
                object["outcome"] = size.map { .string(String($0)) } ?? .null
            }
            CanonicalJSON.object(object).append(to: &result)
            result.append(0x0A)
        }
        return result
    }

    /// Bytes without the paths of the container, which name a person, as it is and as it is written
    /// in JSON, in HTML, in messages and in command lines.
    fileprivate static func withoutPaths(_ bytes: [UInt8], _ paths: [String]) -> [UInt8] {
        let names = Set(
            paths.flatMap { path in
                let place = StorePlace(path)
                return [path, place.path, place.file, place.folder]
            }.filter { $0.utf8.count > 1 }
                .flatMap { [$0, CommandContext.quoted($0)] }
                .flatMap { [$0, TextEscaping.terminal($0)] }.flatMap { name -> [String] in
                    let markup: Markup = "\(name)"
                    let json = CanonicalJSON.string(name).text.dropFirst().dropLast()
                    return [name, markup.text, String(json)]
                }
        ).sorted { $0.utf8.count > $1.utf8.count }
        // Every name begins with a slash.
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let slash = rest.firstIndex(of: 0x2F) {
            result += rest[..<slash]
            rest = rest[slash...]
            let name = names.first { rest.starts(with: $0.utf8) }
            result += name == nil ? [0x2F] : Array("CONTAINER".utf8)
            rest = rest.dropFirst(name?.utf8.count ?? 1)
        }
        return result + rest
    }
}

/// A file of a support archive: what a command answers.
private struct SupportPart {
    var name: String
    var words: [String]

    static func all(_ redaction: ExportRedaction) -> [SupportPart] {
        let level = redaction.rawValue
        // More than anybody reads.
        let most = "10000"
        let limit = ["--limit", most]
        let columns =
            "session,state,configuration,lastActive,outcome,restoration,reason,role,reconnects,order,"
            + "inFront,crashes,bytes,saved,created,closed,cause"
        let title = redaction == .none ? "title,activity," : redaction == .values ? "activity," : ""
        let withoutTitles = { (columns: String) in
            redaction == .none ? [] : ["--columns", columns]
        }
        return [
            SupportPart(name: "version.json", words: ["--version", "--json"]),
            SupportPart(name: "info.json", words: ["info", "--json"]),
            SupportPart(name: "doctor.ndjson", words: ["doctor", "--full", "--json"]),
            SupportPart(
                name: "sessions.ndjson",
                words: ["sessions", "--all", "--json", "--columns", title + columns] + limit),
            SupportPart(
                name: "plan.ndjson",
                words: [
                    "plan", "--json", "--columns",
                    "step,order,session,\(redaction == .none ? "title," : "")outcome,restoration,"
                        + "configuration,role,reason",
                ] + limit),
            SupportPart(
                name: "log.ndjson",
                words: ["log", "--json", "--last", most]
                    + withoutTitles(
                        "time,launch,event,session,call,outcome,reason,ending,generation")),
            SupportPart(name: "size.ndjson", words: ["size", "--json"]),
            SupportPart(
                name: "operations.ndjson",
                words: ["operations", "--json"]
                    + withoutTitles("operation,time,command,state,sessions,before")),
            SupportPart(name: "export.ndjson", words: ["export", "--redact", level] + limit),
            SupportPart(name: "report.html", words: ["report", "--redact", level]),
        ]
    }
}

extension CommandContext {
    /// What a command prints, what it says on standard error, and how it ends.
    func answer(to words: [String]) -> (bytes: [UInt8], errors: [UInt8], status: ExitStatus) {
        let text = Captured()
        let errors = Captured()
        var inner = self
        (inner.output, inner.errorOutput) = (text.output, errors.output)
        inner.terminal = Terminal()
        inner.readLine = { () throws(Interrupted) in nil }
        inner.completionSources = []
        let tool = CommandLineTool(table: table)
        let status = tool.run(words, inner)
        return (text.bytes, errors.bytes, status)
    }
}

/// Keeps what is written.
private final class Captured: Sendable {
    private let kept = Mutex<[UInt8]>([])

    var bytes: [UInt8] { kept.withLock { $0 } }

    var output: Output {
        Output { [self] bytes in
            kept.withLock { $0 += bytes }
            return .success(bytes.count)
        }
    }
}
