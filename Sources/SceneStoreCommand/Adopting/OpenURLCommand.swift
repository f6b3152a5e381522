import SceneStore
import SceneStoreEngine
import SceneStoreExchange

enum OpenURLCommand {
    /// `open-url URL`.
    static let command = Command(
        CommandDescription(
            name: "open-url", group: .ask,
            summary: "Show which window would get a link, and by which callbacks",
            discussion: """
                Answers two questions without running the app. Does the link belong to the app? A \
                custom scheme has to be in the Info.plist of --manifest; a web link has to fit the \
                hosts of --domain and the rules of --aasa. Which window takes it? The store has \
                activation conditions for each session, and the best match wins. The app decides \
                which screen the window then shows. --why shows the rules and the chosen window's \
                conditions, and with --all every session that was compared. It also names windows \
                that prefer the link and are held or parked. The callbacks of other windows are \
                counted; --all lists them.

                Without --manifest any custom scheme passes, and without --domain any host. The \
                app counts as not running ('cold') unless it owns the store now; --app-state \
                assumes another state. The exit status is 1 if no window gets the link. The \
                command doesn't ask the app, whose target(for:) may choose another window. \
                'deliver url' asks it.
                """,
            arguments: [ArgumentDescription("URL", .text, "The link, as it arrives")],
            options: OptionDescription.linkFilter + [
                .value(
                    "app-state", "STATE", .choice(DeliveryPlan.AppState.allCases.map(\.rawValue)),
                    "Assume this of the app when the link arrives"),
                .behaviour,
                .flag("why", "Show every rule that was asked, and the conditions of the window"),
                .flag("all", "Show every session that was compared, and every callback"),
                .json,
            ],
            examples: [
                ExampleDescription(
                    "open-url 'notes://note/42' --manifest Info.plist",
                    "Which window takes a link with the app's own scheme"),
                ExampleDescription(
                    "open-url https://example.com/n/42 --aasa aasa.json --domain example.com --why",
                    "Which one takes a web link, with every rule that was compared"),
                ExampleDescription(
                    "open-url 'javascript:alert(1)'", "No window gets such a link",
                    exits: .answeredNo),
            ])
    ) { invocation, context in
        let question = try LinkQuestion(
            invocation.requiredArgument("URL"), invocation, context)
        guard question.decision.isAccepted else {
            return try LinkAnswer(question, nil, invocation, context).write()
        }
        return try context.withStore(invocation) { store in
            try LinkAnswer(question, store, invocation, context).write()
        }
    }
}

extension OptionDescription {
    /// What decides whether a link is the app's.
    static let linkFilter: [OptionDescription] = [
        .manifest,
        .value("aasa", "FILE", .file(endings: ["json"]), "The domains' association file"),
        .value(
            "domain", "DOMAIN", .text, "A domain of the app: example.com, *.example.com",
            isRepeatable: true),
        .value("app-id", "ID", .text, "The app's identifier in that file: TEAMID.bundle.id"),
    ]
}
