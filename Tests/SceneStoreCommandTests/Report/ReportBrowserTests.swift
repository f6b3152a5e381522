import Dispatch
import Foundation
import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// Chromium without a window.
enum Chromium {
    /// Where it is, if it is anywhere.
    static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
        let candidates =
            [environment["SCENESTORE_CHROMIUM"]].compactMap { $0 }
            + folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// What came of loading a page.
    struct Visit {
        /// The page as it stands after loading.
        var document = ""
        /// What it said on its console, violations of its policy among it.
        var console: [String] = []
        /// What it asked the network for.
        var requests: [String] = []
    }

    /// What Chromium asks for itself, whatever page it shows; nothing of it leaves the machine.
    private static func isOwn(_ url: String) -> Bool {
        guard let host = URL(string: url)?.host(), url.hasPrefix("http") else {
            return true
        }
        return ["google.com", "googleapis.com", "gvt1.com"].contains { host.hasSuffix($0) }
    }

    /// Loads a page from disk.
    static func visit(_ page: String) throws -> Visit {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let file = folder + "/page.html"
        try Data(page.utf8).write(to: URL(filePath: file))
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-default-apps",
            "--disable-extensions", "--user-data-dir=\(folder)/profile",
            "--log-net-log=\(folder)/net.json", "--net-log-capture-mode=Everything",
            "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom",
            "file://" + file,
        ]
        // Files, for pipes fill up while the other one is read.
        let (output, errors) = (folder + "/out", folder + "/err")
        for name in [output, errors] {
            try Data().write(to: URL(filePath: name))
        }
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        try process.run()
        process.waitUntilExit()
        func text(_ path: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        var visit = Visit(document: text(output))
        visit.console = text(errors).components(separatedBy: "\n").filter {
            $0.contains("CONSOLE")
        }
        let log = text(folder + "/net.json")
        visit.requests = log.components(separatedBy: "\"url\":\"").dropFirst().map { piece in
            String(piece.prefix { $0 != "\"" })
        }.filter { !isOwn($0) }
        if log.isEmpty {
            visit.requests = ["no log of the network was written"]
        }
        return visit
    }
}

@Suite(
    "report in a browser",
    .enabled(if: Chromium.path != nil, "there is no Chromium; the page is not loaded"),
    .serialized)
struct ReportBrowserTests {
    /// The life that the picture in the documentation shows.
    private static func fortnight() throws -> StoreStory {
        let scenario = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Examples/Scenarios/fortnight.scenario").standardizedFileURL
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let container = folder + "/container"
        let player = try ScenarioPlayer(
            Scenario(
                text: String(contentsOf: scenario, encoding: .utf8),
                name: scenario.path(percentEncoded: false)), container: container,
            output: ScenarioPlayer.Output(line: { _ in }, failure: { _ in }))
        _ = try player.play()
        var options = SceneSessionStore.Options.seeded()
        options.access = .reader
        let store = try SceneSessionStore.open(at: .directory(container), options: options)
        defer { try? store.close() }
        return try StoreStory(
            reading: store, redaction: .none, now: VirtualClock.start + 1_209_600_000)
    }

    @Test("a rich store's page: no word on the console, no request, pictures and tables agree")
    func rich() throws {
        let story = try Self.fortnight()
        #expect(story.launches.count == 30)
        #expect(story.sessions.count == 12)
        for kind in [MarkKind.create, .restore, .link, .save, .discard, .crash, .blame] {
            #expect(story.marks.contains { $0.kind == kind }, "\(kind)")
        }
        let page = ReportPage(story: story).markup().text
        let visit = try Chromium.visit(page)
        #expect(visit.console == [])
        #expect(visit.requests == [])
        let numbers = PageNumbers(visit.document)
        #expect(numbers.bandsOfTable.count == 30)
        #expect(numbers.lanesOfTable.count == 13)
        #expect(numbers.bandsOfPicture == numbers.bandsOfTable)
        #expect(numbers.marksByBand == numbers.bandsOfTable)
        #expect(numbers.marksByLane == numbers.lanesOfTable.filter { !$0.value.isEmpty })
    }

    @Test("the policy stops a script, a foreign style and a request, and the test sees it")
    func control() throws {
        var page = ReportPage(story: StoreStory()).markup().text
        page = page.replacingOccurrences(
            of: "</main>",
            with: """
                <script>document.title = "ran"</script><p style="color:red">x</p>\
                <img src="http://example.invalid/canary.png"></main>
                """)
        let visit = try Chromium.visit(page)
        #expect(visit.console.count >= 3, "\(visit.console)")
        #expect(visit.console.allSatisfy { $0.contains("Content Security Policy") })
        #expect(!visit.document.contains("<title>ran</title>"))
        #expect(visit.requests == [])
        // Without the policy the same page runs and asks.
        let open = page.replacingOccurrences(of: "http-equiv=\"Content-Security-Policy\"", with: "")
        let free = try Chromium.visit(open)
        #expect(free.document.contains("<title>ran</title>"))
        #expect(free.requests.contains { $0.contains("canary.png") })
    }

    /// Opens everything, measures every text of every picture, and writes down what touches.
    private static let measure = """
        <script>
        for (const one of document.querySelectorAll('details')) {
          one.removeAttribute('name'); one.open = true;
        }
        const faults = [];
        let count = 0;
        for (const svg of document.querySelectorAll('svg:not([aria-hidden])')) {
          const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBBox()]);
          const all = svg.viewBox.baseVal;
          count += boxes.length;
          for (let i = 0; i < boxes.length; i++) {
            const [name, a] = boxes[i];
            if (a.x < -1 || a.x + a.width > all.width + 1) faults.push(name + ' leaves');
            for (let j = i + 1; j < boxes.length; j++) {
              const [other, b] = boxes[j];
              // A line of text is higher than its letters: rows touch, letters do not.
              const high = 0.3 * Math.min(a.height, b.height);
              if (a.x < b.x + b.width && b.x < a.x + a.width &&
                  a.y + high < b.y + b.height && b.y + high < a.y + a.height)
                faults.push(name + ' touches ' + other);
            }
          }
        }
        document.title = count + ' texts, ' + faults.length + ' faults: ' + faults.slice(0, 5);
        </script></body>
        """

    @Test("in a real font no two labels touch either", arguments: [0, 3, 4])
    func labels(seed: Int) throws {
        let (launches, sessions, marks) = RandomStory.sizes[seed]
        let story =
            seed == 0
            ? try Self.fortnight()
            : RandomStory.make(
                seed: UInt64(seed), launches: launches, sessions: sessions, marks: marks)
        let page = ReportPage(story: story).markup().text
            .replacingOccurrences(of: "http-equiv=\"Content-Security-Policy\"", with: "")
            .replacingOccurrences(of: "</body>", with: Self.measure)
        let document = try Chromium.visit(page).document
        let title = document.components(separatedBy: "<title>").dropFirst().first ?? ""
        let words = title.components(separatedBy: "</title>").first ?? ""
        #expect(words.hasSuffix(" texts, 0 faults: "), "\(words)")
        #expect((Int(words.prefix { $0.isNumber }) ?? 0) > 50, "\(words)")
    }

    @Test("hostile text stays text in a browser")
    func hostile() throws {
        var story = RandomStory.make(seed: 6, launches: 4, sessions: 6, marks: 60)
        let evil = [
            "<script>document.title='ran'</script>", "\"><img src=http://evil.example.invalid/x>",
            "' onfocus='document.title=1' autofocus='", "</style><script>x</script>",
            "</title></svg><h1>x", "javascript:alert(1)",
        ]
        for (index, text) in evil.enumerated() {
            story.sessions[index].title = text
            story.sessions[index].identifier = text
            story.sessions[index].configuration = text
        }
        for index in story.marks.indices {
            story.marks[index].words = evil[index % evil.count]
        }
        story.appIdentifier = evil[0]
        // Without the policy, so that escaping alone must do.
        let page = ReportPage(story: story).markup().text
            .replacingOccurrences(of: "http-equiv=\"Content-Security-Policy\"", with: "")
        let visit = try Chromium.visit(page)
        #expect(visit.console == [])
        #expect(visit.requests == [])
        #expect(!visit.document.contains("<script"))
        #expect(!visit.document.contains("<img"))
        #expect(visit.document.contains("<title>Scene sessions of &lt;script&gt;"))
    }
}
