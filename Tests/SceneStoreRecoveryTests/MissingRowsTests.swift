import SceneStore
import SceneStoreExchange
import SceneStoreSQLite
import SceneStoreTestContainers
import SceneStoreTesting
import Testing

@testable import SceneStoreRecovery
@testable import SceneStoreStorage

/// What salvage says of rows that are missing beside those of the open sessions.
@Suite("Rows that are missing")
struct MissingRowsTests {
    /// A store whose table of states takes several pages.
    private func filled() throws -> TestContainer {
        let container = TestContainer()
        let store = try container.open()
        for name in ["one", "two"] {
            let record = try store.add(name)
            for number in 0..<8 {
                container.clock.advance(86_400_000)
                try store.save(
                    record, activity(number, bytes: 1_500), at: container.clock.now)
            }
        }
        try store.close()
        return container
    }

    private func salvage(_ container: TestContainer) throws -> SalvageReport {
        try #require(Salvage(SalvageInput(SalvageInput.File(path: container.store)))).report
    }

    @Test("R-64 S-11 lost earlier states are told, by the session and the table")
    func earlierStates() throws {
        let container = try filled()
        let whole = try salvage(container)
        #expect(whole.isComplete && !whole.missesRows && whole.missingFrom.isEmpty)
        let image = PageImage(main: try RawFile(path: container.store), log: nil)
        let leaves = PageTree(image).leaves.filter { $0.value == "state" }.keys.sorted()
        try #require(leaves.count > 2)
        var named: Set<String> = []
        for leaf in leaves {
            var file = try DamagedFile(container.store)
            let sound = file.bytes
            file.overwrite(page: Int(leaf) - 1) { _ in 0 }
            try file.write()
            let report = try salvage(container)
            #expect(!report.isComplete && report.missesRows, "page \(leaf)")
            #expect(report.missingFrom == ["state"], "page \(leaf)")
            let told = report.entries.filter {
                [.fewerStates, .olderState, .withoutState].contains($0.outcome)
            }
            #expect(!told.isEmpty, "page \(leaf)")
            named.formUnion(
                told.filter { $0.outcome == .fewerStates }
                    .map(\.sessionIdentifier.rawValue))
            file.bytes = sound
            try file.write()
        }
        #expect(named == ["one", "two"])
    }

    @Test("R-64 S-11 a lost page of any table makes the salvage incomplete")
    func otherTables() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        try store.close()
        let image = PageImage(main: try RawFile(path: container.store), log: nil)
        let sound = try DamagedFile(container.store)
        for (page, table) in PageTree(image).leaves
        where ["session_value", "scene_storage", "event", "launch"].contains(table) {
            var file = sound
            file.overwrite(page: Int(page) - 1) { _ in 0 }
            try file.write()
            let report = try salvage(container)
            #expect(!report.isComplete, "\(table)")
            #expect(report.missingFrom == [table])
            let target = container.parent.file("salvaged-\(page)")
            let told = try SceneSessionStore.salvage(
                from: container.store, to: target, options: container.options())
            #expect(told.missesRows)
        }
        try sound.write()
    }

    @Test("S-62 R-28 a tree that a schema names for two tables is followed once")
    func namedTwice() throws {
        let container = try filled()
        var file = try DamagedFile(container.store)
        // A table's row has the number of its root page behind its names.
        func roots(_ table: String) -> [Int] {
            file.bytes.ranges(of: Array("table\(table)\(table)".utf8)).map(\.upperBound)
        }
        let root = file.bytes[try #require(roots("state").first)]
        for place in roots("event") {
            file.bytes[place] = root
        }
        try file.write()
        let tree = PageTree(PageImage(main: try RawFile(path: container.store), log: nil))
        #expect(tree.gaps.map(\.table) == ["event"])
        #expect(tree.gaps.map(\.ids) == [.min ... .max])
        #expect(!tree.isWhole)
        #expect(tree.leaves.values.contains("state"))
    }

    // Without a bound this takes hours.
    @Test(
        "S-62 R-28 what a schema says costs no more than the file, however long its rows claim to be",
        .timeLimit(.minutes(10)))
    func schemaChains() throws {
        // An inner page leads to 200 leaves. Each has a thousand pointers to one row of 64 MiB that
        // goes on at page 202, which goes on at itself.
        let ring: UInt8 = 202
        var pages = Array(repeating: [UInt8](repeating: 0, count: 4_096), count: Int(ring))
        pages[0].replaceSubrange(100..<112, with: [5, 0, 0, 0, 199, 0, 0, 0, 0, 0, 0, 201])
        for child in 2...200 {
            let (pointer, cell) = (112 + 2 * (child - 2), 600 + 6 * child)
            pages[0].replaceSubrange(
                pointer..<pointer + 2, with: [UInt8(cell >> 8), UInt8(cell & 255)])
            pages[0].replaceSubrange(cell..<cell + 5, with: [0, 0, 0, UInt8(child), 1])
        }
        for leaf in 1...200 {
            pages[leaf].replaceSubrange(0..<5, with: [0x0D, 0, 0, 0x03, 0xE8])
            for index in 0..<1_000 {
                pages[leaf].replaceSubrange(8 + 2 * index..<10 + 2 * index, with: [0x0C, 0])
            }
            pages[leaf].replaceSubrange(0x0C00..<0x0C05, with: [0xA0, 0x80, 0x80, 0x00, 1])
            pages[leaf][0x0C05 + 489 + 3] = ring
        }
        pages[Int(ring) - 1][3] = ring
        let folder = TemporaryFolder()
        let path = folder.file("crafted.sqlite")
        try DamagedFile(bytes: Array(pages.joined()), path: path).write()
        let tree = PageTree(PageImage(main: try RawFile(path: path), log: nil))
        #expect(tree.leaves.count == 200)
        #expect(!tree.isWhole)
    }

    // With a look at each gap for each session this takes hours.
    @Test(
        "R-28 of any number of lost pages each session is told of its own", .timeLimit(.minutes(10))
    )
    func manyGaps() {
        var source = SalvageSource(rows: CarvedRows(), commitsBehind: 0)
        let count: Int64 = 400_000
        // From the last to the first, as a tree is followed; of each fourth session the third state.
        source.gaps = (1...count).reversed().filter { $0 % 4 == 0 }.map { key in
            PageTree.Gap(table: "state", ids: key << 8 | 2...key << 8 | 2)
        }
        source.gaps.append(PageTree.Gap(table: "event", ids: .min ... .max))
        source.gaps.append(PageTree.Gap(table: "state", ids: 41 << 8 | 9...43 << 8))
        var losses = StateLosses(source)
        var lost: [Int64] = []
        for key in 1...count
        where losses.reason(for: key, current: nil, missesRows: true) != nil {
            lost.append(key)
        }
        #expect(lost == (1...count).filter { $0 % 4 == 0 || (41...43).contains($0) })
    }

    @Test("L-14 R-02 a salvage elsewhere counts the durable commits that went with the log")
    func owedCommits() throws {
        let container = TestContainer()
        var store = try container.open()
        let record = try store.add("only")
        try store.close()
        store = try container.open()
        for number in 0..<3 {
            try store.save(record, activity(number))
        }
        store.abandon()
        let folder = try ContainerFolder.open(container.path, access: .owner)
        func salvage(_ name: String) throws -> SalvageReport {
            try SceneSessionStore.salvage(
                from: container.store, to: container.parent.file(name),
                options: container.options())
        }
        let whole = try salvage("whole")
        #expect(whole.commitsLost == 0 && whole.isComplete)
        try folder.remove(ContainerName.log)
        let rest = try salvage("rest")
        #expect(rest.commitsLost >= 3 && !rest.isComplete)
    }

    @Test("S-11 S-40 a log whose database is gone is salvaged by its own name")
    func logAlone() throws {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("only")
        for number in 0..<3 {
            try store.save(record, activity(number))
        }
        store.abandon()
        let folder = try ContainerFolder.open(container.path, access: .owner)
        try folder.remove(ContainerName.store)
        let report = try SceneSessionStore.salvage(
            from: container.store, to: container.parent.file("salvaged"),
            options: container.options())
        #expect(report.openSessions == 1)
    }
}
