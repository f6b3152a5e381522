import SceneStore
import SceneStoreExchange

/// The report: one HTML page that needs nothing else, no network and no script.
///
/// 1. All stored text goes through ``Markup``, which escapes it.
/// 2. The content policy allows one style sheet, by its hash, and nothing else: if markup got in
///    all the same, it could load and run nothing.
/// 3. Pictures and tables are made of the same models; each mark and band carries its numbers.
/// 4. The page is bounded whatever the store holds, and says what it leaves out.
struct ReportPage {
    let story: StoreStory
    /// The launch whose waterfall is open; nil for the newest.
    var chosen: Int64?

    /// Launches whose waterfalls are on the page.
    static let launchLimit = 30

    func markup() -> Markup {
        let model = TimelineModel(story)
        let shown = shownLaunches
        var page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'sha256-\(Markup(stringLiteral: Self.styleHash))'; base-uri 'none'; form-action 'none'">
            <meta name="referrer" content="no-referrer">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Scene sessions\(appSuffix)</title>
            <style>\(Markup(stringLiteral: ReportStyle.sheet))</style>
            </head>
            <body>
            <a class="skip" href="#tables">Skip the pictures</a>
            \(TimelineSVG.shapes)
            """
        page.append(header())
        page.append("<main>\n")
        if let outlook = story.outlook {
            page.append(ReportOutlook(outlook: outlook).markup())
        }
        page.append(ReportTimeline(story: story, model: model, shown: Set(shown)).markup())
        page.append(ReportLaunches(story: story, shown: shown, open: openLaunch(shown)).markup())
        page.append(ReportSizes(story: story, model: model).markup())
        page.append(ReportTables(story: story, model: model, shown: Set(shown)).markup())
        page.append("</main>\n")
        page.append(footer())
        page.append("</body>\n</html>\n")
        return page
    }

    /// Places of the launches that have a waterfall, newest first.
    private var shownLaunches: [Int] {
        var shown = Array(story.launches.indices.suffix(Self.launchLimit).reversed())
        if let index = story.launches.firstIndex(where: { $0.number == chosen }),
            !shown.contains(index)
        {
            shown.append(index)
        }
        return shown
    }

    private func openLaunch(_ shown: [Int]) -> Int? {
        story.launches.firstIndex { $0.number == chosen } ?? shown.first
    }

    static var styleHash: String {
        SHA256.base64(Array(ReportStyle.sheet.utf8))
    }

    private var appSuffix: Markup {
        story.appIdentifier.map { " of \(StoreStory.bounded($0))" } ?? ""
    }

    private func header() -> Markup {
        let open = story.sessions.count { $0.status.isOpen }
        var kept: Markup = ""
        for obstacle in LaunchOutcome.obstacles {
            if let count = story.outlook?.obstacles[obstacle] {
                let name: Markup = obstacle.isOfState ? "With state" : "Sessions"
                kept.append(
                    "<div><dt>\(name) \(obstacle.rawValue)</dt><dd>\(NumberText.grouped(count))</dd></div>\n"
                )
            }
        }
        let discarded = story.sessions.count { $0.status == .discarded }
        let died = story.launches.count { $0.ending == .died }
        let bytes = story.sessions.reduce(Int64(0)) { $0 &+ Int64($1.bytes ?? 0) }
        let ofState =
            story.namedSessions < story.sessions.count
            ? "State of the \(story.namedSessions) newest" : "State kept"
        let redaction: Markup =
            switch story.redaction {
            case .none: ""
            case .values: " Titles and values are left out."
            case .all: " Titles, values and types of activities are left out."
            }
        return """
            <header>
            <h1>Scene sessions\(appSuffix)</h1>
            <p class="soft">As scenestore \(CommandLineTool.version) read them on \
            <time>\(TimeText.moment(story.now))</time>. All times are UTC.\(redaction)</p>
            <dl class="facts">
            <div><dt>Open sessions</dt><dd>\(NumberText.grouped(open))</dd></div>
            \(kept)<div><dt>Discarded</dt><dd>\(NumberText.grouped(discarded))</dd></div>
            <div><dt>Launches</dt><dd>\(NumberText.grouped(story.launches.count))</dd></div>
            <div><dt>Processes that died</dt><dd>\(NumberText.grouped(died))</dd></div>
            <div><dt>\(ofState)</dt><dd>\(NumberText.bytes(bytes))</dd></div>
            </dl>
            </header>

            """
    }

    private func footer() -> Markup {
        var text: Markup = """
            <footer><p>Read from \(NumberText.counted(story.entryCount, "journal entry", "journal entries")). \
            The journal is bounded, and a save is known only as long as the history keeps its state.
            """
        if story.namedSessions < story.sessions.count {
            text.append(
                " Names and states were read of the \(story.namedSessions) most recent sessions.")
        }
        text.append("</p></footer>\n")
        return text
    }
}

/// Where a launch is explained on the page.
enum ReportAnchor {
    static func launch(_ number: Int64) -> String { "launch-\(number)" }
    static func row(_ band: TimelineModel.Band) -> String { "row-\(band.last)" }
}
