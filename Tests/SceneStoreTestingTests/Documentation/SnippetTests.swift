import FoundationEssentials
import Testing

/// The code on the pages is the code that is compiled and run: each block of a page is compared
/// with the region of a source file that it names.
///
///     <!-- snippet: NAME -->            // snippet: NAME
///     ```swift                          …
///     …                                 // end
///     ```
@Suite("Snippets of the documentation")
struct SnippetTests {
    struct Block {
        var page: String
        var name: String?
        var text: String
    }

    static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    static func files(in folder: String, ending: String) -> [URL] {
        let path = root.appending(path: folder).path(percentEncoded: false)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".build") }.sorted()
            .map { root.appending(path: folder + "/" + $0) }
    }

    static func lines(_ url: URL) throws -> [String] {
        try String(decoding: Data(contentsOf: url), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The regions of the sources by name; a name may stand for several equal ones.
    static func regions() throws -> [String: Set<String>] {
        var regions: [String: Set<String>] = [:]
        let sources =
            files(in: "Tests/SceneStoreTestingTests", ending: ".swift")
            + files(in: "Examples/RestorationTests", ending: ".swift")
        for source in sources {
            var open: (name: String, lines: [String])?
            for line in try lines(source) {
                let word = line.trimmed
                if word.hasPrefix("// snippet: ") {
                    open = (String(word.dropFirst(12)), [])
                } else if word == "// end", let region = open {
                    regions[region.name, default: []].insert(unindented(region.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            }
            #expect(open == nil, "a snippet of \(source.lastPathComponent) has no end")
        }
        return regions
    }

    static func blocks() throws -> [Block] {
        var blocks: [Block] = []
        for page in files(in: "Sources/SceneStoreTesting/Documentation.docc", ending: ".md") {
            var name: String?
            var open: [String]?
            // What is no Swift is the language of scenarios, and tested beside it.
            for line in try lines(page) where page.lastPathComponent != "ScenarioLanguage.md" {
                if line.hasPrefix("```") {
                    if let text = open {
                        blocks.append(
                            Block(
                                page: page.lastPathComponent, name: name,
                                text: text.joined(separator: "\n")))
                        (open, name) = (nil, nil)
                    } else {
                        open = []
                    }
                } else if open != nil {
                    open?.append(line)
                } else if line.hasPrefix("<!-- snippet: ") {
                    name = String(line.dropFirst(14).dropLast(4))
                }
            }
        }
        return blocks
    }

    static func unindented(_ lines: [String]) -> String {
        let indent =
            lines.filter { !$0.trimmed.isEmpty }
            .map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }

    @Test("every block of code on a page is the code that runs")
    func blocksAreRegions() throws {
        let regions = try Self.regions()
        let blocks = try Self.blocks()
        #expect(blocks.count > 15)
        for block in blocks {
            let name = try #require(block.name, "\(block.page): a block without a snippet")
            #expect(regions[name] == [block.text], "\(block.page): \(name) differs")
        }
    }

    @Test("every region of code stands on a page")
    func regionsAreBlocks() throws {
        let shown = Set(try Self.blocks().compactMap(\.name))
        #expect(try Set(Self.regions().keys) == shown)
    }

    @Test("a pain is shown in five lines, a bug found in eight")
    func lengths() throws {
        for (name, texts) in try Self.regions() {
            let most = name.hasPrefix("pain-") ? 5 : name.hasPrefix("bug-") ? 8 : Int.max
            for text in texts {
                let count = text.split(separator: "\n")
                    .count { !$0.drop { $0 == " " }.hasPrefix("//") }
                #expect(count <= most, "\(name)")
            }
        }
    }
}

extension String {
    fileprivate var trimmed: Substring {
        drop { $0 == " " }
    }
}
