import Foundation
import Testing

@testable import SceneStoreCommand

@Suite("the page of errors and diagnostics")
struct ErrorPageTests {
    /// The codes that the sources declare in extensions of a type.
    private func declared(_ type: String) throws -> Set<String> {
        var codes: Set<String> = []
        for text in try RepositoryFile.sources() {
            let parts = text.components(separatedBy: "extension \(type) {").dropFirst()
            for part in parts {
                let body = part.components(separatedBy: "\n}").first ?? ""
                for line in body.split(separator: "\n") where line.contains("public static let ") {
                    let quoted = line.split(separator: "\"")
                    if quoted.count == 3, quoted[0].hasSuffix("Self(") {
                        codes.insert(String(quoted[1]))
                    }
                }
            }
        }
        return codes
    }

    private func rows(_ page: String) throws -> [String] {
        try RepositoryFile.text("Sources/SceneStore/Documentation.docc/\(page).md")
            .split(separator: "\n").map(String.init)
    }

    private func code(_ row: String) -> String { String(row.split(separator: "`")[1]) }

    @Test(
        "each public code has its cause and what to do, on this page or with lint's, and no other",
        arguments: [
            ("SceneStoreError.Code", "## Errors of"), ("Diagnostic.Code", "## Diagnostics of"),
        ]
    )
    func page(_ type: String, _ heading: String) throws {
        var listed: [String] = []
        var isOfType = false
        for row in try rows("Errors") {
            if row.hasPrefix("## ") {
                isOfType = row.hasPrefix(heading)
            } else if isOfType, row.hasPrefix("| `") {
                listed.append(code(row))
                let cells = row.split(separator: "|")
                #expect(cells.count == 3, "\(row)")
                #expect(cells.allSatisfy { $0.hasSuffix(". ") || $0.contains("`") }, "\(row)")
            }
        }
        let lint = Set(try rows("Linting").filter { $0.hasPrefix("| `") }.map(code))
        let codes = try declared(type)
        #expect(codes.count > 40)
        #expect(listed.count == Set(listed).count)
        #expect(Set(listed) == codes.subtracting(lint))
        #expect(Set(listed + lint).isSubset(of: CodeExplanation.all.map(\.code)))
    }
}
