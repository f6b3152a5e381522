import Foundation
import Testing

@Suite("the page of lint codes")
struct LintPageTests {
    /// The codes that a file declares, in its order.
    private func codes(_ path: String) throws -> [String] {
        try RepositoryFile.text(path).split(separator: "\n").compactMap { line in
            guard
                line.hasPrefix("    public static let ")
                    || line.hasPrefix("    fileprivate static let "),
                let start = line.range(of: "Self(\""), line.hasSuffix("\")")
            else {
                return nil
            }
            return String(line[start.upperBound...].dropLast(2))
        }
    }

    @Test("each code that lint can print stands on the page with what to do, and no other")
    func page() throws {
        let declared =
            try codes("Sources/SceneStoreFormats/Manifest/Diagnostic+Manifest.swift")
            + codes("Sources/SceneStoreExchange/Manifest/ManifestLinter.swift")
            + codes("Sources/SceneStoreLinks/Association/AssociationLint.swift")
            + codes("Sources/SceneStoreCommand/Stores/StaleConfigurations.swift")
            // A launch reports it as well, of kinds that are declared in code.
            + ["duplicateConfigurationName"]
        let rows = try RepositoryFile.text("Sources/SceneStore/Documentation.docc/Linting.md")
            .split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.map { String($0.split(separator: "`")[1]) }
        #expect(declared.count > 30)
        #expect(Set(listed) == Set(declared))
        #expect(listed.count == declared.count)
        #expect(rows.allSatisfy { $0.split(separator: "|").count >= 3 })
    }
}
