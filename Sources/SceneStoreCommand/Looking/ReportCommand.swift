import SceneStore

enum ReportCommand {
    /// `report`.
    static let command = Command(
        CommandDescription(
            name: "report", group: .look,
            summary: "Draw a store as one page: sessions over time, launches, sizes, tables",
            discussion: """
                The page is one HTML file that opens from disk in any browser. It runs no script, \
                loads nothing, and can be printed. It begins with what the next launch does with \
                each window and what the doctor found. Then come sessions over time, launches and \
                sizes, with all numbers in tables as well.

                --redact values leaves out titles, and --redact all leaves out the types of \
                activities, too. The page never shows what a session holds. Of a private session \
                it shows only that it exists.

                --json prints the numbers of the page, one JSON value a line, each with its \
                'kind': store, window, finding, launch or session.
                """,
            options: [
                .output("The file; else standard output", endings: ["html"]), .force,
                .value(
                    "launch", "N|last", .integer(1...Int.max, or: ["last"]),
                    "The launch that is shown open, counted from 1", default: "last"),
                .redact, .json,
            ],
            examples: [
                ExampleDescription("report -o windows.html", "Everything, to look at"),
                ExampleDescription(
                    "report --redact all -o support.html", "To hand to somebody else"),
            ])
    ) { invocation, context in
        let redaction = invocation.redaction
        let isForPeople = invocation.format == .text
        var story = try context.withStore(invocation) { store in
            let summary = try context.summary(of: store, invocation)
            var story = try StoreStory(
                reading: store, summary, redaction: redaction, now: context.clock.now(),
                names: isForPeople ? StoreStory.nameLimit : .max,
                check: context.checkInterruption)
            // Others read the page, elsewhere.
            story.outlook = try TimeText.$zone.withValue(nil) {
                try StoryOutlook(of: story, reading: store, summary)
            }
            return story
        }
        story.outlook?.findings = try TimeText.$zone.withValue(nil) {
            try context.doctorFindings(invocation)
        }
        let chosen = invocation.integer("launch").map { Int64($0) }
        if let chosen, !story.launches.contains(where: { $0.number == chosen }) {
            throw CommandError(
                .answeredNo, "the store knows no launch \(chosen)",
                hint: context.advice("timeline", at: context.storePath(invocation))
                    + " shows those that it knows")
        }
        var bytes: [UInt8] = []
        if !isForPeople {
            for line in ReportLines(story: story).all {
                line.append(to: &bytes)
                bytes.append(0x0A)
            }
        } else {
            bytes = TimeText.$zone.withValue(nil) {
                Array(ReportPage(story: story, chosen: chosen).markup().text.utf8)
            }
        }
        try context.deliver(bytes, invocation)
        return .done
    }
}
