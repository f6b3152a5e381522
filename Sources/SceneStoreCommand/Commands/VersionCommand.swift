import SceneStore
import SceneStoreFormats

enum VersionCommand {
    /// `version [--json]`.
    static let command = Command(
        CommandDescription(
            name: "version", group: .make,
            summary: "Print the version of scenestore",
            options: [.json],
            examples: [ExampleDescription("version --json", "For scripts, as one JSON object")])
    ) { invocation, context in
        guard invocation.format == .json else {
            try context.output.line("scenestore \(CommandLineTool.version)")
            for detail in context.versionDetails {
                try context.output.line("\(detail.title) \(detail.value.description)")
            }
            return .done
        }
        var object = CanonicalJSON.Object([("version", .string(CommandLineTool.version))])
        for detail in context.versionDetails {
            object[detail.key] =
                switch detail.value {
                case .number(let number): .count(number)
                case .text(let text): .string(text)
                }
        }
        try context.output.json(.object(object))
        return .done
    }
}
