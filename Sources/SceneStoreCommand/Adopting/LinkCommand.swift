import SceneStore
import SceneStoreExchange
import SceneStoreLinks

enum LinkCommand {
    /// `link match`, `link lint`.
    static let command = Command(
        CommandDescription(
            name: "link", group: .ask,
            summary: "Match links against association rules, and check association files",
            examples: [
                ExampleDescription(
                    #"link match --pattern '{"/": "/n/*"}' https://example.com/n/42"#,
                    "Prints match")
            ]),
        subcommands: [linkMatch, linkLint])

    private static let linkMatch = Command(
        CommandDescription(
            name: "match", group: .ask,
            summary: "Print match, no_match or exclude for each link",
            discussion: """
                Prints a line for each link, in order. The exit status is 0 when every link \
                matches, else 1. '-' reads links from standard input, one a line.

                A pattern is one entry of 'components': {"/": "/n/*", "?": {"id": "?*"}}. --aasa \
                reads apple-app-site-association, and Android's assetlinks.json too. The host is \
                not compared, because the file doesn't contain the domain that serves it.
                """,
            arguments: [ArgumentDescription("URL", .text, "A link, or -", count: .oneOrMore)],
            options: [
                .value("pattern", "JSON", .text, "One rule"),
                .value("aasa", "FILE", .file(endings: ["json"]), "An association file"),
                .value("app-id", "ID", .text, "The app in the file; without it, any app"),
                .flag("why", "Show which rule decided, or which came nearest"),
                .json,
            ],
            examples: [
                ExampleDescription(
                    #"link match --pattern '{"/": "/n/*"}' https://example.com/n/42"#,
                    "Prints match"),
                ExampleDescription(
                    "link match --aasa aasa.json --why https://example.com/m", "Shows why",
                    exits: .answeredNo),
            ])
    ) { invocation, context in
        let file: AssociationFile
        switch (invocation.text("pattern"), invocation.text("aasa")) {
        case (let pattern?, nil):
            do throws(SceneStoreError) {
                file = try AssociationFile(component: pattern)
            } catch {
                throw CommandError.usage("--pattern is not a rule: \(error.message)")
            }
            guard !invocation.isGiven("app-id") else {
                throw CommandError.usage("--app-id needs --aasa")
            }
        case (nil, let path?): file = try context.readAssociation(path)
        default: throw CommandError.usage("link match needs either --pattern or --aasa")
        }
        let matching = LinkMatching(file, invocation, context)
        for word in invocation.arguments("URL") {
            if word == "-" {
                try matching.matchStandardInput()
            } else {
                try matching.match(word)
            }
        }
        return matching.status
    }

    private static let linkLint = Command(
        CommandDescription(
            name: "lint", group: .ask,
            summary: "Find what is wrong in association files",
            discussion: """
                Prints a line for each finding: severity, code, place, what is wrong and what to \
                do. The exit status is 1 when there is a warning or an error, and 2 when a file \
                can't be parsed.
                """,
            arguments: [
                ArgumentDescription(
                    "FILE", .file(endings: ["json"]), "An association file", count: .oneOrMore)
            ],
            options: [.json, .csv],
            examples: [
                ExampleDescription("link lint apple-app-site-association", "Finds mistakes")
            ])
    ) { invocation, context in
        var lint = try LintTable(invocation, context)
        for path in invocation.arguments("FILE") {
            let bytes = try context.readFile(path)
            do throws(SceneStoreError) {
                lint.add(try AssociationFile(bytes).diagnostics, of: path)
            } catch {
                lint.add(error, of: path)
            }
        }
        return try lint.finish()
    }
}

/// Links that are matched one after the other.
private final class LinkMatching {
    private let file: AssociationFile
    private let matcher: AssociationMatcher
    private let appID: String?
    private let explains: Bool
    private let isJSON: Bool
    private let context: CommandContext
    private(set) var status = ExitStatus.done

    init(_ file: AssociationFile, _ invocation: Invocation, _ context: CommandContext) {
        self.file = file
        self.context = context
        appID = invocation.text("app-id")
        matcher = file.matcher(appID: appID)
        explains = invocation.flag("why")
        isJSON = invocation.format == .json
    }

    func matchStandardInput() throws {
        let bytes = try context.readFile("-")
        for line in bytes.split(separator: 0x0A) {
            let end = line.last == 0x0D ? line.dropLast() : line
            if !end.isEmpty {
                try match(String(decoding: end, as: UTF8.self))
            }
        }
    }

    func match(_ link: String) throws {
        try context.checkInterruption()
        let match = matcher.match(link)
        if match.decision != .match {
            status = .answeredNo
        }
        let explanation = explains || isJSON ? file.explain(link, appID: appID) : nil
        guard !isJSON else {
            try context.output.json(json(link, match, explanation))
            return
        }
        try context.output.line("\(match.decision.rawValue, match.decision.style)")
        for line in explanation?.lines ?? [] {
            try context.output.line("  \(line)")
        }
    }

    private func json(
        _ link: String, _ match: AssociationMatch, _ explanation: AssociationExplanation?
    ) -> CanonicalJSON {
        let miss = explanation?.closestMiss
        return [
            "answer": .string(match.decision.rawValue),
            "closestMiss": miss.map {
                [
                    "found": .text($0.found), "hint": .text($0.hint),
                    "part": .text($0.failedPart), "pattern": .text($0.pattern),
                    "rule": .string($0.keyPath),
                ]
            } ?? .null,
            "comment": .text(explanation?.comment),
            "obstacle": .text(explanation?.obstacle),
            "rule": .text(explanation?.decidedBy?.keyPath),
            "url": .string(link),
        ]
    }
}

extension AssociationDecision {
    fileprivate var style: TerminalText.Style {
        switch self {
        case .match: .green
        case .noMatch: .red
        case .exclude: .yellow
        }
    }
}
