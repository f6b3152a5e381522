import Foundation
import Testing

import SceneStoreHosting

/// What the examples' apps need for typed state, links, undo-close, preferences and private windows.
@Suite("lines of restoration")
struct RestorationLinesTests {
    /// An app that keeps them in one file, before what starts it.
    struct App: CustomTestStringConvertible {
        var name: String
        var file: String
        var folder: String { "Examples/\(name)/Sources/\(name)" }
        var testDescription: String { name }

        /// What is before and behind the mark of the start, if the file has one.
        func parts() throws -> (restoration: String, rest: String) {
            let text = try RepositoryFile.text("\(folder)/\(file)")
            let start = text.firstRange(of: "// MARK: - Starting")?.lowerBound ?? text.endIndex
            return (String(text[..<start]), String(text[start...]))
        }

        static let all = [
            App(name: "Notes", file: "Persistence.swift"),
            App(name: "Terminal", file: "Adapter.swift"),
        ]
    }

    /// What such lines consist of. Elsewhere in an app there is none of it.
    private static let words = [
        "SavedState", "StatefulSceneHost", "PayloadTarget", "hosted?.openSessions", ".desktop(",
        "reopenClosedWindow", "requestWindow(role", "ephemeral", "stateRestorationActivity",
    ]

    /// The lines that are more than a comment, or the end of something.
    static func count(_ text: String) -> Int {
        text.split(separator: "\n").filter { line in
            let line = line.drop { $0 == " " }
            return !line.hasPrefix("//") && line.contains { !"]}) ".contains($0) }
        }.count
    }

    @Test("L-54 an example's restoration takes 25 lines, which its page counts", arguments: App.all)
    func lines(app: App) throws {
        let count = Self.count(try app.parts().restoration)
        #expect(count <= 25)
        let page = try RepositoryFile.text("Sources/SceneStore/Documentation.docc/DesktopApp.md")
        #expect(page.contains("| `Examples/\(app.name)` | \(count) |"))
    }

    @Test("L-54 no line of an example's restoration stands in another file", arguments: App.all)
    func elsewhere(app: App) throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: RepositoryFile.path(app.folder))
        let (restoration, rest) = try app.parts()
        #expect(names.contains(app.file) && names.count > 2)
        for name in names where name.hasSuffix(".swift") {
            let text =
                name == app.file ? rest : try RepositoryFile.text("\(app.folder)/\(name)")
            for word in Self.words {
                #expect(!text.contains(word), "\(name) has \(word)")
            }
        }
        #expect(Self.words.filter(restoration.contains).count >= 6)
    }

    @Test("L-54 a 26th line is counted; comments, blank lines and closing braces are not")
    func counting() {
        let line = "    func state(of page: Page) -> PageState { page.state }\n"
        let others = "\n    // A comment\n/// Another\n    }\n)]\n})\n"
        #expect(Self.count(String(repeating: line, count: 25) + others) == 25)
        #expect(Self.count(String(repeating: line, count: 26) + others) == 26)
    }
}
