extension Command {
    /// `release SESSION…`.
    static let release = holding(
        false,
        CommandDescription(
            name: "release", group: .keepSafe,
            summary: "Let held sessions connect again",
            discussion: """
                Also for sessions that are held because the app died three times while it restored \
                them: their count of crashes begins anew.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing,
            examples: [ExampleDescription("release @last --yes", "Releases a session")]))
}
