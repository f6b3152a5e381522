#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange

enum DeliverCommand {
    /// `deliver url`, `activity`, `shortcut` and `front`.
    static let command = Command(
        CommandDescription(
            name: "deliver", group: .ask,
            summary: "Hand the running app a link, an activity or a quick action",
            discussion: LiveDelivery.discussion,
            examples: [
                ExampleDescription(
                    "deliver url notes://note/42", "Sends the link; here no app runs",
                    exits: .noStore)
            ]),
        subcommands: [url, activity, shortcut, front])

    private static let url = Command(
        CommandDescription(
            name: "url", group: .ask,
            summary: "Open a link in the running app",
            discussion: """
                A link that isn't the app's is refused before the app is asked; 'open-url' explains \
                the rules. \(LiveDelivery.discussion)

                If no app runs, --launch starts one, as a shell command with the link as its last \
                word. If that command fails within a second, the link isn't delivered, and the \
                exit status is 1.
                """,
            arguments: [ArgumentDescription("URL", .text, "The link, as it arrives")],
            options: OptionDescription.linkFilter + [
                .value("launch", "COMMAND", .text, "Start this when no app runs"), .json,
            ],
            examples: [
                ExampleDescription(
                    "deliver url notes://note/42", "Sends the link; here no app runs",
                    exits: .noStore)
            ])
    ) { invocation, context in
        let question = try LinkQuestion(
            invocation.requiredArgument("URL"), invocation, context)
        let delivery = LiveDelivery(invocation, context)
        if let refusal = question.decision.refusal {
            return try invocation.format == .json
                ? delivery.write(refusal)
                : LinkAnswer(question, nil, invocation, context).write()
        }
        return try delivery.deliver(LinkAnswer.payload(of: question.url), text: question.url)
    }

    private static let activity = Command(
        CommandDescription(
            name: "activity", group: .ask,
            summary: "Have the running app continue an activity",
            discussion: LiveDelivery.discussion,
            arguments: [ArgumentDescription("TYPE", .text, "The activity's type")],
            options: [
                .value("webpage", "URL", .text, "The activity's web page, http or https"), target,
                .json,
            ],
            examples: [
                ExampleDescription(
                    "deliver activity com.example.edit --target note/42",
                    "Continues in the window of note 42; here no app runs",
                    exits: .noStore)
            ])
    ) { invocation, context in
        var activity = try UserActivity(activityType: invocation.requiredArgument("TYPE"))
        if let text = invocation.text("webpage") {
            guard let page = URL(string: text, encodingInvalidCharacters: false) else {
                throw CommandError.usage("--webpage \(text.quotedForError) is not a URL")
            }
            try activity.setWebpageURL(page)
        }
        activity.targetContentIdentifier = invocation.text("target")
        return try LiveDelivery(invocation, context).deliver(.activity(activity))
    }

    private static let shortcut = Command(
        CommandDescription(
            name: "shortcut", group: .ask,
            summary: "Have the running app perform a quick action",
            discussion: LiveDelivery.discussion,
            arguments: [ArgumentDescription("TYPE", .text, "The action's type")],
            options: [target, .json],
            examples: [
                ExampleDescription(
                    "deliver shortcut com.example.new-note", "Makes a new note; here no app runs",
                    exits: .noStore)
            ])
    ) { invocation, context in
        let item = ShortcutItem(
            type: try invocation.requiredArgument("TYPE"),
            targetContentIdentifier: invocation.text("target"))
        return try LiveDelivery(invocation, context).deliver(.shortcut(item))
    }

    private static let front = Command(
        CommandDescription(
            name: "front", group: .ask,
            summary: "Bring a window of the running app forward",
            discussion: """
                Without SESSION the window in front comes forward, as when the app is started again. \
                A session without a window gets one. \(LiveDelivery.requirement)
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The session", count: .optional)
            ],
            options: [.json],
            examples: [
                ExampleDescription(
                    "deliver front @last", "The window that was used last; here no app runs",
                    exits: .noStore)
            ])
    ) { invocation, context in
        let record = try invocation.argument("SESSION").map { word in
            try context.withStore(invocation) { try SessionArgument(word).resolve(in: $0) }
        }
        return try LiveDelivery(invocation, context).bringForward(record?.id)
    }

    /// The identifier that conditions are compared with.
    private static let target = OptionDescription.value(
        "target", "ID", .text, "Its target content identifier")
}
