import SceneStore
import SceneStoreExchange

extension OptionDescription {
    /// How much of what a store holds leaves it.
    static let redact = value(
        "redact", "HOW", .choice(ExportRedaction.allCases.map(\.rawValue)),
        "What is left out", default: "none")
}

extension Invocation {
    /// What `--redact` says.
    var redaction: ExportRedaction {
        text("redact").flatMap { ExportRedaction(rawValue: $0) } ?? .none
    }
}
