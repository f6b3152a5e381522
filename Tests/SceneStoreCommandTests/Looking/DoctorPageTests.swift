import Foundation
import Testing

@testable import SceneStoreCommand

@Suite("the page on doctor")
struct DoctorPageTests {
    @Test("the page has a section for each code, and for nothing else")
    func page() throws {
        let text = try RepositoryFile.text("Sources/SceneStore/Documentation.docc/Doctor.md")
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("### ") }
            .map { $0.dropFirst(4).components(separatedBy: ": ") }
        #expect(headings.compactMap(\.first) == DoctorCode.allCases.map(\.code))
        #expect(headings.allSatisfy { $0.count == 2 && $0[1].count > 10 })
        let sections = text.components(separatedBy: "\n### ").dropFirst()
        #expect(sections.allSatisfy { $0.contains("**What to do.**") && $0.count > 150 })
    }

    @Test("codes are SS and three digits, counted from 1, and never move")
    func codes() {
        #expect(DoctorCode.allCases.map(\.rawValue) == Array(1...41))
        #expect(DoctorCode.openContainer.code == "SS001")
        #expect(DoctorCode.damage.code == "SS014")
        #expect(DoctorCode.checkpointRace.code == "SS028")
        #expect(DoctorCode.interruptedReplacement.code == "SS029")
        #expect(DoctorCode.replaceableContainer.code == "SS030")
    }
}

@Suite("page of the handbook")
struct HandbookPageTests {
    @Test("each task of the handbook is a section of the page, with its commands, and no other")
    func page() throws {
        let text = try RepositoryFile.text("Sources/SceneStore/Documentation.docc/Handbook.md")
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
            .map { String($0.dropFirst(3)) }
        #expect(headings.filter { $0 != "Overview" } == HelpTopic.tasks.map(\.title))
        #expect(HelpTopic.tasks.count == 10)
        #expect(text.contains("\n### \(HelpTopic.containerHeading)\n"))
        let manual = ManualPage(table: CommandTable(commands: AllCommands.commands)).roff()
        let help = HelpTopic.handbook.text(width: 80)
        for pages in [help, manual.replacing("\\-", with: "-"), text] {
            for words in ["simctl get_app_container", "devicectl device copy from --device"] {
                #expect(pages.contains(words), "\(words)")
            }
        }
        let sections = text.components(separatedBy: "\n## ")
        for task in HelpTopic.tasks {
            let section = try #require(sections.first { $0.hasPrefix(task.title) })
            for step in task.steps {
                let command = String(step.command.split(separator: " ").first ?? "")
                #expect(section.contains(command), "\(task.title): \(command)")
                #expect(ToolWorld().run("help", command).status == .done)
            }
        }
    }
}
