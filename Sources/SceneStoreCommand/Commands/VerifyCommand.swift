import SceneStore

extension Command {
    /// `verify`.
    static let verify = Command(
        CommandDescription(
            name: "verify", group: .keepSafe,
            summary: "Look for damage in a store",
            discussion: """
                Pages, the checksum of every row, references, counts and clocks. With --full also \
                whether indexes agree with their tables and every stored value can be read. \
                Nothing is changed, and a running app waits for nothing.
                """,
            options: [.flag("full", "Look at indexes and stored values, too"), .json],
            examples: [
                ExampleDescription("verify", "Says whether the store is sound"),
                ExampleDescription("verify --full --json", "Findings for scripts"),
            ])
    ) { invocation, context in
        let report = try context.withStore(invocation, saysFindings: false) { store in
            try store.verify(invocation.flag("full") ? .full : .standard)
        }
        for finding in report.findings {
            if invocation.format == .json {
                try context.output.json(finding.json)
            } else {
                try context.output.line(finding.line)
            }
        }
        guard report.isSound else {
            try context.note(
                "\(NumberText.counted(report.findings.count, "finding")); 'scenestore repair' mends or isolates"
            )
            return .answeredNo
        }
        if invocation.format == .text {
            try context.output.line("\("sound", .green)")
        }
        return .done
    }
}
