import SceneStore
import Testing

@testable import SceneStoreCommand

@Suite("Exit statuses")
struct ExitStatusTests {
    /// What a script may rely on: written down here once more, from the page of errors.
    private static let expected: [Int32: [String]] = [
        1: ["noSuchState", "noLaunch", "duplicateSession", "requestDenied"],
        3: ["missing", "notAStore", "noSuchSession"],
        4: [
            "owned", "busy", "protected", "erasurePending", "moved", "replaced", "ownershipLost",
        ],
        5: [
            "corrupt", "damagedRow", "schemaTampered", "changedMigration", "orphanedWAL", "ioError",
            "poisoned",
        ],
        6: ["newerSchema"],
        8: ["queryTimeout", "notAnswered"],
        70: ["forked", "closed", "readOnly", "internalError"],
    ]

    @Test("R-04 S-10 S-61 S-62 each error ends a command with its own status, any other with 2")
    func table() {
        for (status, codes) in Self.expected {
            for code in codes {
                #expect(ExitStatus(errorCode: code).rawValue == status, "\(code)")
            }
        }
        let listed = Set(Self.expected.values.flatMap { $0 })
        #expect(Set(ExitStatus.byErrorCode.keys) == listed)
        for code in ["limitExceeded", "invalidState", "diskFull", "unsupportedValue", ""] {
            #expect(ExitStatus(errorCode: code) == .usage)
        }
    }

    @Test("L-76 every status has one meaning, and those that a user can leave have a hint")
    func meanings() {
        let statuses = ExitStatus.meanings.map(\.status.rawValue)
        #expect(statuses == [0, 1, 2, 3, 4, 5, 6, 7, 8, 70, 130])
        #expect(ExitStatus.meanings.allSatisfy { !$0.meaning.isEmpty })
        for status in ExitStatus.meanings.map(\.status) {
            let hasHint = [3, 4, 5, 6, 7, 70].contains(status.rawValue)
            #expect((status.hint != nil) == hasHint, "\(status.rawValue)")
        }
    }
}
