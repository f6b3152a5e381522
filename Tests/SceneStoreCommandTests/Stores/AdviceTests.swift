import Foundation
import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// Command lines that a person is told to type, of a store that somebody else filled.
@Suite("S-72 advice to paste")
struct AdviceTests {
    /// What a shell would run, expand or take apart.
    static let names = [
        "$(echo ran)", "`echo ran`", "a;echo ran", "a\"b'c\\d", "~", "a b\tc\nd", "*", "#a", "!!",
        "a|b<c&d", "${HOME}", "Überblick: a",
        String(decoding: 0x20...0x7E, as: UTF8.self),
    ]

    @Test("R-40 S-72 a shell takes a quoted name as one word, and runs nothing", arguments: names)
    func word(name: String) throws {
        let quoted = CommandContext.quoted(name)
        let run = try Programs.run("sh", [], input: "printf '%s|' \(quoted)")
        #expect(run.output == name + "|")
        #expect(run.errors.isEmpty)
    }

    @Test("R-40 S-72 nothing runs when the quotes around the advice are pasted, too")
    func pasted() throws {
        for name in ["$(echo ran)", "a';echo ran;'", "a'`echo ran`'"] {
            let quoted = CommandContext.quoted(name)
            let run = try Programs.run("sh", [], input: "printf '%s' 'restore \(quoted)'")
            #expect(!run.output.hasSuffix("ran\n"), "\(run.output)")
        }
    }

    @Test("R-40 S-72 doctor, why and hold quote an identifier and a configuration's name")
    func identifiers() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let record = try store.insertSession(
            identifier: "a;rm -rf ~",
            configuration: SceneConfiguration(name: "$(curl x|sh)", role: .windowApplication),
            becameActive: true)
        try store.marks.setHeld(true, key: record.key)
        try store.close()
        let doctor = fixture.run("doctor", "--json").output
        #expect(doctor.contains("'scenestore release a\\\\;rm\\\\ -rf\\\\ \\\\~ "), "\(doctor)")
        #expect(fixture.run("discard", "a;rm -rf ~", "--yes").status == .done)
        for words in [["why", "a;rm -rf ~"], ["hold", "a;rm -rf ~"]] {
            let run = fixture.run(words)
            #expect(
                (run.output + run.errors).replacing(/\s+/, with: " ")
                    .contains("'scenestore reopen a\\;rm\\ -rf\\ \\~ "), "\(run)")
        }
    }

    @Test("S-44 what brings a window of a backup back says that a store is made of it first")
    func backup() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("discard", "letter", "--yes").status == .done)
        let file = fixture.file("backup.sqlite")
        #expect(fixture.run("backup", "-o", file).status == .done)
        let page = try ToolWorld().run("why", "letter", "--json", "--store", file).objects().first
        #expect(
            page?.text("next")?.hasPrefix(
                "'scenestore restore \(file) --to DIR' makes a store of it, and there "
                    + "'scenestore reopen letter-session --store DIR'") == true,
            "\(page as Any)")
    }

    @Test("R-40 S-72 a session's place in the advice is told from a path that has its word")
    func place() {
        let finding = DoctorFinding(
            mark: .good, message: "", remedy: "checkout \0@G --store /SESSION@G", session: "a b",
            generation: 7)
        #expect(finding.fix == "checkout a\\ b@7 --store /SESSION@G")
        #expect(finding.fix(of: nil) == "checkout SESSION@7 --store /SESSION@G")
    }
}
