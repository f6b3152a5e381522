import SceneStore
import SceneStoreEngine

extension Command {
    /// `open-url URL`.
    static let openURL = Command(
        CommandDescription(
            name: "open-url", group: .ask,
            summary: "Show who would get a link, and by which callbacks",
            discussion: """
                Three questions: is the link the app's (its bytes, then the schemes of --manifest \
                or the hosts of --domain and the rules of --aasa)? which screen (a manifest names \
                no routes; the app's router says)? which session, by the conditions that are \
                stored with each?

                Exit status 1 when nobody gets it. What is not given is not asked: without \
                --manifest any custom scheme, without --domain any host passes. --app-state is \
                cold unless a running app owns the store; of an app that runs, the sessions in \
                front count as connected.

                --deliver hands the link to the app that runs on the store, which listens when it was \
                started by SceneApplication.start(at:forwarding:), and prints which window took it, \
                through which callbacks and why. Exit status 1 when the app declines it, 3 when no \
                app runs; --launch starts one then, by a shell, with the link as its last word.
                """,
            arguments: [ArgumentDescription("URL", .text, "The link, as it arrives")],
            options: [
                .manifest,
                .value(
                    "aasa", "FILE", .file(endings: ["json"]),
                    "The association file of the domains"),
                .value(
                    "domain", "DOMAIN", .text, "An associated domain: example.com, *.example.com",
                    isRepeatable: true),
                .value(
                    "app-id", "ID", .text, "The app in the association file: TEAMID.bundle.id"),
                .value(
                    "app-state", "STATE", .choice(DeliveryPlan.AppState.allCases.map(\.rawValue)),
                    "Where the app is when the link arrives"),
                .flag("why", "Show every rule and every session that was asked"),
                .flag("deliver", "Hand the link to the running app"),
                .value("launch", "COMMAND", .text, "With --deliver: start this when no app runs"),
                .json,
            ],
            examples: [
                ExampleDescription(
                    "open-url notes://note/42 --deliver", "To the app that runs",
                    exits: .noStore),
                ExampleDescription(
                    "open-url 'notes://note/42' --manifest Info.plist", "To a cold app"),
                ExampleDescription(
                    "open-url https://example.com/n/42 --aasa aasa.json --domain example.com --why",
                    "A universal link, explained"),
                ExampleDescription(
                    "open-url 'javascript:alert(1)'", "Nobody gets it", exits: .answeredNo),
            ])
    ) { invocation, context in
        let url = try invocation.requiredArgument("URL")
        let options = try context.applicationOptions(invocation)
        let question = try LinkQuestion(url, invocation, context, options)
        if invocation.isGiven("launch"), !invocation.flag("deliver") {
            throw CommandError.usage("--launch belongs to --deliver")
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
