#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

enum ContinueCommand {
    /// `continue TYPE`.
    static let command = Command(
        CommandDescription(
            name: "continue", group: .ask,
            summary: "Have the running app continue an activity",
            discussion: LiveDelivery.discussion,
            arguments: [ArgumentDescription("TYPE", .text, "The activity's type")],
            options: [
                .value("webpage", "URL", .text, "The activity's web page, http or https"), .target,
                .json,
            ],
            examples: [
                ExampleDescription(
                    "continue com.example.edit --target note/42",
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
}
