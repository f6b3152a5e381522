import Testing

import SceneStore
import SceneStoreLinks

@Suite("Answers recorded from Apple's checker", .enabled(if: SharedData.isPresent))
struct RecordedAnswerTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var isDocument: Bool
        var pattern: String
        var url: String
        var answer: String

        var testDescription: String { name }
    }

    static let rows: [Row] = {
        guard SharedData.isPresent, let bytes = try? SharedData.association("swcutil-answers.tsv")
        else {
            return []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard !line.hasPrefix("#"), fields.count == 6 else {
                return nil
            }
            return Row(
                name: "\(fields[0])/\(fields[1])", isDocument: fields[2] == "document",
                pattern: String(fields[3]), url: String(fields[4]), answer: String(fields[5]))
        }
    }()

    @Test("K-10 there are recorded answers to hold the matcher against")
    func rowsAreRead() {
        #expect(Self.rows.count >= 56)
    }

    @Test("K-10 every recorded answer is ours too", arguments: rows)
    func recorded(_ row: Row) throws {
        let file =
            row.isDocument
            ? try AssociationFile(row.pattern.utf8) : try AssociationFile(component: row.pattern)
        let app = row.isDocument ? "ABCDE12345.com.example.app" : nil
        #expect(file.match(row.url, appID: app).decision.rawValue == row.answer)
        #expect(file.explain(row.url, appID: app).match.decision.rawValue == row.answer)
        // The recorded URLs stand for those that reach an app, so the splitter must agree with
        // the system's parser about them.
        if !row.url.contains("%2F") {
            #expect(throws: Never.self) { try CheckedLink(row.url) }
        }
    }
}
