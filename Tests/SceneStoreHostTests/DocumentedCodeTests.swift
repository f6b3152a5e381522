import FoundationEssentials
import Testing

/// Code in articles is code that is compiled and run here.
@Suite("Documented code")
struct DocumentedCodeTests {
    @Test(
        "each Swift block of an article stands in a source file of these tests",
        arguments: ["HostingAToolkit", "UIKitApps"])
    func blocksAreCompiled(_ article: String) throws {
        let blocks = Self.swiftBlocks(try Self.article(article))
        #expect(!blocks.isEmpty)
        let compiled = try Self.compiledBlocks(of: article)
        #expect(blocks == compiled)
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func article(_ name: String) throws -> String {
        let package = folder.deletingLastPathComponent().deletingLastPathComponent()
        return try text(
            package.appending(path: "Sources/SceneStore/Documentation.docc/\(name).md"))
    }

    private static func text(_ url: URL) throws -> String {
        String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    private static func swiftBlocks(_ article: String) -> [String] {
        var blocks: [String] = []
        var block: [String]?
        for line in lines(article) {
            if line == "```swift" {
                block = []
            } else if line == "```", let lines = block {
                blocks.append(lines.joined(separator: "\n"))
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    /// What stands between `// documented: NAME` and `// end`, without its indentation, file by
    /// file.
    private static func compiledBlocks(of article: String) throws -> [String] {
        let path = folder.path(percentEncoded: false)
        var blocks: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        where name.hasSuffix(".swift") && name != "DocumentedCodeTests.swift" {
            var block: [String]?
            var indentation = 0
            for line in lines(try text(folder.appending(path: name))) {
                let bare = line.drop { $0 == " " }
                if bare == "// documented: \(article)" {
                    block = []
                    indentation = line.count - bare.count
                } else if bare == "// end", let lines = block {
                    blocks.append(lines.joined(separator: "\n"))
                    block = nil
                } else {
                    block?.append(String(line.dropFirst(indentation)))
                }
            }
        }
        return blocks
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
