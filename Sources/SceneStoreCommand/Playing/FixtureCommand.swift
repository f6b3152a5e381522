#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreTesting

enum FixtureCommand {
    /// `fixture make`, `fixture verify`.
    static let command = Command(
        CommandDescription(
            name: "fixture", group: .make,
            summary: "Make stores in a known state for tests, and check them later",
            examples: [
                ExampleDescription(
                    "fixture make --template three-windows -o Fixtures/three-windows",
                    "A container with three windows")
            ]),
        subcommands: [fixtureMake, fixtureVerify])

    private static let fixtureMake = Command(
        CommandDescription(
            name: "make", group: .make,
            summary: "Make a store from a template or a scenario",
            discussion: """
                The same template and seed give the same bytes on every run. The file \
                fixture.json beside the store records what it was made from, for 'fixture \
                verify'. A scenario's store is what its last step leaves; without -o the \
                directory is named after the scenario.

                A directory that holds a store is left alone without --force. With --force the \
                store is replaced, after a question and only if no app owns it. The old store \
                goes to quarantine/, unless 'fixture verify' would call it the same, or \
                --no-backup is given.
                """,
            options: [
                .value(
                    "template", "NAME", .choice(StoreFixture.Template.allCases.map(\.rawValue)),
                    "What the store is like"),
                .value("scenario", "FILE", .file(endings: ["scenario"]), "A scenario to play"),
                .value("output", letter: "o", "DIR", .directory, "Where to make it"),
                .value(
                    "seed", "N", .integer(0...Int.max), "Other seeds give other identifiers",
                    default: "1"),
                .flag("force", "Replace an existing store"),
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription(
                    "fixture make --template held-after-crashes -o held",
                    "Makes the store of a template"),
                ExampleDescription(
                    "fixture make --scenario crash.scenario -o crash",
                    "Makes the store that a scenario leaves"),
                ExampleDescription(
                    "fixture make --template three-windows -o app --force --yes",
                    "Replaces an app's store, which stays in quarantine/"),
            ])
    ) { invocation, context in
        let origin: StoreFixture.Origin
        let directory: String
        switch (invocation.text("template"), invocation.text("scenario")) {
        case (let name?, nil):
            guard let template = StoreFixture.Template(rawValue: name) else {
                throw CommandError.usage("there is no such template")
            }
            guard let given = invocation.text("output") else {
                throw CommandError.usage("fixture make needs -o DIR, a place for the container")
            }
            directory = context.absolutePath(given)
            origin = .template(template, seed: UInt64(invocation.integer("seed") ?? 1))
        case (nil, let file?):
            directory = context.absolutePath(
                invocation.text("output") ?? FixtureFiles.name(ofScenario: file))
            origin = .scenario(
                FixtureFiles.relative(context.absolutePath(file), to: directory))
        default:
            throw CommandError.usage("fixture make needs either --template or --scenario")
        }
        let replaces = try context.replaces(directory, invocation)
        let fixture = try context.makeFixture(origin, in: directory)
        try context.checkInterruption()
        guard try context.put(fixture, origin, in: directory, invocation, replaces: replaces)
        else {
            return .done
        }
        let bytes = fixture.files.reduce(0) { $0 + $1.bytes.count }
        if invocation.format == .json {
            try context.output.json([
                "bytes": .integer(Int64(bytes)), "path": .string(directory),
                "counts": ["sessions": .count(fixture.sessionIdentifiers.count)],
            ])
        } else {
            try context.output.line("\(directory)  \(NumberText.bytes(Int64(bytes)))")
        }
        return .done
    }

    private static let fixtureVerify = Command(
        CommandDescription(
            name: "verify", group: .make,
            summary: "Make fixtures again and compare them byte by byte",
            discussion: """
                Prints a line for each directory: same, or the first difference. The exit status \
                is 1 when one differs. A fixture that an app has opened since differs.
                """,
            arguments: [
                ArgumentDescription("DIR", .directory, "What 'make' made", count: .oneOrMore)
            ],
            options: [.json],
            examples: [ExampleDescription("fixture verify Fixtures/*", "Proves all of them")])
    ) { invocation, context in
        var status = ExitStatus.done
        for word in invocation.arguments("DIR") {
            try context.checkInterruption()
            let directory = context.absolutePath(word)
            guard let origin = StoreFixture.origin(of: directory) else {
                throw CommandError.usage(
                    "\(word.quotedPath) holds no fixture",
                    hint: "a fixture has a file \(StoreFixture.labelName) next to its store")
            }
            let fixture = try context.makeFixture(origin, in: directory)
            let differences = fixture.differences(in: directory)
            if !differences.isEmpty {
                status = .answeredNo
            }
            if invocation.format == .json {
                try context.output.json([
                    "differences": .array(
                        differences.map { difference in
                            [
                                "file": .string(difference.name),
                                "offset": difference.offset.map { .integer(Int64($0)) } ?? .null,
                            ]
                        }),
                    "path": .string(directory), "same": .boolean(differences.isEmpty),
                ])
                continue
            }
            guard let first = differences.first else {
                try context.output.line("same     \(word)")
                continue
            }
            let place = first.offset.map { "from byte \($0) on" } ?? "missing on one side"
            try context.output.line("differs  \(word): \(first.name), \(place)")
        }
        return status
    }
}

extension CommandContext {
    /// Whether there is a store in a directory that is to be replaced; throws unless that is asked
    /// for, and nobody owns it.
    fileprivate func replaces(_ directory: String, _ invocation: Invocation) throws -> Bool {
        let location = SceneSessionStore.Location.container(path: directory)
        guard let found = try? ContainerExamination(of: location),
            found.store != nil || !found.interrupted.isEmpty
        else {
            guard !FixtureFiles.holdsStore(directory) else {
                // Others may write into it, or it cannot be looked into.
                throw CommandError.usage("\(directory.quotedPath) cannot be replaced")
            }
            return false
        }
        guard invocation.flag("force") else {
            throw CommandError.usage(
                "there is a store in \(directory.quotedPath)",
                hint: "name another place, or replace it with --force")
        }
        if case .running(let process) = found.owner, !invocation.flag("dry-run"),
            invocation.duration("wait") == nil
        {
            throw SceneStoreError(
                .owned, "a living process owns the container", ownerProcess: process)
        }
        return true
    }

    /// Puts a fixture into a directory; false when that was only to be planned.
    fileprivate func put(
        _ fixture: StoreFixture, _ origin: StoreFixture.Origin, in directory: String,
        _ invocation: Invocation, replaces: Bool
    ) throws -> Bool {
        if invocation.flag("dry-run") {
            try output.line(
                replaces
                    ? "would replace \(try presentSessions(at: directory)) in \(directory)"
                    : "would make \(directory)")
            return false
        }
        guard replaces else {
            try fixture.write(to: directory, origin: origin)
            return true
        }
        guard let store = fixture.files.first(where: { $0.name == "scenes.sqlite" }) else {
            throw CommandError(.answeredNo, "the scenario leaves no store to put there")
        }
        try finishInterrupted(invocation, at: directory)
        try confirm(
            "Replace \(try presentSessions(at: directory)) in \(directory) by a fixture?",
            invocation)
        let keepsOld = try !invocation.flag("no-backup") && !isUnusedFixture(directory)
        let name = try StoreReplacement.replace(
            at: .container(path: directory), by: store.bytes,
            log: fixture.files.first { $0.name == "scenes.sqlite-wal" }?.bytes,
            options: editorOptions(invocation), keepsOld: keepsOld)
        try fixture.writeLabel(origin, to: directory)
        if let name {
            try note("the old store: quarantine/\(name).sqlite")
        }
        return true
    }

    /// Whether a container is a fixture that can be made again: one that was used since cannot.
    private func isUnusedFixture(_ directory: String) throws -> Bool {
        guard let origin = StoreFixture.origin(of: directory) else {
            return false
        }
        let fixture = try? makeFixture(origin, in: directory, tellsFailure: false)
        try checkInterruption()
        return fixture?.differences(in: directory).isEmpty ?? false
    }

    /// Makes a fixture of what its label says.
    fileprivate func makeFixture(
        _ origin: StoreFixture.Origin, in directory: String, tellsFailure: Bool = true
    ) throws -> StoreFixture {
        switch origin {
        case .template(let template, let seed):
            return try StoreFixture(template, seed: seed)
        case .scenario(let path):
            let file = FixtureFiles.absolute(path, from: directory)
            let bytes = try readFile(file, limit: Scenario.maximumBytes)
            do {
                return try StoreFixture(
                    playing: Scenario(text: bytes, name: file),
                    failure: { text in
                        if tellsFailure {
                            try? errorOutput.write(verbatim: text)
                        }
                    },
                    beforeStep: checkInterruption)
            } catch let error as ScenarioError {
                throw CommandError.usage(error.description)
            }
        }
    }
}

/// Names and places of fixtures.
private enum FixtureFiles {
    /// A container's name, after its scenario.
    static func name(ofScenario path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".scenario") ? String(file.dropLast(9)) : file + "-container"
    }

    static func holdsStore(_ directory: String) -> Bool {
        FileManager.default.fileExists(atPath: directory + "/scenes.sqlite")
    }

    /// The way from a directory to a file, both absolute; a file at the same place on another
    /// machine is found again.
    static func relative(_ file: String, to directory: String) -> String {
        let from = parts(directory)
        let to = parts(file)
        let shared = zip(from, to).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: from.count - shared)
        return (up + to.dropFirst(shared)).joined(separator: "/")
    }

    /// The file that a way from a directory leads to; the directory need not be there.
    static func absolute(_ path: String, from directory: String) -> String {
        "/" + parts(path.hasPrefix("/") ? path : directory + "/" + path).joined(separator: "/")
    }

    private static func parts(_ path: String) -> [String] {
        var result: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", !result.isEmpty {
                result.removeLast()
            } else if part != ".." {
                result.append(String(part))
            }
        }
        return result
    }
}
