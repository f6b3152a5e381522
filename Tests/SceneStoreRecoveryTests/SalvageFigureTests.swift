import SceneStoreExchange
import SceneStoreTesting
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a file is damaged.
enum DamageClass: String, CaseIterable, Sendable {
    case eightZeroedPages, eightGarbledPages, firstPage, firstSixtyFourKiB
    case fivePercent, twentyPercent, tornPages, flippedBytes, truncated, swappedPages
    case doubledPages, headerOnly

    /// The least share of sessions that must come back, by R-64 where it names one.
    var required: Double {
        switch self {
        case .eightZeroedPages, .eightGarbledPages: 0.99
        case .firstPage, .headerOnly, .swappedPages: 1
        case .fivePercent: 0.93
        case .twentyPercent: 0.76
        // The lists of cells are gone, so the cells are searched for.
        case .tornPages: 0.98
        case .flippedBytes: 0.97
        case .firstSixtyFourKiB: 0.8
        case .truncated: 0.85
        case .doubledPages: 0.93
        }
    }

    func damage(_ file: inout DamagedFile, _ random: inout SeededRandom) {
        let pages = Array(0..<file.pages)
        func some(_ count: Int) -> ArraySlice<Int> {
            pages.shuffled(using: &random).prefix(count)
        }
        switch self {
        case .eightZeroedPages:
            for page in some(8) { file.overwrite(page: page) { _ in 0 } }
        case .eightGarbledPages:
            for page in some(8) {
                file.overwrite(page: page) { _ in UInt8.random(in: .min ... .max, using: &random) }
            }
        case .firstPage: file.overwrite(page: 0) { _ in 0 }
        case .headerOnly: for offset in 0..<100 { file.bytes[offset] = 0xFF }
        case .firstSixtyFourKiB:
            for page in 0..<16 { file.overwrite(page: page) { _ in 0xAA } }
        case .fivePercent:
            for page in some(file.pages / 20) { file.overwrite(page: page) { _ in 0 } }
        case .twentyPercent:
            for page in some(file.pages / 5) { file.overwrite(page: page) { _ in 0 } }
        case .tornPages:
            for page in some(file.pages / 20) {
                for offset in page * 4_096..<page * 4_096 + 512 { file.bytes[offset] = 0 }
            }
        case .flippedBytes:
            for _ in 0..<40 {
                let offset = Int.random(in: 0..<file.bytes.count, using: &random)
                file.bytes[offset] ^= UInt8.random(in: 1 ... .max, using: &random)
            }
        case .truncated: file.bytes.removeLast(file.bytes.count / 10)
        case .swappedPages:
            let two = Array(some(2))
            for offset in 0..<4_096 {
                file.bytes.swapAt(two[0] * 4_096 + offset, two[1] * 4_096 + offset)
            }
        case .doubledPages:
            // A misdirected write: one page's content stands at another's place, too.
            for page in some(file.pages / 20) {
                let source = Int.random(in: 0..<file.pages, using: &random)
                let content = Array(file.bytes[source * 4_096..<(source + 1) * 4_096])
                file.overwrite(page: page) { content[$0 % 4_096] }
            }
        }
    }
}

@Suite("Salvage figures")
struct SalvageFigureTests {
    /// What was stored: identifier to the number in its current state.
    struct Truth: Sendable {
        var numbers: [String: Int] = [:]
        /// The bytes of its text.
        var sizes: [String: Int] = [:]
        var gone: Set<String> = []
    }

    /// A store of 1 000 open sessions with states, and some that were discarded and forgotten.
    static let fixture = Result { () throws -> (bytes: [UInt8], truth: Truth) in
        let container = TestContainer()
        let truth = try make(container)
        return (try DamagedFile(container.store).bytes, truth)
    }

    static func make(_ container: TestContainer, sessions: Int = 1_000) throws -> Truth {
        var truth = Truth()
        // Checksums differ in length by the identity; the pages are to be the same in each run.
        let store = try container.open { $0.makeUUID = { UUID(42) } }
        try store.launch()
        var records: [SessionRecord] = []
        for number in 0..<sessions + 20 {
            let record = try store.add("session-\(number)-\(UUID(number).uuidString)")
            records.append(record)
            container.clock.advance(1_000)
        }
        for round in 0..<2 {
            for start in stride(from: 0, to: records.count, by: 50) {
                let states = records[start..<min(start + 50, records.count)].map { record in
                    let number = Int(record.key) * 10 + round
                    // Sizes as they come: most small, some long enough for several pages.
                    let size = [300, 900, 2_000, 1_200, 600, 9_000][Int(record.key) % 6]
                    truth.numbers[record.identifier] = number
                    truth.sizes[record.identifier] = size
                    return StateToSave(key: record.key, activity: activity(number, bytes: size))
                }
                try store.save(
                    states, context: SaveContext(savedAt: container.clock.now),
                    durability: .normal)
            }
        }
        let last = Array(records.suffix(20))
        try store.discard(last.prefix(10).map(\.key), cause: .user, deliveredNow: false)
        try store.forget(last.suffix(10).map(\.key))
        for record in last {
            truth.numbers[record.identifier] = nil
            truth.gone.insert(record.identifier)
        }
        try store.close()
        return truth
    }

    @Test(
        "R-64 salvage brings back what it must, and never a wrong row",
        arguments: DamageClass.allCases)
    func figures(_ kind: DamageClass) throws {
        let container = TestContainer()
        let (bytes, truth) = try Self.fixture.get()
        let trials = Self.trials(of: kind)
        var share = 0.0
        var stateShare = 0.0
        var rival = Rival()
        for trial in 0..<trials {
            let seed = UInt64(trial) &* 7_919 &+ 17
            var random = SeededRandom(seed)
            let path = container.parent.file("damaged-\(trial).sqlite")
            var file = DamagedFile(bytes: bytes, path: path)
            kind.damage(&file, &random)
            try file.write()
            let target = container.parent.file("salvaged-\(trial)")
            let report = try SceneSessionStore.salvage(
                from: path, to: target, options: container.options())
            let found = try Self.compare(target, of: path, truth, report, container, seed: seed)
            if trial == 0 || Self.isLong, !Self.soundRows.isEmpty {
                try rival.meet(found, ShellRecovery.sessions(of: path), truth)
            }
            share += found.sessions / Double(trials)
            stateShare += found.states / Double(trials)
            try FileManager.default.removeItem(atPath: target)
            try FileManager.default.removeItem(atPath: path)
        }
        print("R-64 \(kind.rawValue): sessions \(share), with their last state \(stateShare)")
        #expect(share >= kind.required)
        print("R-64 \(kind.rawValue): \(rival)")
        #expect(rival.ours.sessions >= rival.theirs.sessions)
        #expect(rival.ours.states >= rival.theirs.states)
    }

    /// SQLite's own recovery of the same files.
    struct Rival: CustomStringConvertible {
        var trials = 0
        var ours = (sessions: 0.0, states: 0.0)
        var theirs = (sessions: 0.0, states: 0.0)

        mutating func meet(
            _ found: (sessions: Double, states: Double),
            _ recovered: [String: ShellRecovery.Session],
            _ truth: Truth
        ) throws {
            // It has no checksums; what it brings may be wrong in any byte.
            let right = recovered.filter { name, session in
                session.row == SalvageFigureTests.soundRows[name]?.row
            }
            let states = right.filter { name, session in
                session.state
                    == activity(truth.numbers[name] ?? 0, bytes: truth.sizes[name] ?? 0)
            }
            trials += 1
            ours.sessions += found.sessions
            ours.states += found.states
            theirs.sessions += Double(right.count) / Double(truth.numbers.count)
            theirs.states += Double(states.count) / Double(truth.numbers.count)
        }

        var description: String {
            guard trials > 0 else {
                return "not compared, as no shell of SQLite is installed that can recover"
            }
            func mean(_ sum: Double) -> String {
                String((sum / Double(trials) * 1_000).rounded() / 10)
            }
            return "SQLite's own recovery has \(mean(theirs.sessions)) % of the sessions where "
                + "this has \(mean(ours.sessions)) %, \(mean(theirs.states)) % of the states where "
                + "this has \(mean(ours.states)) %"
        }
    }

    /// What SQLite's shell brings back from a sound file; nothing, unless that is all of it.
    /// Debian's shell has `.recover` and not the table that it reads pages from.
    static let soundRows: [String: ShellRecovery.Session] = {
        guard ShellRecovery.shell != nil, let (bytes, truth) = try? fixture.get() else {
            return [:]
        }
        let container = TestContainer()
        let path = container.parent.file("sound.sqlite")
        guard (try? DamagedFile(bytes: bytes, path: path).write()) != nil,
            let found = try? ShellRecovery.sessions(of: path)
        else {
            return [:]
        }
        return found.count == truth.numbers.count ? found : [:]
    }()

    static let isLong = ProcessInfo.processInfo.environment["SCENESTORE_LONG"] != nil

    /// The fewer pages have the sessions, the more a trial's share scatters where pages are drawn; the
    /// promise is about the mean.
    static func trials(of kind: DamageClass) -> Int {
        guard !isLong else {
            return 40
        }
        return [.fivePercent, .twentyPercent, .doubledPages].contains(kind) ? 12 : 1
    }

    /// Whether a file still has what tells that a session is gone: its tombstone, or the journal's entry.
    private static func isRecordedGone(_ identifier: String, in path: String) throws -> Bool {
        let input = try SalvageInput(SalvageInput.File(path: path))
        let rows = try #require(input.sources.first).rows
        return rows[.discard].contains { $0["identifier"].text == identifier }
            || rows[.event].contains {
                $0["session_identifier"].text == identifier && $0["kind"].text != "create"
            }
    }

    /// The shares that came back; every session that did is held against the truth.
    static func compare(
        _ path: String, of damaged: String, _ truth: Truth, _ report: SalvageReport,
        _ container: TestContainer, seed: UInt64
    ) throws -> (sessions: Double, states: Double) {
        let store = try SceneSessionStore.open(
            at: .directory(path), options: container.options())
        defer { try? store.close() }
        let verified = try store.verify(.full)
        #expect(verified.isSound, "seed \(seed): \(verified.findings)")
        var states = 0
        let open = Array(try store.openRecords())
        let older = Set(
            report.entries.filter { $0.outcome == .olderState }.map(\.sessionIdentifier))
        for record in open {
            guard let number = truth.numbers[record.identifier] else {
                #expect(truth.gone.contains(record.identifier), "seed \(seed): invented")
                #expect(
                    try !isRecordedGone(record.identifier, in: damaged),
                    "seed \(seed): resurrected")
                continue
            }
            #expect(
                record.configuration.role == .windowApplication
                    || record.configuration == .lost(nil), "seed \(seed)")
            let state = try store.restorationActivity(key: record.key)
            guard let found = state?.userInfo["number"]?.integerValue else {
                continue
            }
            if older.contains(record.id) {
                #expect(Int(found) == number - 1, "seed \(seed)")
            } else {
                #expect(Int(found) == number, "seed \(seed)")
                states += 1
            }
        }
        #expect(report.openSessions == open.count)
        let told = open.count + (report.counts[.lost] ?? 0)
        if let expected = report.expected {
            #expect(told == expected, "seed \(seed)")
        } else {
            // The row that counts them is lost, and with it what tells that some were given up.
            #expect(told <= truth.numbers.count + truth.gone.count, "seed \(seed)")
        }
        return (
            Double(open.count) / Double(truth.numbers.count),
            Double(states) / Double(truth.numbers.count)
        )
    }
}
