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
                conditions, and with --all every session that was compared.

                Without --manifest any custom scheme passes, and without --domain any host. The \
                app counts as not running ('cold') unless it owns the store now; --app-state \
                assumes another state. The exit status is 1 if no window gets the link. The \
                command doesn't ask the app, whose target(for:) may choose another window. \
                --deliver asks it.

                --deliver sends the link to the running app, and prints which window took it, \
                through which callbacks and why. The app listens if it was started by \
                SceneApplication.start(at:forwarding:). The exit status is 1 when the app declines \
                the link, 4 when it doesn't listen, and 3 when no app runs; --launch then starts \
                one, as a shell command with the link as its last word. If that command fails \
                within a second, the link isn't delivered, and the exit status is 1.
                """,
            arguments: [ArgumentDescription("URL", .text, "The link, as it arrives")],
            options: [
                .manifest,
                .value(
                    "aasa", "FILE", .file(endings: ["json"]),
                    "The domains' association file"),
                .value(
                    "domain", "DOMAIN", .text, "A domain of the app: example.com, *.example.com",
                    isRepeatable: true),
                .value(
                    "app-id", "ID", .text, "The app's identifier in that file: TEAMID.bundle.id"),
                .value(
                    "app-state", "STATE", .choice(DeliveryPlan.AppState.allCases.map(\.rawValue)),
                    "Assume this of the app when the link arrives"),
                .behaviour,
                .flag("why", "Show every rule that was asked, and the conditions of the window"),
                .flag("all", "With --why or --json, show every session that was compared"),
                .flag("deliver", "Hand the link to the running app"),
                .value("launch", "COMMAND", .text, "With --deliver: start this when no app runs"),
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
                    "open-url notes://note/42 --deliver",
                    "Sends the link; here no app runs", exits: .noStore),
                ExampleDescription(
                    "open-url 'javascript:alert(1)'", "No window gets such a link",
                    exits: .answeredNo),
            ])
    ) { invocation, context in
        let url = try invocation.requiredArgument("URL")
        let options =
            try invocation.text("manifest").map {
                SceneApplicationOptions(manifest: try context.readManifest($0))
            } ?? .ofUnknownApp
        let question = try LinkQuestion(url, invocation, context, options)
        if invocation.isGiven("launch"), !invocation.flag("deliver") {
            throw CommandError.usage("--launch belongs to --deliver")
        }
        if let refusal = question.decision.refusal, invocation.flag("deliver"),
            invocation.format == .json
        {
            return try LiveDelivery(invocation, context).write(refusal)
        }
        guard question.decision.isAccepted else {
            return try LinkAnswer(question, nil, invocation, context).write()
        }
        if invocation.flag("deliver") {
            return try LiveDelivery(invocation, context).deliver(
                LinkAnswer.payload(of: url), text: url)
        }
        return try context.withStore(invocation) { store in
            try LinkAnswer(question, store, invocation, context).write()
        }
    }
}
