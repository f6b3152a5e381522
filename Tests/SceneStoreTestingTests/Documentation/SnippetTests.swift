import FoundationEssentials
import Testing

/// The code on the pages is the code that is compiled and run: each block of a page is compared
/// with the region of a source file that it names.
///
///     <!-- snippet: NAME -->            // snippet: NAME
///     ```swift                          …
///     …                                 // end
///     ```
///
/// Where `<!-- lines of: FILE -->` stands, the block's lines stand in that file, in this order, in
/// whatever language and however they are indented. The tutorial is compiled by `Scripts/tutorial.sh`, the page on adopting by its
/// own tests.
@Suite("Snippets of the documentation")
struct SnippetTests {
    struct Block {
        var page: String
        var name: String?
        var file: String?
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

    /// The regions that stand on pages, by name; a name may stand for several equal ones.
    static func regions() throws -> [String: Set<String>] {
        let sources =
            files(in: "Tests", ending: ".swift")
            + files(in: "Examples/RestorationTests", ending: ".swift")
        return try regions(
            of: sources.filter { $0.lastPathComponent != "SnippetTests.swift" },
            marker: "// snippet: ")
    }

    /// The regions that begin with a marker and their name, up to `// end`.
    static func regions(of sources: [URL], marker: String) throws -> [String: Set<String>] {
        var regions: [String: Set<String>] = [:]
        for source in sources {
            var open: (name: String, lines: [String])?
            for line in try lines(source) {
                let word = line.trimmed
                if word.hasPrefix(marker) {
                    open = (String(word.dropFirst(marker.count)), [])
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
        let pages = [root.appending(path: "README.md")] + files(in: "Sources", ending: ".md")
        for page in pages
        where page.lastPathComponent != "Tutorial.md" && page.lastPathComponent != "Adopting.md" {
            var block = Block(page: page.lastPathComponent, text: "")
            var open: (isSwift: Bool, lines: [String])?
            for line in try lines(page) {
                if line.hasPrefix("```") {
                    if let (isSwift, lines) = open {
                        block.text = lines.joined(separator: "\n")
                        if isSwift || block.file != nil {
                            blocks.append(block)
                        }
                        open = nil
                        (block.name, block.file) = (nil, nil)
                    } else {
                        open = (line == "```swift", [])
                    }
                } else if open != nil {
                    open?.lines.append(line)
                } else if line.hasPrefix("<!-- snippet: ") {
                    block.name = String(line.dropFirst(14).dropLast(4))
                } else if line.hasPrefix("<!-- lines of: ") {
                    block.file = String(line.dropFirst(15).dropLast(4))
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
        #expect(blocks.count > 40)
        for block in blocks {
            if let file = block.file {
                var rest = try Self.lines(Self.root.appending(path: file))[...]
                for line in block.text.split(separator: "\n") {
                    let place = rest.firstIndex { $0.trimmed == String(line).trimmed }
                    rest = rest[(try #require(place, "\(block.page): \(line)") + 1)...]
                }
                continue
            }
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
        let regions = try Self.regions()
        #expect(regions.keys.count { $0.hasPrefix("pain-") } > 2)
        #expect(regions.keys.count { $0.hasPrefix("bug-") } > 2)
        for (name, texts) in regions {
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
