/// The table: every command stands here once, in the order of the help.
enum AllCommands {
    static let tool = CommandLineTool(
        table: CommandTable(commands: commands),
        completionSources: completionSources)

    static let commands: [Command] = [
        InfoCommand.command,
        SessionsCommand.command,
        ShowCommand.command,
        FindCommand.command,
        LogCommand.command,
        HistoryCommand.command,
        DiffCommand.command,
        TimelineCommand.command,
        ReportCommand.command,
        SimulateCommand.command,
        WatchCommand.command,
        SizeCommand.command,
        SQLCommand.command,
        PlanCommand.command,
        WhyCommand.command,
        OpenURLCommand.command,
        DeliverCommand.command,
        LinkCommand.command,
        ManifestCommand.command,
        AdoptCommand.command,
        DoctorCommand.command,
        RepairCommand.command,
        SalvageCommand.command,
        BackupCommand.command,
        RestoreCommand.command,
        ExportCommand.command,
        SupportCommand.command,
        ImportCommand.command,
        CompactCommand.command,
        PruneCommand.command,
        DiscardCommand.command,
        ReopenCommand.command,
        HoldCommand.command,
        ReleaseCommand.command,
        CheckoutCommand.command,
        UndoCommand.undo,
        UndoCommand.operations,
        MergeCommand.command,
        ForgetCommand.command,
        ResetCommand.command,
        FixtureCommand.command,
        CompletionsCommand.command,
        HelpCommand.command,
        CompletionsCommand.complete,
        SimulateCommand.play,
    ]

    /// What completes words that stand in a store; see ``CompletionSource``.
    static let completionSources: [CompletionSource] = [.sessions, .keys]
}
