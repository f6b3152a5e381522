enum ReleaseCommand {
    /// `release SESSION…`.
    static let command = HoldCommand.holding(
        false,
        CommandDescription(
            name: "release", group: .keepSafe,
            summary: "Let held sessions connect again",
            discussion: """
                This also releases sessions that are held because the app died three times while \
                restoring them: their crash count starts at zero again.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing + [.json],
            examples: [ExampleDescription("release @last --yes", "Releases a session")]))
}
