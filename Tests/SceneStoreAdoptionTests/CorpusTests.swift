import SceneStoreAdoption
import Testing

@Suite("made-up apps")
struct CorpusTests {
    /// A file of `Tests/Adoption`: lines that say what is expected, then the app's files, each
    /// behind a line `--- name`.
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let lines: [String]
        let files: [(name: String, text: String)]

        var testDescription: String { name }
        var isObjectiveC: Bool { files.contains { $0.name.hasSuffix(".m") } }
        var app: MadeUpApp { MadeUpApp(files: files) }
    }

    static let samples: [Sample] = {
        let names = (try? RepositoryText.names(in: "Tests/Adoption")) ?? []
        return names.compactMap { name in
            guard let text = try? RepositoryText.read("Tests/Adoption/\(name)") else {
                return nil
            }
            var lines: [String] = []
            var files: [(name: String, text: String)] = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("--- ") {
                    files.append((String(line.dropFirst(4)), ""))
                } else if files.isEmpty {
                    lines.append(String(line))
                } else {
                    files[files.count - 1].text += line + "\n"
                }
            }
            return Sample(name: name, lines: lines, files: files.map(expanded))
        }
    }()

    /// A manifest may be given by the class that it names: `SEVERAL Name` is that of an app that
    /// supports several scenes.
    private static func expanded(
        _ file: (name: String, text: String)
    ) -> (name: String, text: String) {
        let text = file.text.trimmingSuffix { $0 == "\n" }
        if text == "WITH-TYPE" {
            let types =
                "<key>NSUserActivityTypes</key><array><string>com.example.read</string></array>"
            return (file.name, MadeUpApp.plist(types + MadeUpApp.manifest("SceneDelegate")))
        }
        if text.hasPrefix("DELEGATE ") {
            return (
                file.name, MadeUpApp.plist(MadeUpApp.manifest(String(text.dropFirst(9))))
            )
        }
        if text.hasPrefix("SEVERAL ") {
            let manifest = MadeUpApp.manifest(
                String(text.dropFirst(8)), isOfSeveralScenes: true)
            return (file.name, MadeUpApp.plist(manifest))
        }
        return file
    }

    @Test(
        "each code is expected of an app in Swift and of one in Objective-C",
        arguments: FindingCode.allCases)
    func codes(_ code: FindingCode) {
        let expecting = Self.samples.filter { sample in
            sample.lines.contains {
                $0.hasPrefix("expect ") && $0.split(separator: " ").contains(code.rawValue[...])
            }
        }
        #expect(expecting.contains { !$0.isObjectiveC })
        #expect(expecting.contains { $0.isObjectiveC })
    }

    @Test("there are at least forty, right and wrong")
    func count() {
        #expect(Self.samples.count >= 40)
        #expect(Self.samples.count { $0.lines.contains("expect none") } >= 15)
        #expect(Self.samples.count { !$0.lines.contains("expect none") } >= 15)
    }

    @Test(
        "L-03 L-60 L-66 L-91 L-92 L-93 L-95 each app is judged without a mistake",
        arguments: samples)
    func judgement(_ sample: Sample) throws {
        let report = sample.app.report()
        let app = try #require(report.apps.first)
        #expect(report.apps.count == 1)
        for line in sample.lines where !line.isEmpty && !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            switch words[0] {
            case "expect":
                let codes = Set(app.findings.map(\.code.rawValue)).sorted()
                let wanted = line.split(separator: " ").dropFirst().map(String.init)
                #expect(codes == (wanted == ["none"] ? [] : wanted))
            case "answer", "lost":
                let answer = try #require(
                    app.answers.first {
                        $0.kind.rawValue == words[1] && $0.launch.rawValue == words[2]
                    })
                let truth = words[0] == "lost" ? answer.isLost : answer.withScenes
                #expect(truth.rawValue == words[3], "\(line): \(answer.reason)")
            case "ask": #expect(String(app.questions.count) == words[1])
            case "life": #expect(app.lifeCycle.rawValue == words[1])
            default: Issue.record("an unknown line: \(line)")
            }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var end = endIndex
        while end > startIndex, predicate(self[index(before: end)]) {
            end = index(before: end)
        }
        return self[startIndex..<end]
    }
}
