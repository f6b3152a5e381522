import SceneStore
import SceneStoreAdoption
import SceneStoreValues

enum AdoptCommand {
    /// `adopt PATH…`.
    static let command = Command(
        CommandDescription(
            name: "adopt", group: .ask,
            summary: "Find what breaks when a UIKit app adopts the scene life cycle",
            discussion: """
                Reads the Swift and Objective-C sources and the Info.plist below each path, \
                without a compiler. Prints what the app loses with scenes: links, activities, quick \
                actions and notifications that only the application delegate takes, methods that \
                are never called again, and windows without a scene. 'scenestore help CODE' \
                explains a code; the page 'Adopting scenes' also shows the repair. The exit status \
                is 1 if there is a finding, and 2 if no app was found.

                The apps are the targets of Xcode, XcodeGen and Tuist projects that build an \
                iPhone app. Without a project, they are what the sources mark as an entry point.

                A finding is never a guess. If the sources don't decide something, the command \
                prints a question with its place. A comment 'scenestore:ignore AD007 reason' on \
                the line or the line above hides a finding; --baseline hides those that an earlier \
                run with --json printed.
                """,
            arguments: [
                ArgumentDescription(
                    "PATH", .file(), "A folder with an app's sources, or a file",
                    count: .oneOrMore)
            ],
            options: [
                .value(
                    "manifest", "FILE", .file(endings: ["plist"]),
                    "The app's Info.plist; else the nearest one below the paths"),
                .value(
                    "target", "NAME", .text, "Judge only the app that this target builds"),
                .flag("table", "Print what the app gets in ten ways, without scenes and with them"),
                .value(
                    "baseline", "FILE", .file(endings: ["json"]),
                    "Leave out what an earlier run with --json printed"),
                .flag("sarif", "Print one SARIF 2.1.0 log, for code-review tools"),
                .json,
            ],
            examples: [
                ExampleDescription(
                    "adopt Old --manifest Old/Info.plist", "What breaks", exits: .answeredNo),
                ExampleDescription(
                    "adopt Old --table", "What is called, before and after", exits: .answeredNo),
                ExampleDescription(
                    "adopt Old --baseline known.json", "Only what is new", exits: .answeredNo),
            ])
    ) { invocation, context in
        var reader = AdoptionReader()
        if let manifest = invocation.text("manifest") {
            // One that is no property list is wrong usage here, as for every command.
            _ = try context.readManifest(manifest)
            try reader.addManifest(manifest, context.readFile(manifest))
        }
        for path in invocation.arguments("PATH") {
            try reader.add(path, context)
        }
        let target = invocation.text("target")
        if let target, !reader.targetNames.contains(target) {
            throw CommandError.usage(
                "no target \(target) builds an iPhone app; there are: "
                    + reader.targetNames.joined(separator: ", "))
        }
        var report = reader.report(target: target)
        if let baseline = invocation.text("baseline") {
            try context.readBaseline(baseline).apply(to: &report)
        }
        try AdoptionPage(report, invocation, context).write()
        guard !report.apps.isEmpty else {
            return .usage
        }
        return report.findings.isEmpty ? .done : .answeredNo
    }
}

extension CommandContext {
    /// Reads what an earlier run printed; anything else is wrong usage.
    fileprivate func readBaseline(_ path: String) throws -> AdoptionBaseline {
        let bytes = try readFile(path)
        let baseline: AdoptionBaseline
        do throws(SceneStoreError) {
            baseline = try AdoptionBaseline(bytes)
        } catch {
            throw CommandError.usage(
                "\(path.quotedPath) is not what 'adopt --json' prints: \(error.message)")
        }
        if !baseline.namesApp {
            try note("\("warning", .yellow): the baseline \(path.quotedPath) is empty")
        }
        return baseline
    }
}

extension AdoptionReader {
    /// Reads a file, or what is below a folder.
    fileprivate mutating func add(_ path: String, _ context: CommandContext) throws {
        let absolute = context.absolutePath(path)
        let tree: SourceTree
        do {
            tree = try SourceTree(absolute, checkInterruption: context.checkInterruption)
        } catch let error as Interrupted {
            throw error
        } catch {
            throw CommandError.usage("cannot read \(path.quotedPath)")
        }
        if tree.isCut {
            try context.note("\(path): only the first \(SourceTree.maximumFiles) files are read")
        }
        var total = 0
        for entry in tree.entries {
            guard total < SourceTree.maximumBytes else {
                let limit = NumberText.bytes(Int64(SourceTree.maximumBytes))
                try context.note("\(path): only the first \(limit) are read")
                break
            }
            try context.checkInterruption()
            // Shown as the path was given.
            let rest = entry.path.dropFirst(absolute.count).drop { $0 == "/" }
            let folder = path.hasSuffix("/") ? path : path + "/"
            let shown = rest.isEmpty ? path : path == "." ? String(rest) : folder + rest
            do {
                let bytes = try context.readFile(entry.path)
                total += bytes.count
                add(shown, entry.kind, bytes)
            } catch is CommandError {
                omit(shown)
            }
        }
    }
}

/// A report in the form that was asked for.
private struct AdoptionPage {
    let report: AdoptionReport
    let invocation: Invocation
    let context: CommandContext

    init(_ report: AdoptionReport, _ invocation: Invocation, _ context: CommandContext) {
        self.report = report
        self.invocation = invocation
        self.context = context
    }

    func write() throws {
        for omission in report.omissions {
            try context.note("\("warning", .yellow): \(omission)")
        }
        if report.apps.isEmpty {
            try context.note(
                """
                no app was found: no target builds an iPhone app, and nothing is marked @main or \
                UIApplicationMain
                """)
        }
        if invocation.flag("sarif") {
            try context.output.json(
                SARIFLog.json(report, version: CommandLineTool.version))
            return
        }
        for app in report.apps {
            if invocation.format == .json {
                try context.output.json(app.json)
            } else {
                try write(app)
            }
        }
        if invocation.format == .text, !report.apps.isEmpty {
            try writeSummary()
        }
    }

    private func write(_ app: AppReport) throws {
        var line: TerminalText = "\(app.name, .bold)"
        line.append(" at \(app.path):\(app.line): ")
        switch app.lifeCycle {
        case .application: line.append("no scenes yet")
        case .scenes: line.append("scenes")
        case .swiftUI:
            line.append("SwiftUI's own scenes")
            if app.findings.isEmpty, app.questions.isEmpty {
                line.append("; nothing to do")
            }
        case .unknown: line.append("can't tell whether it has scenes")
        }
        if !app.sceneDelegates.isEmpty {
            line.append(", delegate \(app.sceneDelegates.joined(separator: ", "))")
        }
        line.append(" (found by \(app.foundBy))")
        try context.output.line(line)
        for finding in app.findings {
            let isError = finding.code.isError
            try context.output.line(
                """
                \(isError ? "error" : "warning", isError ? .red : .yellow) \
                \(finding.code.rawValue, .bold) at \(finding.path):\(finding.line):\
                \(finding.column): \(finding.message)
                """)
            try context.output.line("  why: \(finding.why)")
            try context.output.line("  fix: \(finding.fix)")
        }
        for question in app.questions {
            try context.output.line(
                "\("can't tell", .cyan) at \(question.path):\(question.line): \(question.message)")
        }
        if invocation.flag("table"), !app.ways.isEmpty {
            try writeTable(app)
        }
    }

    private func writeTable(_ app: AppReport) throws {
        try context.output.line()
        var table = try CallTable(of: "Way", context)
        for way in app.ways {
            try table.append(
                way.title, without: Self.text(way.withoutScenes), with: Self.text(way.withScenes))
        }
        try table.finish()
        try context.output.line("✓ handled  ✗ dropped  ? can't tell")
        try context.output.line()
    }

    private static func text(_ calls: [LaunchWay.Call]) -> [String] {
        calls.map { call in
            switch call.mark {
            case .handled: "\(call.name) ✓"
            case .dropped: "\(call.name) ✗"
            case .unknown: "\(call.name) ?"
            case .unused: call.name
            }
        }
    }

    private func writeSummary() throws {
        let errors = report.findings.count { $0.code.isError }
        let warnings = report.findings.count - errors
        let leftOut = report.apps.map(\.leftOut).reduce(0, +)
        let counts = [(errors, "error"), (warnings, "warning")].compactMap { count, word in
            count == 0 ? nil : NumberText.counted(count, word)
        }
        var parts = [counts.isEmpty ? "nothing found" : counts.listed(with: "and")]
        let questions = report.apps.map(\.questions.count).reduce(0, +)
        if questions > 0 {
            parts.append(NumberText.counted(questions, "question"))
        }
        if leftOut > 0 {
            parts.append("\(NumberText.grouped(leftOut)) left out")
        }
        try context.note("\(parts.joined(separator: ", "))")
    }
}
