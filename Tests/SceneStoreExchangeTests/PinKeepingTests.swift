import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Pins that are copied")
struct PinKeepingTests {
    /// A store with a session of six pinned and six withheld states, two of them both, that many
    /// later ones followed.
    private func filled() throws -> (SceneSessionStore, TestContainer) {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("A")
        for number in 0..<10 {
            container.clock.advance(3_600_000)
            try store.save(record, activity(number), at: container.clock.now)
            let newest = try #require(try store.history.versions(key: record.key).first)
            if number < 6 {
                try store.history.pin(key: record.key, generation: newest.generation)
            }
            if number > 3 {
                try store.history.withhold(key: record.key, .declined)
            }
        }
        for number in 100..<160 {
            container.clock.advance(3_600_000 * 5)
            try store.save(record, activity(number), at: container.clock.now)
        }
        return (store, container)
    }

    private func numbers(_ store: SceneSessionStore) throws -> (pinned: [Int64], withheld: [Int64])
    {
        let record = try #require(try store.record(identifier: "A"))
        func numbers(_ versions: [StateVersion]) throws -> [Int64] {
            try versions.map { version in
                let state = try store.history.state(key: record.key, generation: version.generation)
                guard case .integer(let number)? = state?.userInfo["number"] else { return -1 }
                return number
            }
        }
        return (
            try numbers(store.history.versions(key: record.key).filter(\.isPinned)),
            try numbers(store.history.withheldVersions(key: record.key))
        )
    }

    private func check(_ store: SceneSessionStore) throws {
        let found = try numbers(store)
        #expect(found.pinned == [5, 4, 3, 2, 1, 0])
        #expect(found.withheld == [9, 8, 7, 6, 5, 4])
        let session = try store.session(for: try #require(try store.record(identifier: "A")))
        #expect(session.withheldState == .declined)
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-51 S-63 pins and what is withheld come back by an import")
    func imported() throws {
        let (store, container) = try filled()
        try check(store)
        let text = try store.export()
        try store.reset()
        try store.importing(text)
        try check(store)
        #expect(try store.export() == text)
        withExtendedLifetime(container) {}
    }

    @Test(
        "S-51 R-42 an import with impossible pins is refused",
        arguments: [
            ("\"withheld\":1}", "\"withheld\":0}"), ("\"withheld\":1}", "\"withheld\":17}"),
            ("\"pinned\":true,\"rank\"", "\"pinned\":1,\"rank\""),
            ("\"reason\":\"declined\"", "\"reason\":\"whim\""),
        ])
    func impossible(_ old: String, _ new: String) throws {
        let (store, container) = try filled()
        let text = String(decoding: try store.export(), as: UTF8.self)
        try #require(text.contains(old))
        let changed = text.replacing(old, with: new, maxReplacements: 1)
        try store.reset()
        #expect(failure { try store.importing(Array(changed.utf8)) } != nil)
        #expect(try store.openRecords().isEmpty)
        withExtendedLifetime(container) {}
    }

    @Test("S-51 R-23 pins come back from a backup and by a salvage")
    func copied() throws {
        let (store, container) = try filled()
        let path = container.parent.file("copy.sqlite")
        try store.backUp(to: path)
        try store.close()
        let other = TestContainer()
        try SceneSessionStore.restore(from: path, to: other.location, options: other.options())
        try check(try other.open())
        let third = TestContainer()
        _ = try SceneSessionStore.salvage(
            from: path, to: third.path, options: third.options())
        try check(try third.open())
    }
}
