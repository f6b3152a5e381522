import SceneStoreFormats
import SceneStoreTesting
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

@Suite("Export and import")
struct ExportTests {
    @Test("L-82 S-63 an unsigned integer of 64 bits passes through an export")
    func unsignedIntegers() throws {
        let value = try ValueCoder.encode(["a": UInt64.max])
        let json = try CanonicalJSON(parsing: Array(CanonicalJSON(portable: value).text.utf8))
        #expect(try Value(portable: json, path: "") == value)
        #expect(try ValueCoder.decode([String: UInt64].self, from: value) == ["a": .max])
    }

    private func filled() throws -> (SceneSessionStore, TestContainer) {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        return (store, container)
    }

    @Test("S-63 export, wipe, import, export gives the same bytes")
    func roundTrip() throws {
        let (store, container) = try filled()
        let first = try store.export()
        try store.reset()
        let report = try store.importing(first)
        #expect(report.sessions == 4)
        #expect(try store.export() == first)
        #expect(try store.verify(.full).isSound)
        let rich = try #require(try store.record(identifier: "rich"))
        #expect(try store.restorationActivity(key: rich.key) == everything(depth: 5))
        #expect(try store.history.versions(key: rich.key).count == 2)
        #expect(try store.values.storageValue(key: rich.key, name: "tab") == 3)
        #expect(
            try store.read { reader throws(SceneStoreError) in
                try reader.records(presenting: .uuid(UUID(7)))
            }.map(\.identifier) == ["rich"]
        )
        #expect(try store.openCount() == 3)
        #expect(try store.mostRecentRecord()?.identifier == "hidden")
        #expect(try store.discards.reopen(identifier: "closed").identifier == "closed")
        withExtendedLifetime(container) {}
    }

    @Test("S-63 L-48 L-49 groups of closed windows and platform tokens come along")
    func groups() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        let names = ["a", "b", "c", "d", "e", "f"]
        let keys = try names.map { try store.add($0).key }
        let token: [UInt8] = [0, 255, 7]
        try store.values.setPlatformToken(token, key: keys[5])
        // One alone, a group in an order of its own, another group.
        try store.discard([keys[4]], cause: .user, deliveredNow: true)
        try store.discard([keys[2], keys[0]], cause: .user, deliveredNow: true)
        try store.discard([keys[1], keys[3]], cause: .user, deliveredNow: true)
        let text = try store.export()
        let second = TestContainer()
        let other = try second.open()
        _ = try other.add("noise")
        try other.importing(text)
        let closed = try other.discards.recentlyClosed()
        #expect(closed.map(\.record.identifier) == ["b", "d", "c", "a", "e"])
        let groups = closed.map(\.closing.group)
        #expect(groups[0] == groups[1] && groups[2] == groups[3])
        #expect(Set(groups).count == 3)
        let kept = try #require(try other.record(identifier: "f"))
        #expect(try other.session(for: kept).platformToken == token)
        #expect(try other.verify(.full).isSound)
        // And back: the same bytes.
        try store.reset()
        try store.importing(text)
        #expect(try store.export() == text)
        // Without content there is no token.
        #expect(String(decoding: text, as: UTF8.self).contains("platformToken"))
        let bare = String(decoding: try store.export(redacting: .all), as: UTF8.self)
        #expect(!bare.contains("platformToken"))
        withExtendedLifetime((container, second)) {}
    }

    @Test("S-63 the same state is the same bytes in another store with other row numbers")
    func canonical() throws {
        let (store, container) = try filled()
        let second = TestContainer()
        let other = try second.open()
        // Other row numbers and generations.
        for number in 0..<5 {
            let record = try other.add("noise-\(number)")
            try other.forget([record.key])
        }
        let text = try store.export()
        try other.importing(text)
        #expect(try other.export() == text)
        for line in text.split(separator: 0x0A) {
            let json = try CanonicalJSON(parsing: Array(line))
            #expect(json.text.utf8.elementsEqual(line), "not canonical")
        }
        withExtendedLifetime((container, second)) {}
    }

    @Test("S-63 a taken identifier is refused, kept, replaced, judged by age or renumbered")
    func merging() throws {
        let (store, container) = try filled()
        let text = try store.export(sessions: ["plain"])
        #expect(failure { try store.importing(text) } == .importRefused)
        #expect(try store.checkImport(text).refusals.first?.code == .takenIdentifier)
        let plain = try #require(try store.record(identifier: "plain"))
        container.clock.advance(60_000)
        try store.save(plain, activity(1_000), at: container.clock.now)
        #expect(try store.importing(text, merge: .keep).kept == 1)
        #expect(try store.importing(text, merge: .newest).kept == 1)
        let report = try store.importing(text, merge: .renumber)
        let fresh = try #require(report.renumbered["plain"])
        #expect(try store.record(identifier: fresh) != nil)
        #expect(try store.importing(text, merge: .replace).replaced == 1)
        let back = try #require(try store.record(identifier: "plain"))
        #expect(try store.restorationActivity(key: back.key) == activity(1))
        #expect(try store.verify(.full).isSound)
    }

    @Test(
        "R-42 one bad line and nothing is written",
        arguments: [
            #"{"kind":"session"}"#, "{", "[]", #"{"kind":"nothing"}"#,
            #"{"kind":"activity","saved":1,"activity":{"type":""}}"#,
            #"{"kind":"activity","saved":1,"activity":{"type":"a","info":{"x":{"$url":"%"}}}}"#,
            #"{"kind":"payload","at":1,"offered":false,"payload":{"x":1}}"#,
            #"{"kind":"discard","session":"a","cause":"nobody","delivery":0,"rank":1,"at":1}"#,
        ])
    func atomic(_ line: String) throws {
        let (store, container) = try filled()
        var text = try store.export()
        text += Array((line + "\n").utf8)
        let second = TestContainer()
        let other = try second.open()
        defer { withExtendedLifetime((container, second)) {} }
        #expect(failure { try other.importing(text) } == .importRefused)
        #expect(try other.checkImport(text).refused == 1)
        #expect(try other.openCount() == 0)
        #expect(try other.savedActivities().isEmpty)
    }

    @Test("R-42 an import with fewer or more sessions than it announces is refused")
    func announced() throws {
        let (store, container) = try filled()
        let lines = try store.export().split(separator: 0x0A)
        let other = TestContainer()
        let target = try other.open()
        defer { withExtendedLifetime((container, other)) {} }
        let ends = lines.indices.dropFirst().filter { lines[$0].starts(with: #"{"active""#.utf8) }
        let count = ends.count
        #expect(count > 2)
        for kept in 0..<count {
            let text = Array(lines[...kept].joined(separator: [0x0A]))
            #expect(failure { try target.importing(text) } == .importRefused)
            let refusals = try target.checkImport(text).refusals
            #expect(
                refusals.map(\.message) == [
                    "line 1: it announces \(count) sessions and \(kept) follow: the import is cut short",
                    "line 1: it announces 2 other entries and 0 follow: the import is cut short",
                ])
        }
        let (header, tail) = (Array(lines[0]), lines[1...])
        let less = String(decoding: header, as: UTF8.self)
            .split(separator: "\"sessions\":\(count)", omittingEmptySubsequences: false)
            .joined(separator: "\"sessions\":1")
        let text = Array(([Array(less.utf8)[...]] + tail).joined(separator: [0x0A]))
        #expect(failure { try target.importing(text) } == .importRefused)
        #expect(try target.openCount() == 0)
    }

    @Test(
        "R-42 what is wrong with an import names one line, and a version that never was is malformed",
        arguments: [
            (#"{"format":"scenestore","version":-1}"#, "malformedValue"),
            (#"{"format":"scenestore","version":0}"#, "malformedValue"),
            (#"{"format":"scenestore","version":2}"#, "newerSchema"),
        ])
    func wrong(_ header: String, _ code: String) throws {
        let (store, container) = try filled()
        defer { withExtendedLifetime(container) {} }
        #expect(failure { _ = try store.checkImport(Array(header.utf8)) }?.rawValue == code)
        let text = try store.export(sessions: []) + Array("\n{]\n".utf8)
        let refusal = try #require(try store.checkImport(text).refusals.first)
        #expect(
            refusal.message
                == "line 3: malformedJSON: column 2: expected a key in quotes")
        let lines = String(decoding: try store.export(), as: UTF8.self)
            .replacing("\"recency\":", with: "\"recency\":-")
        let named = try #require(try store.checkImport(Array(lines.utf8)).refusals.first)
        #expect(named.message.hasPrefix("line 2: malformedValue: "))
        #expect(named.path == "recency")
        let bare = try store.export(sessions: []) + Array("5\n".utf8)
        #expect(try store.checkImport(bare).refusals.first?.path == nil)
    }

    @Test("R-42 an export cut at the end of any of its lines is refused")
    func cutAtLines() throws {
        let (store, container) = try filled()
        try ImportedRecordTests.addTombstone("gone", store, container)
        let lines = try store.export().split(separator: 0x0A)
        let other = TestContainer()
        let target = try other.open()
        defer { withExtendedLifetime((container, other)) {} }
        for kept in 1..<lines.count {
            let text = Array(lines[..<kept].joined(separator: [0x0A])) + [0x0A]
            #expect(failure { try target.importing(text) } == .importRefused, "\(kept) lines")
            let refusal = try #require(try target.checkImport(text).refusals.last)
            #expect(refusal.message.hasSuffix("follow: the import is cut short"))
        }
        let longer = Array(lines.joined(separator: [0x0A])) + [0x0A] + (lines.last ?? [])
        #expect(failure { try target.importing(longer) } == .importRefused)
        #expect(try target.openCount() == 0)
        #expect(try target.importing(try store.export()).others == lines.count - 4)
    }

    @Test("S-63 an export of an earlier version, which announces sessions alone, is read")
    func earlierHeader() throws {
        let (store, container) = try filled()
        defer { withExtendedLifetime(container) {} }
        let text = try store.export()
        let earlier = String(decoding: text, as: UTF8.self)
            .split(separator: "\"others\":2,", maxSplits: 1).joined()
        #expect(earlier.utf8.count < text.count)
        try store.reset()
        #expect(try store.importing(Array(earlier.utf8)).others == 2)
        #expect(try store.export() == text)
    }

    @Test(
        "R-42 a time that doesn't exist is refused",
        arguments: ["9007199254740992", "8640000000000001", "-8640000000000001"])
    func impossibleTimes(_ time: String) throws {
        let (store, container) = try filled()
        defer { withExtendedLifetime(container) {} }
        let text = String(decoding: try store.export(), as: UTF8.self)
        let other = TestContainer()
        let target = try other.open()
        for key in ["active", "created", "saved", "at"] {
            let parts = text.split(separator: "\"\(key)\":1767", maxSplits: 1)
            let digits = try #require(parts.last?.prefix { $0.isNumber }.count)
            let changed =
                parts[0] + "\"\(key)\":\(time)" + (parts.last?.dropFirst(digits) ?? "")
            let report = try target.checkImport(Array(changed.utf8))
            #expect(report.refused == 1, "\(key)")
            let refusal = try #require(report.refusals.first)
            #expect(refusal.message.hasSuffix("malformedValue: the time doesn't exist"))
            #expect(refusal.path?.hasSuffix(key) == true)
        }
        #expect(try target.openCount() == 0)
        withExtendedLifetime(other) {}
    }

    @Test("S-63 R-42 an identifier that stands in an import twice is refused, whatever is merged")
    func twice() throws {
        let (store, container) = try filled()
        defer { withExtendedLifetime(container) {} }
        var text = try store.export(sessions: ["plain"])
        let line = try #require(text.split(separator: 0x0A).last)
        text = Array(
            String(decoding: text, as: UTF8.self).replacing(
                "\"sessions\":1,", with: "\"sessions\":2,"
            )
            .utf8)
        text += line + [0x0A]
        try store.reset()
        for merge in ImportMerge.allCases {
            #expect(failure { try store.importing(text, merge: merge) } == .importRefused)
        }
        #expect(try store.openCount() == 0)
    }

    @Test("L-83 R-42 an import may fill the limit of open sessions, and exceeds it by none")
    func limitOfSessions() throws {
        let source = TestContainer()
        let store = try source.open()
        for name in ["A", "B", "C"] {
            _ = try store.add(name)
        }
        let closed = try store.add("closed")
        try store.discard([closed.key], cause: .user, deliveredNow: true)
        let text = try store.export()
        for (limit, isTaken) in [(3, false), (4, true), (5, true)] {
            let container = TestContainer()
            let target = try container.open { $0.limits.sessions = limit }
            _ = try target.add("own")
            let report = try target.checkImport(text)
            #expect(report.refused == (isTaken ? 0 : 1), "\(limit)")
            #expect(failure { try target.importing(text) } == (isTaken ? nil : .importRefused))
            #expect(try target.openCount() == (isTaken ? 4 : 1))
            // What is replaced needs no room of its own.
            if isTaken {
                try target.importing(text, merge: .replace)
                #expect(try target.openCount() == 4)
            }
            withExtendedLifetime(container) {}
        }
        withExtendedLifetime(source) {}
    }

    @Test("S-63 of two equally old sessions the store's own stays, and of a newer one it does not")
    func newest() throws {
        let (store, container) = try filled()
        let text = try store.export(sessions: ["plain"])
        #expect(try store.importing(text, merge: .newest).kept == 1)
        let other = TestContainer()
        other.clock.advance(-1)
        let target = try other.open()
        _ = try target.add("plain")
        #expect(try target.importing(text, merge: .newest).replaced == 1)
        // What was read before the import is not believed after it.
        let record = try #require(try target.record(identifier: "plain"))
        #expect(try target.restorationActivity(key: record.key) == activity(1))
        withExtendedLifetime((container, other)) {}
    }

    @Test(
        "S-63 stores that differ in a discard, a payload or an earlier state alone are not the same"
    )
    func comparing() throws {
        let (store, container) = try filled()
        let text = try store.export()
        #expect(try StoreComparison(text, text).isSame)
        _ = try store.inbox.keep(.activity(activity(6)), dedupe: nil)
        let payload = try store.export()
        let comparison = try StoreComparison(text, payload)
        #expect(comparison.others == ["payload"])
        #expect(comparison.sessions.isEmpty && !comparison.isSame)
        // A session that has one field more, and one earlier state more.
        let other = TestContainer()
        let target = try other.open()
        try target.importing(text)
        let plain = try #require(try target.record(identifier: "plain"))
        try target.save(plain, activity(2))
        try target.save(plain, activity(1))
        let states = try StoreComparison(text, target.export())
        #expect(states.sessions.map(\.sessionIdentifier) == ["plain"])
        #expect(states.sessions.map(\.fields) == [["states"]])
        try target.values.setTitle("t", key: plain.key)
        let more = try target.export()
        for (left, right) in [(text, more), (more, text)] {
            #expect(
                try StoreComparison(left, right).sessions.map(\.fields) == [["states", "title"]])
        }
        withExtendedLifetime((container, other)) {}
    }

    @Test("R-42 lines cut and changed at random are refused or read, and never trap")
    func hostile() throws {
        let (store, container) = try filled()
        let text = try store.export()
        var random = SeededRandom(5)
        let second = TestContainer()
        let other = try second.open()
        defer { withExtendedLifetime((container, second)) {} }
        for _ in 0..<400 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let offset = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[offset] = UInt8.random(in: 0x20..<0x7F, using: &random)
                case 1: bytes.remove(at: offset)
                default:
                    bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: offset)
                }
            }
            _ = failure { _ = try other.checkImport(bytes) }
        }
        #expect(try other.openCount() == 0)
    }

    @Test("S-70 a redacted export shows no value, and is not taken for a whole one")
    func redaction() throws {
        let (store, container) = try filled()
        defer { withExtendedLifetime(container) {} }
        for redaction in [ExportRedaction.values, .all] {
            let text = String(decoding: try store.export(redacting: redaction), as: UTF8.self)
            for secret in ["three", "example.com/a", "A \\\"title", "main"] {
                #expect(!text.contains(secret), "\(redaction) shows \(secret)")
            }
            #expect(text.contains("nested") == (redaction == .values))
            #expect(failure { try store.importing(Array(text.utf8)) } == .redactedExport)
        }
    }
}
