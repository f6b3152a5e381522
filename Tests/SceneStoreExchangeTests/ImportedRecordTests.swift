import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Discards, payloads and saved activities of an import, beside what the store knows.
@Suite("Imported records")
struct ImportedRecordTests {
    private func filled() throws -> (SceneSessionStore, TestContainer) {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        return (store, container)
    }

    @Test(
        "S-63 what was read before an import is read anew after it", arguments: ImportMerge.allCases
    )
    func readBefore(_ merge: ImportMerge) throws {
        let source = TestContainer()
        let (other, container) = try filled()
        let text = try other.export()
        var store = try source.open()
        for name in ["plain", "own"] {
            try store.save(try store.add(name, front: true), activity(1))
        }
        func seen(_ store: SceneSessionStore) throws -> [String] {
            var seen: [String] = []
            for record in try store.openRecords() {
                let number = try store.restorationActivity(key: record.key)?.userInfo["number"]
                let states = try store.history.versions(key: record.key).count
                seen.append("\(record.identifier) \(record.configuration.name ?? "") \(states)")
                seen.append("\(number ?? .null)")
            }
            seen += try store.frontRecords().map(\.identifier)
            seen.append(try store.mostRecentRecord()?.identifier ?? "")
            seen += try store.read { skeleton throws(SceneStoreError) in
                try skeleton.recordsWithConditions().map(\.record.identifier)
            }
            return seen
        }
        _ = try seen(store)
        _ = try? store.importing(text, merge: merge)
        let after = try seen(store)
        try store.close()
        store = try source.open()
        #expect(try seen(store) == after)
        withExtendedLifetime((other, container)) {}
    }

    @Test("S-63 L-11 a window used after an import comes before the windows that came in")
    func usedAfterImport() throws {
        let (other, container) = try filled()
        let source = TestContainer()
        let store = try source.open()
        let own = try store.add("first of all")
        #expect(try store.mostRecentRecord()?.identifier == "first of all")
        try store.importing(try other.export())
        #expect(try store.mostRecentRecord()?.identifier != "first of all")
        try store.marks.apply([MarkChange(key: own.key, becameActive: true)])
        #expect(try store.mostRecentRecord()?.identifier == "first of all")
        withExtendedLifetime((other, container)) {}
    }

    @Test("S-63 an import discards no open session, and a session that comes in is not discarded")
    func noTombstoneOverSession() throws {
        let (store, container) = try filled()
        defer { withExtendedLifetime(container) {} }
        let whole = try store.export()
        let text =
            "{\"app\":null,\"format\":\"scenestore\",\"redact\":\"none\",\"sessions\":0,\"version\":1}\n"
            + Self.discard(of: "plain")
        let other = TestContainer()
        let target = try other.open()
        try target.importing(whole)
        #expect(failure { try target.importing(Array(text.utf8)) } == .importRefused)
        for merge in [ImportMerge.keep, .replace, .newest, .renumber] {
            #expect(try target.importing(Array(text.utf8), merge: merge).kept == 1)
        }
        #expect(try target.discards.pending().map(\.identifier) == ["closed"])
        #expect(try target.verify(.full).isSound)
        // The other way round: first the discard, then the session.
        let third = TestContainer()
        let late = try third.open()
        try late.importing(Array(text.utf8))
        #expect(try late.discards.pending().map(\.identifier) == ["plain"])
        try late.importing(whole)
        #expect(try late.discards.pending().map(\.identifier) == ["closed"])
        #expect(try late.export() == whole)
        withExtendedLifetime((other, third)) {}
    }

    /// A discard that the app was not told of, of a session whose row is gone.
    static func addTombstone(
        _ identifier: String, _ store: SceneSessionStore, _ container: TestContainer
    ) throws {
        let record = try store.add(identifier)
        try store.discard([record.key], cause: .user, deliveredNow: false)
        container.clock.advance(1_000)
        // Closed windows whose rows went, as pruning takes them.
        let closed = try store.discards.recentlyClosed().map(\.record.key)
        try store.write(.full) { transaction throws(SceneStoreError) in
            for key in closed {
                if let session = try transaction.db.session(key) {
                    try transaction.deleteSession(session)
                }
            }
        }
    }

    private static func discard(of identifier: String) -> String {
        let configuration =
            "{\"delegateClass\":null,\"immersionStyle\":null,\"name\":\"Default Configuration\","
            + "\"resolution\":0,\"role\":\"windowApplication\",\"sceneClass\":null,"
            + "\"storyboard\":null}"
        return "{\"at\":1767225600000,\"cause\":\"user\",\"configuration\":\(configuration),"
            + "\"delivery\":0,\"kind\":\"discard\",\"rank\":1,\"session\":\"\(identifier)\"}"
    }

    @Test("S-63 an import that comes twice doubles no discard and no payload")
    func noDoubles() throws {
        let (store, container) = try filled()
        try Self.addTombstone("gone", store, container)
        _ = try store.inbox.keep(.activity(activity(6)), dedupe: nil)
        let text = try store.export()
        let other = TestContainer()
        let target = try other.open()
        defer { withExtendedLifetime((container, other)) {} }
        try target.importing(text)
        for merge in [ImportMerge.keep, .replace, .newest, .renumber] {
            #expect(try target.importing(text, merge: merge).others == 0)
            #expect(try target.discards.pending().count == 2)
            #expect(try target.savedActivities().count == 1)
            #expect(try target.inbox.pending().count == 2)
        }
        // What was acknowledged under a key does not come again.
        for item in try target.inbox.pending() {
            try target.inbox.acknowledge([item.id])
        }
        #expect(try target.checkImport(text, merge: .keep).others == 1)
    }

    @Test("S-63 an import says before what it does, also of what stands in it twice")
    func twiceInOne() throws {
        let (store, container) = try filled()
        let lines =
            try store.export(sessions: []).split(separator: 0x0A)
            + [
                Array(Self.discard(of: "gone").utf8)[...],
                Array(Self.discard(of: "gone").utf8)[...],
            ]
        let earlier = String(decoding: lines[0], as: UTF8.self)
            .split(separator: "\"others\":0,").joined()
        let text =
            Array(earlier.utf8) + [0x0A] + Array(lines.dropFirst().joined(separator: [0x0A]))
        let other = TestContainer()
        let target = try other.open()
        #expect(try target.importing(text).others == 2)
        #expect(try target.discards.pending().count == 2)
        let again = TestContainer()
        let copy = try again.open()
        try copy.importing(try target.export())
        #expect(try copy.export() == target.export())
        withExtendedLifetime((container, other, again)) {}
    }
}
