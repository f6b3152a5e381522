extension Command {
    /// `release SESSION…`.
    static let release = holding(
        false,
        CommandDescription(
            name: "release", group: .keepSafe,
            summary: "Let held sessions connect again",
            discussion: """
                Works also for sessions that are held because the app died three times while it \
                restored them: their count of crashes starts at zero again.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing + [.json],
            examples: [ExampleDescription("release @last --yes", "Releases a session")]))
}
