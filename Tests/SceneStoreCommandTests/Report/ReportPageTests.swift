import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand

/// A page's elements that carry numbers, found by reading its text.
struct PageNumbers {
    /// By `picture` or `table`, then by band or lane, then by kind.
    private(set) var bandsOfPicture: [String: [String: Int]] = [:]
    private(set) var bandsOfTable: [String: [String: Int]] = [:]
    private(set) var marksByBand: [String: [String: Int]] = [:]
    private(set) var marksByLane: [String: [String: Int]] = [:]
    private(set) var lanesOfTable: [String: [String: Int]] = [:]

    /// Reads the first picture, the timeline, and the two tables.
    init(_ page: String) {
        let picture = Self.between(page, "<svg class=\"timeline\"", "<ul class=\"legend\"")
        for element in picture.components(separatedBy: "<g class=\"band").dropFirst() {
            let attributes = Self.attributes(element)
            bandsOfPicture[attributes["band"] ?? "", default: [:]] = Self.counts(attributes)
        }
        for element in picture.components(separatedBy: "class=\"mark ").dropFirst() {
            let attributes = Self.attributes(element)
            for (kind, count) in Self.counts(attributes) {
                marksByBand[attributes["band"] ?? "", default: [:]][kind, default: 0] += count
                marksByLane[attributes["lane"] ?? "", default: [:]][kind, default: 0] += count
            }
        }
        bandsOfTable = Self.rows(Self.between(page, "<table id=\"launches\"", "</table>"), "band")
        lanesOfTable = Self.rows(Self.between(page, "<table id=\"sessions\"", "</table>"), "lane")
    }

    private static func rows(_ table: String, _ key: String) -> [String: [String: Int]] {
        var rows: [String: [String: Int]] = [:]
        for row in table.components(separatedBy: "<tr").dropFirst(2) {
            let attributes = attributes(row)
            var counts: [String: Int] = [:]
            for cell in row.components(separatedBy: "<td class=\"n").dropFirst() {
                let own = Self.attributes(cell)
                let shown = between(cell, ">", "</td>").dropFirst()
                for (kind, count) in Self.counts(own) {
                    // What stands there is what the attribute says.
                    counts[kind] = Int(shown) == count ? count : -1
                }
            }
            rows[attributes[key] ?? "", default: [:]] = counts.filter { $0.value != 0 }
        }
        return rows
    }

    private static func counts(_ attributes: [String: String]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for kind in MarkKind.allCases {
            counts[kind.rawValue] = attributes[kind.rawValue].flatMap { Int($0) }
        }
        return counts
    }

    /// The `data-` attributes of an element's first tag.
    private static func attributes(_ element: String) -> [String: String] {
        var attributes: [String: String] = [:]
        let tag = element.prefix { $0 != ">" }
        for part in tag.components(separatedBy: " data-").dropFirst() {
            let pair = part.components(separatedBy: "=\"")
            if pair.count >= 2 {
                attributes[pair[0]] = String(pair[1].prefix { $0 != "\"" })
            }
        }
        return attributes
    }

    private static func between(_ text: String, _ start: String, _ end: String) -> String {
        guard let from = text.range(of: start),
            let to = text.range(of: end, range: from.upperBound..<text.endIndex)
        else {
            return ""
        }
        return String(text[from.lowerBound..<to.lowerBound])
    }
}

@Suite("report")
struct ReportPageTests {
    @Test("picture and tables hold the same numbers", arguments: 0..<12)
    func agreement(seed: Int) {
        let (launches, sessions, marks) = RandomStory.sizes[seed % RandomStory.sizes.count]
        let story = RandomStory.make(
            seed: UInt64(seed), launches: launches, sessions: sessions, marks: marks)
        let numbers = PageNumbers(ReportPage(story: story).markup().text)
        #expect(numbers.bandsOfPicture == numbers.bandsOfTable)
        #expect(numbers.marksByBand == numbers.bandsOfTable.filter { !$0.value.isEmpty })
        #expect(numbers.marksByLane == numbers.lanesOfTable.filter { !$0.value.isEmpty })
        var expected = MarkCounts()
        for mark in story.marks {
            expected.add(mark.kind)
        }
        for kind in MarkKind.allCases {
            let sum = numbers.bandsOfTable.values.reduce(0) { $0 + ($1[kind.rawValue] ?? 0) }
            #expect(sum == expected[kind])
        }
    }

    @Test("the page is strict: one style by its hash, no script, nothing to load")
    func policy() {
        let story = RandomStory.make(seed: 4, launches: 5, sessions: 4, marks: 40)
        let page = ReportPage(story: story).markup().text
        #expect(page.contains("default-src 'none'; style-src 'sha256-\(ReportPage.styleHash)'"))
        #expect(!page.contains("<script"))
        #expect(!page.contains("style=\""))
        #expect(!page.contains("src=\""))
        #expect(!page.contains("url("))
        for link in page.components(separatedBy: "href=\"").dropFirst() {
            #expect(link.first == "#")
        }
    }

    @Test("every place that a link leads to is on the page, and no name is there twice")
    func anchors() {
        let story = RandomStory.make(seed: 9, launches: 60, sessions: 8, marks: 300)
        let page = ReportPage(story: story, chosen: 2).markup().text
        let names = page.components(separatedBy: " id=\"").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
        #expect(Set(names).count == names.count)
        for link in page.components(separatedBy: "href=\"#").dropFirst() {
            #expect(names.contains(String(link.prefix { $0 != "\"" })))
        }
        #expect(page.contains("29 older launches left out"))
        #expect(page.contains("<details name=\"launch\" open><summary><b>Launch 2<"))
    }

    @Test("pictures have names and descriptions, and each mark says what it is")
    func names() {
        let story = RandomStory.make(seed: 2, launches: 3, sessions: 3, marks: 30)
        let page = ReportPage(story: story).markup().text
        let pictures = page.components(separatedBy: "<svg ").dropFirst().filter {
            !$0.hasPrefix("class=\"shapes") && !$0.contains("aria-hidden=\"true\"")
        }
        #expect(!pictures.isEmpty)
        for picture in pictures {
            #expect(picture.contains("aria-labelledby="))
            #expect(picture.contains("<desc "))
        }
        let marks = page.components(separatedBy: "class=\"mark ").dropFirst().filter {
            $0.contains("data-lane")
        }
        #expect(!marks.isEmpty)
        #expect(marks.allSatisfy { $0.contains("aria-label=\"") && $0.contains("<title>") })
    }

    @Test(
        "the hash of the policy is SHA-256",
        arguments: [
            ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
            ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
            ),
        ])
    func hash(text: String, expected: String) {
        #expect(SHA256.base64(Array(text.utf8)) == expected)
    }

    @Test("what is interpolated into markup is escaped, what is written is not")
    func markup() {
        let evil = "<b>\"'&`\u{202E}\u{0}"
        let markup: Markup = "<td title=\"\(evil)\">\(3)</td>"
        #expect(
            markup.text
                == #"<td title="&#60;b&#62;&#34;&#39;&#38;&#96;\u{202E}\u{0}">3</td>"#)
    }

    @Test("--output never overwrites unasked, and a launch that is not there answers no")
    func output() throws {
        let fixture = try EditedFixture()
        let file = fixture.file("page.html")
        let run = fixture.run("report", "-o", file)
        #expect(run.status == .done, "\(run.errors)")
        let bytes = try Data(contentsOf: URL(filePath: file))
        #expect(bytes == Data(fixture.run("report").output.utf8))
        #expect(fixture.run("report", "-o", file).status != .done)
        #expect(fixture.run("report", "-o", file, "--force").status == .done)
        #expect(fixture.run("report", "-o", fixture.path + "/scenes.sqlite").status != .done)
        #expect(fixture.run("report", "--launch", "77").status == .answeredNo)
        #expect(fixture.run("report", "--launch", "1").status == .done)
    }

    // HELP-BEGIN
    @Test("help report")
    func helpReport() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "report").output == #"""
                Usage: scenestore report [--output FILE] [--force] [--launch N|last]
                           [--redact HOW] [--json]

                Draw a store as one page: sessions over time, launches, sizes, tables.

                The page is one HTML file that opens from disk in any browser. It runs no
                script, loads nothing, and can be printed. It begins with what the next launch
                does with each window and what the doctor found. Then come sessions over time,
                launches and sizes, with all numbers in tables as well.

                --redact values leaves out titles, and --redact all leaves out the types of
                activities, too. The page never shows what a session holds. Of a private session
                it shows only that it exists.

                --json prints the numbers of the page, one JSON value a line, each with its
                'kind': store, window, finding, launch or session.

                Options
                  -o, --output FILE    The file; else standard output
                      --force          Overwrite an existing file
                      --launch N|last  The launch that is shown open, counted from 1 (default
                                       last)
                      --redact HOW     What is left out: none, values or all (default none)
                      --json           Print one JSON value a line, keys sorted

                Options of every command: see 'scenestore help'.

                Examples
                  scenestore report -o windows.html
                      Everything, to look at
                  scenestore report --redact all -o support.html
                      To hand to somebody else

                """#)
    }

    // HELP-END
}
