import SceneStore

enum TimelineCommand {
    /// `timeline`.
    static let command = Command(
        CommandDescription(
            name: "timeline", group: .look,
            summary: "Draw the sessions as lanes over the launches",
            discussion: """
                Each row is a session, and each numbered band a launch. Time runs to the right \
                and continues below. Where the locale is not UTF-8, the picture is drawn in \
                ASCII. If there are more launches or sessions than fit, the older ones share a \
                place, and a line below says so.

                --json and --csv print a line for everything that happened, and leave nothing \
                out; --limit, --since, --sort and --columns choose among those lines. 'report' \
                draws the same picture on a page.
                """,
            options: [
                .value(
                    "launches", "N", .integer(1...10_000), "Only the newest N launches"),
                .json, .csv,
            ] + OptionDescription.table,
            columns: [
                "time", "launch", "mark", "session", "title", "outcome", "appVersion",
            ],
            examples: [
                ExampleDescription("timeline", "All launches"),
                ExampleDescription("timeline --launches 5", "The newest five"),
                ExampleDescription("timeline --csv", "For a spreadsheet"),
            ])
    ) { invocation, context in
        var story = try context.withStore(invocation) { store in
            try StoreStory(
                reading: store, redaction: .none, now: context.clock.now(),
                names: invocation.format == .text ? StoreStory.nameLimit : .max,
                check: context.checkInterruption)
        }
        if let limit = invocation.integer("launches") {
            story.keep(newest: limit)
        }
        guard invocation.format == .text else {
            try TimelineRows(story).write(invocation, context)
            return .done
        }
        guard !story.launches.isEmpty else {
            try context.note("the store has seen no launch")
            return .done
        }
        try draw(story, context)
        return .done
    }

    private static func draw(_ story: StoreStory, _ context: CommandContext) throws {
        let width = min(max(context.terminal.width ?? 100, 40), 200)
        var limits = TimelineModel.Limits()
        limits.columnsOfBand = 8
        let model = TimelineModel(story, limits: limits)
        let text = TimelineText(
            model: model,
            layout: TimelineLayout(
                model, names: story.names(of: model), starts: story.starts(of: model),
                metric: TimelineText.metric(width: width, withYears: story.hasSeveralYears)),
            isUnicode: TimelineText.isUnicode(context.environment))
        for line in text.lines() {
            try context.checkInterruption()
            try context.output.line(line)
        }
        try context.output.line()
        for line in text.legend() {
            try context.output.line(line)
        }
        if !story.appVersions.isEmpty {
            try context.output.line("\(story.appVersions.joined(separator: ", "))")
        }
        if model.sharedLaunches > 0 {
            try context.note(
                "the first \(NumberText.counted(model.sharedLaunches, "launch", "launches")) share bands; --launches N shows the newest"
            )
        }
        if model.sharedSessions > 0 {
            try context.note(
                "\(NumberText.counted(model.sharedSessions, "less recent session")) in the last row"
            )
        }
    }
}

/// What happened, a row each, for programs.
private struct TimelineRows {
    let story: StoreStory

    init(_ story: StoreStory) {
        self.story = story
    }

    func write(_ invocation: Invocation, _ context: CommandContext) throws {
        var table = try TableWriter(
            [
                TableColumn("time", "Time"), TableColumn("launch", "Launch"),
                TableColumn("mark", "Mark"), TableColumn("session", "Session"),
                TableColumn("title", "Title"), TableColumn("outcome", "Outcome"),
                TableColumn("appVersion", "App"),
            ], invocation, context)
        let versions = Dictionary(
            story.launches.map { ($0.number, $0.appVersion) },
            uniquingKeysWith: { first, _ in first })
        for mark in story.marks {
            let session = mark.session.map { story.sessions[$0] }
            try table.append([
                .time(mark.time), mark.launch == 0 ? .none : .integer(mark.launch),
                .text(mark.kind.rawValue), .text(session?.identifier), .text(session?.title),
                .text(mark.words.isEmpty ? nil : mark.words),
                .text(versions[mark.launch] ?? nil),
            ])
        }
        try table.finish()
    }
}
