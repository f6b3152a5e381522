import Foundation
import Testing

/// Every promise names the file that keeps it, and that file names the promise.
@Suite("the map of promises")
struct ContractMapTests {
    private struct Row {
        var number: String
        var files: [String]
    }

    private func rows() throws -> [Row] {
        try RepositoryFile.text("Sources/SceneStore/Documentation.docc/Contract.md")
            .split(separator: "\n")
            .compactMap { line in
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                guard cells.count >= 2, cells[0].wholeMatch(of: /[LSKR]-\d\d/) != nil else {
                    return nil
                }
                let files = cells.count < 3 ? "" : cells[cells.count - 1]
                return Row(
                    number: cells[0], files: files.matches(of: /`([^`]+)`/).map { String($0.1) })
            }
    }

    /// The sources, by their path.
    private func sources() -> [String] {
        ["Sources", "Proofs/Sources", "Scripts"].flatMap { folder in
            let names = FileManager.default.enumerator(atPath: RepositoryFile.path(folder))
            return (names?.allObjects as? [String] ?? []).filter {
                $0.hasSuffix(".swift") || $0.hasSuffix(".sh")
            }.map { "\(folder)/\($0)" }
        }
    }

    /// Whether a text names a number, alone or within a range such as "L-05 to L-09".
    private func names(_ text: String, _ number: String) -> Bool {
        text.contains(number)
            || text.matches(of: /([LSKR])-(\d\d) to ([LSKR])-(\d\d)/).contains { range in
                "\(range.1)-\(range.2)" <= number && number <= "\(range.3)-\(range.4)"
            }
    }

    @Test("every number of the contract has a file that it lives in, and that names it")
    func livesIn() throws {
        let rows = try rows()
        let sources = sources()
        #expect(rows.count > 140)
        for row in rows {
            #expect(!row.files.isEmpty, "\(row.number)")
            for file in row.files {
                let found = sources.filter { $0.hasSuffix("/\(file)") }
                #expect(found.count == 1, "\(row.number): \(file) is there \(found.count) times")
                if let path = found.first {
                    #expect(
                        names(try RepositoryFile.text(path), row.number),
                        "\(file) does not name \(row.number)")
                }
            }
        }
    }
}
