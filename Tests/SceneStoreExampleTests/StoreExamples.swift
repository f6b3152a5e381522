import FoundationEssentials
import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTesting
import Testing

/// What the reference shows of stores: opening, recovery and exchange.
@MainActor
@Suite("Examples of stores")
struct StoreExamples {
    /// A container with one window, of an app that has ended.
    func withContainer(_ body: (_ path: String) throws -> Void) throws {
        try withDirectory { path in
            let device = try SimulatedDevice(storage: .directory(path))
            try device.launch { NotesApp() }
            try device.quit()
            try body(path)
        }
    }

    @Test("opening, letting go and holding a container")
    func opening() throws {
        try withContainer { path in
            let activity = try UserActivity(activityType: "com.example.note")
            // example: SceneSessionStore
            let store = try SceneSessionStore.open(at: .directory(path))
            try store.saveActivity(activity)
            try store.close()
            // end
            do {
                // example: SceneSessionStore.Access
                var options = SceneSessionStore.Options()
                options.access = .reader
                let store = try SceneSessionStore.open(at: .directory(path), options: options)
                let isOwner = store.isOwner  // false
                // end
                #expect(!isOwner)
                var warnings: [String] = []
                // example: SceneSessionStore.rollback
                if let rollback = store.rollback {
                    warnings.append("The windows are those of \(rollback.lastUsedAt).")
                }
                // end
                #expect(warnings == [])
                try store.close()
            }
            // example: ClosedContainer
            let container = try ClosedContainer.hold(path)
            let copy = try Data(contentsOf: URL(filePath: container.storePath))
            try container.release()
            // end
            #expect(copy.starts(with: Data("SQLite format 3".utf8)))
        }
    }

    @Test("what a store may be told when it is opened")
    func options() {
        do {
            // example: SceneSessionStore.Options
            var options = SceneSessionStore.Options()
            options.redactedKeys = ["account"]  // stored, and never shown
            options.ephemeralKeys = ["password"]  // never stored
            // end
            #expect(options.redactedKeys.count == 1 && options.ephemeralKeys.count == 1)
        }
        do {
            // example: SceneSessionStore.CorruptionPolicy
            var options = SceneSessionStore.Options()
            options.corruption = .restoreBackup
            // end
            #expect(options.corruption == .restoreBackup)
        }
        // example: SceneSessionStore.RollbackPolicy
        var options = SceneSessionStore.Options()
        options.rollback = .salvageNewer
        // end
        #expect(options.rollback == .salvageNewer)
        // example: SceneSessionStore.Location
        let memory = SceneSessionStore.Location.memory  // for previews and tests
        let folder = SceneSessionStore.Location.directory("/var/lib/notes")
        // end
        #expect(memory != folder)
    }

    @Test("backups, verification, repair and salvage")
    func recovery() throws {
        try withContainer { path in
            let copies = path + "/copies"
            try FileManager.default.createDirectory(
                atPath: copies, withIntermediateDirectories: false)
            // example: MigrationPlan
            let plan = try SceneSessionStore.migrationPlan(at: .directory(path))
            let needsMigration = plan.from < plan.to  // false
            // end
            #expect(!needsMigration)
            let store = try SceneSessionStore.open(at: .directory(path))
            let damaged = copies + "/notes.sqlite"
            try store.backUp(to: damaged)
            do {
                // example: VerificationReport
                let report = try store.verify()
                let problems = report.findings.filter { $0.severity >= .warning }
                // end
                #expect(problems == [])
            }
            do {
                // example: VerificationDepth
                let report = try store.verify(.full, budget: .seconds(60))
                let isSound = report.isComplete && report.isSound
                // end
                #expect(isSound)
            }
            try store.close()
            do {
                // example: RepairReport
                let report = try SceneSessionStore.repair(at: .directory(path))
                let isWhole = report.remaining.isEmpty
                // end
                #expect(isWhole)
            }
            var lost: [SceneSession.ID] = []
            // example: SalvageReport
            let report = try SceneSessionStore.salvage(from: damaged, to: copies + "/rescued")
            for entry in report.entries where entry.outcome == .lost {
                lost.append(entry.sessionIdentifier)
            }
            // end
            #expect(lost == [] && report.openSessions == 1)
        }
    }

    @Test("exports, imports and differences of values")
    func exchange() throws {
        try withContainer { path in
            let store = try SceneSessionStore.open(at: .directory(path))
            // example: ExportRedaction
            let shareable = try store.export(redacting: .values)
            let text = String(decoding: shareable, as: UTF8.self)
            // end
            #expect(text.contains("\"redact\":\"values\""))
            let exported = try store.export()
            let other = try SceneSessionStore.open(at: .memory)
            do {
                // example: ImportReport
                let report = try other.checkImport(exported)  // changes nothing
                let problems = report.refusals.map(\.message)
                // end
                #expect(problems == [])
            }
            // example: ImportMerge
            let report = try other.importing(exported, merge: .newest)
            let count = report.sessions  // 1
            // end
            #expect(count == 1)
        }
        let old: Value = ["text": "Milk", "line": 1]
        let new: Value = ["text": "Milk", "line": 2]
        // example: ValueDifference
        let differences = ValueDifference.between(old, new)
        let paths = differences.map(\.path)
        // end
        #expect(paths.count == 1)
    }
}
