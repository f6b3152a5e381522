import SceneStore
import SceneStoreExchange
import SceneStoreFormats

enum ManifestCommand {
    /// `manifest show`, `manifest lint`.
    static let command = Command(
        CommandDescription(
            name: "manifest", group: .ask,
            summary: "Show and check what an Info.plist says about scenes",
            examples: [ExampleDescription("manifest lint Info.plist", "Finds mistakes")]),
        subcommands: [manifestShow, manifestLint])

    private static let manifestShow = Command(
        CommandDescription(
            name: "show", group: .ask,
            summary: "Show what was read: configurations, roles, schemes, activity types",
            discussion: """
                Reads XML and binary property lists. A malformed entry counts as absent, as it \
                does for the app itself; 'manifest lint' explains it.
                """,
            arguments: [
                ArgumentDescription("FILE", .file(endings: ["plist"]), "An Info.plist")
            ],
            options: [.json] + OptionDescription.tableWithoutTimes,
            columns: ["role", "name", "delegate", "scene", "storyboard"],
            examples: [ExampleDescription("manifest show App/Info.plist", "What the app sees")])
    ) { invocation, context in
        let path = try invocation.requiredArgument("FILE")
        let manifest = try context.readManifest(path)
        if invocation.format == .json {
            try context.output.json(manifest.json)
        } else {
            try ManifestPage(manifest, invocation, context).write()
        }
        return .done
    }

    private static let manifestLint = Command(
        CommandDescription(
            name: "lint", group: .ask,
            summary: "Find what is wrong in an Info.plist, or does not fit a store",
            discussion: """
                Prints a line for each finding: severity, code, key path, what is wrong and what \
                to do. The exit status is 1 when there is a warning or an error, and 2 when a file \
                can't be parsed.

                With --store, it also checks the sessions of a store. It lists the remembered \
                configurations that an update to this manifest would rename or make stale, and \
                those that nothing could show any more.
                """,
            arguments: [
                ArgumentDescription(
                    "FILE", .file(endings: ["plist"]), "An Info.plist", count: .oneOrMore)
            ],
            options: [.rename, .json, .csv],
            examples: [
                ExampleDescription("manifest lint App/Info.plist", "Finds mistakes"),
                ExampleDescription(
                    "manifest lint New/Info.plist --store ~/app", "Before an update is shipped",
                    exits: .answeredNo),
            ])
    ) { invocation, context in
        var lint = try LintTable(invocation, context)
        let renames = try invocation.renames()
        guard renames.isEmpty || invocation.isGiven("store") else {
            throw CommandError.usage("--rename needs --store")
        }
        for path in invocation.arguments("FILE") {
            let bytes = try context.readFile(path)
            var findings: [Diagnostic]
            let manifest: SceneManifest
            do throws(SceneStoreError) {
                findings = try SceneManifest.lint(propertyList: bytes)
                manifest = try SceneManifest(propertyList: bytes)
            } catch {
                lint.add(error, of: path)
                continue
            }
            if invocation.isGiven("store") {
                findings += try context.withStore(invocation) { store in
                    try StaleConfigurations(
                        options: .updated(to: manifest, renames: renames, in: store)
                    ).findings(in: store) {
                        context.advice($0, at: context.storePath(invocation))
                    }
                }
            }
            lint.add(findings, of: path)
        }
        return try lint.finish()
    }
}

/// A manifest for people.
private struct ManifestPage {
    private let manifest: SceneManifest
    private let invocation: Invocation
    private let context: CommandContext

    init(_ manifest: SceneManifest, _ invocation: Invocation, _ context: CommandContext) {
        self.manifest = manifest
        self.invocation = invocation
        self.context = context
    }

    func write() throws {
        try line("App", [manifest.bundleIdentifier, manifest.bundleVersion])
        guard manifest.isPresent else {
            try line("Scenes", ["there is no scene manifest"])
            try writeRest()
            return
        }
        try line(
            "Scenes", [manifest.supportsMultipleScenes ? "several at a time" : "one at a time"])
        var abilities = [
            (manifest.supportsDashboardNavigationScene, "CarPlay dashboard"),
            (manifest.supportsInstrumentClusterNavigationScene, "CarPlay instrument cluster"),
        ].filter(\.0).map(\.1)
        if let tabbed = manifest.supportsTabbedSceneCollection {
            abilities.append(tabbed ? "window tabs" : "no window tabs")
        }
        try line("Also", abilities)
        try line("First role", [manifest.preferredDefaultRole?.rawValue])
        try writeRest()
        try context.output.line()
        var table = try TableWriter(
            [
                TableColumn("role", "Role", priority: 0, minimumWidth: 10, cut: .middle),
                TableColumn("name", "Configuration", priority: 0, minimumWidth: 8),
                TableColumn("delegate", "Delegate", priority: 1, minimumWidth: 10, cut: .middle),
                TableColumn("scene", "Scene class", priority: 3, minimumWidth: 8),
                TableColumn("storyboard", "Storyboard", priority: 2, minimumWidth: 8),
            ], invocation, context)
        for (role, entries) in manifest.sortedConfigurations {
            for entry in entries {
                try table.append([
                    .text(role.rawValue), .text(entry.name), .text(entry.delegateClassName),
                    .text(entry.sceneClassName), .text(entry.storyboardName),
                ])
            }
            if entries.isEmpty {
                try table.append([
                    .text(role.rawValue), .text("none that is well-formed", .yellow), .none, .none,
                    .none,
                ])
            }
        }
        try table.finish(empty: "no configurations")
    }

    private func writeRest() throws {
        try line("URL schemes", manifest.urlSchemes)
        try line("Activities", manifest.activityTypes)
        if !manifest.unknownKeys.isEmpty {
            try line("Kept as is", manifest.unknownKeys.keys)
        }
        let count = manifest.diagnostics.count
        if count > 0 {
            try line(
                "Findings", ["\(NumberText.grouped(count)); 'scenestore manifest lint' lists them"])
        }
    }

    private func line(_ name: String, _ words: [String?]) throws {
        let words = words.compactMap(\.self)
        if !words.isEmpty {
            try context.output.labelled(name, "\(words.joined(separator: ", "))")
        }
    }
}

extension SceneManifest {
    /// The roles by name, each with its configurations.
    fileprivate var sortedConfigurations: [(SceneSessionRole, [SceneConfiguration])] {
        configurations.map { ($0.key, $0.value) }.sorted {
            $0.0.rawValue.utf8.lexicographicallyPrecedes($1.0.rawValue.utf8)
        }
    }

    /// The manifest for programs.
    fileprivate var json: CanonicalJSON {
        [
            "activityTypes": .array(activityTypes.map { .string($0) }),
            "bundleIdentifier": .text(bundleIdentifier),
            "bundleVersion": .text(bundleVersion),
            "configurations": .array(
                sortedConfigurations.flatMap(\.1).map {
                    [
                        "delegateClass": .text($0.delegateClassName),
                        "immersionStyle": .text($0.initialImmersionStyle),
                        "name": .text($0.name), "role": .string($0.role.rawValue),
                        "sceneClass": .text($0.sceneClassName),
                        "storyboard": .text($0.storyboardName),
                    ]
                }),
            "findings": .array(diagnostics.map(\.json)),
            "hasSceneManifest": .boolean(isPresent),
            "preferredDefaultRole": .text(preferredDefaultRole?.rawValue),
            "supportsDashboard": .boolean(supportsDashboardNavigationScene),
            "supportsInstrumentCluster": .boolean(supportsInstrumentClusterNavigationScene),
            "supportsMultipleScenes": .boolean(supportsMultipleScenes),
            "supportsTabbedScenes": supportsTabbedSceneCollection.map { .boolean($0) } ?? .null,
            "unknownKeys": CanonicalJSON(stored: unknownKeys),
            "urlSchemes": .array(urlSchemes.map { .string($0) }),
        ]
    }
}
