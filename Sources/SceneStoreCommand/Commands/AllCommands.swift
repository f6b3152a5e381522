import SceneStore
import SceneStoreExchange

/// The table: every command stands here once, in the order of the help.
enum AllCommands {
    static let tool = CommandLineTool(
        table: CommandTable(commands: commands),
        completionSources: completionSources,
        versionDetails: versionDetails)

    static let commands: [Command] = [
        .info,
        .sessions,
        .show,
        .find,
        .log,
        .history,
        .diff,
        .timeline,
        .report,
        .simulate,
        .watch,
        .size,
        .sql,
        .plan,
        .why,
        .openURL,
        .continuing,
        .shortcut,
        .activate,
        .link,
        .manifest,
        .adopt,
        .doctor,
        .verify,
        .repair,
        .salvage,
        .backup,
        .restore,
        .export,
        .support,
        .importing,
        .migrate,
        .compact,
        .prune,
        .discard,
        .reopen,
        .hold,
        .release,
        .checkout,
        .undo,
        .redo,
        .operations,
        .merge,
        .forget,
        .reset,
        .fixture,
        .completions,
        .help,
        .version,
        .complete,
        .play,
    ]

    /// What completes words that stand in a store; see ``CompletionSource``.
    static let completionSources: [CompletionSource] = [.sessions]

    /// What `version` says beside the version.
    static let versionDetails: [VersionDetail] = [
        VersionDetail(
            key: "schema", title: "schema", value: String(StoreSummary.currentSchemaVersion)),
        VersionDetail(key: "sqlite", title: "SQLite", value: StoreSummary.sqliteVersion),
    ]
}
