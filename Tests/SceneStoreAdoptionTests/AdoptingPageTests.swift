import SceneStoreAdoption
import Testing

@Suite("the page of adoption codes")
struct AdoptingPageTests {
    /// A code's section: groups of blocks, one before each paragraph or blank line.
    struct Section: CustomTestStringConvertible, Sendable {
        let code: String
        let title: String
        /// The example, and its repair, unless another section's repair is named.
        let groups: [[(language: String, text: String)]]
        let text: String

        var testDescription: String { code }

        /// The code whose repair also repairs this.
        var repairedBy: String? {
            text.split(separator: "\nThe repair of ").dropFirst().first.map { String($0.prefix(5)) }
        }
    }

    static let page = "Sources/SceneStore/Documentation.docc/Adopting.md"

    static func sections() -> [Section] {
        guard let text = try? RepositoryText.read(page) else {
            return []
        }
        return text.split(separator: "\n### ").compactMap { section in
            guard section.hasPrefix("AD") else {
                return nil
            }
            let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
            var groups: [[(language: String, text: String)]] = []
            var block: (language: String, text: String)?
            var isGroupOpen = false
            for line in lines.dropFirst() {
                if let current = block {
                    if line == "```" {
                        if isGroupOpen {
                            groups[groups.count - 1].append(current)
                        } else {
                            groups.append([current])
                        }
                        isGroupOpen = true
                        block = nil
                    } else {
                        block?.text += line + "\n"
                    }
                } else if line.hasPrefix("```") {
                    block = (String(line.dropFirst(3)), "")
                } else {
                    isGroupOpen = false
                }
            }
            return Section(
                code: String(section.prefix(5)), title: String(lines[0].dropFirst(7)),
                groups: groups, text: String(section))
        }
    }

    /// The repaired example. It keeps the first one's manifest unless it shows another.
    private static func repair(of section: Section) throws -> [(language: String, text: String)] {
        let repaired =
            sections().first { $0.code == section.repairedBy ?? section.code }?.groups.last
        let blocks = try #require(repaired)
        let manifest = section.groups[0].filter { $0.language == "xml" }
        return (blocks.contains { $0.language == "xml" } ? [] : manifest) + blocks
    }

    @Test("each code has a section under its title, and no other")
    func codes() {
        #expect(Self.sections().map(\.code) == FindingCode.allCases.map(\.rawValue))
        #expect(Self.sections().map(\.title) == FindingCode.allCases.map(\.title))
    }

    @Test(
        "each example goes wrong as its code says, and its repair is right", arguments: sections())
    func examples(_ section: Section) throws {
        try #require(section.groups.count == (section.repairedBy == nil ? 2 : 1))
        let wrong = MadeUpApp(blocks: section.groups[0]).codes
        // A launch option goes with the payload that is lost.
        let others = ["AD011": ["AD005"], "AD006": ["AD011"]][section.code] ?? []
        #expect(wrong == (others + [section.code]).sorted())
        #expect(try MadeUpApp(blocks: Self.repair(of: section)).codes == [])
    }

    @Test(
        "each code names the scenario that plays it, or says why none does",
        arguments: sections())
    func scenarios(_ section: Section) throws {
        let names = try RepositoryText.names(in: "Examples/Scenarios")
        let named = section.text.split(separator: "`").map(String.init)
            .filter { $0.hasSuffix(".scenario") }
        #expect(named.allSatisfy(names.contains))
        let isPlayed = section.text.contains(".scenario` plays")
        #expect(isPlayed != section.text.contains("No scenario plays it, "))
    }
}
