import Foundation
import Testing

@testable import SceneStoreCommand

@Suite("the page on doctor")
struct DoctorPageTests {
    @Test("the page has a section for each code, and for nothing else")
    func page() throws {
        let text = try RepositoryFile.text("Sources/SceneStore/Documentation.docc/Doctor.md")
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("### ") }
            .map { String($0.dropFirst(4)) }
        #expect(headings == DoctorCode.allCases.map { "\($0.code): \($0.title)" })
        let sections = text.components(separatedBy: "\n### ").dropFirst()
        #expect(sections.allSatisfy { $0.contains("**What to do.**") && $0.count > 150 })
    }

    @Test("codes are SS and three digits, counted from 1, and never move")
    func codes() {
        #expect(DoctorCode.allCases.map(\.rawValue) == Array(1...29))
        #expect(DoctorCode.openContainer.code == "SS001")
        #expect(DoctorCode.damage.code == "SS014")
        #expect(DoctorCode.checkpointRace.code == "SS028")
        #expect(DoctorCode.interruptedReplacement.code == "SS029")
    }
}
