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
                The same template and seed give the same bytes on every run. The file fixture.json \
                beside the store records what it was made from, for 'fixture verify'. With \
                --scenario, you get the store that the scenario's last step leaves; without -o the \
                directory is named after the scenario.

                Without --force, a directory that holds a store is left unchanged. With --force \
                the store is replaced, after a question and only if no app owns it. The old \
                store goes to quarantine/, unless 'fixture verify' finds no difference, or \
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
        let place = FixturePlace(context, directory, origin)
        let replaces = try place.holdsReplaceable(invocation)
        let fixture = try place.make()
        try context.checkInterruption()
        guard try place.put(fixture, invocation, replaces: replaces) else {
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
                is 1 if one differs. A fixture differs once an app has opened it.
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
            let fixture = try FixturePlace(context, directory, origin).make()
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
