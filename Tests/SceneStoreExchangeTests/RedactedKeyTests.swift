import Foundation
import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Redacted keys")
struct RedactedKeyTests {
    private let secret: ValueDictionary = ["secret": ["pin": "needle"], "kept": "straw"]

    /// A store with a value under the key in every place that has keys.
    private func fill(_ store: SceneSessionStore) throws -> (SessionRecord, UserActivity) {
        let record = try store.add("A")
        var activity = try UserActivity(activityType: "com.example.read", userInfo: secret)
        try store.save(record, activity)
        try store.values.setUserInfo(secret, key: record.key)
        try store.values.setStorage(["secret": "needle", "kept": "straw"], key: record.key)
        _ = try store.inbox.keep(.activity(activity), dedupe: nil)
        activity.persistentIdentifier = "article"
        try store.saveActivity(activity)
        return (record, activity)
    }

    @Test("S-70 a value of a redacted key comes back, and whoever exports it leaves it out")
    func comingBack() throws {
        let container = TestContainer()
        let app = try container.open { $0.redactedKeys = ["secret"] }
        let (record, activity) = try fill(app)
        try app.close()
        // The file says it, not the options of who reads.
        let support = try container.open(.reader)
        #expect(try support.restorationActivity(key: record.key)?.userInfo == secret)
        #expect(try support.restorationActivity(key: record.key)?.needsSave == false)
        #expect(try support.session(for: record).userInfo == secret)
        #expect(try support.values.storageValue(key: record.key, name: "secret") == "needle")
        #expect(
            try support.values.storageValues(key: record.key) == [
                "secret": "needle", "kept": "straw",
            ])
        #expect(try support.savedActivities().map(\.userInfo) == [secret])
        #expect(
            try support.inbox.pending().map(\.payload)
                == [.activity(try UserActivity(activityType: "com.example.read", userInfo: secret))]
        )
        for redaction in ExportRedaction.allCases {
            let text = String(decoding: try support.export(redacting: redaction), as: UTF8.self)
            #expect(!text.contains("needle") && !text.contains("6e6565646c65"))
            #expect(text.contains("straw") == (redaction == .none))
        }
        let text = String(decoding: try support.export(), as: UTF8.self)
        #expect(text.ranges(of: #"{"$redacted":"dictionary"}"#).count == 4)
        #expect(text.ranges(of: #"{"$redacted":"string"}"#).count == 1)
        try support.close()
        // Equal states are equal as long as the app asks for the same.
        let again = try container.open { $0.redactedKeys = ["secret"] }
        let plain = try UserActivity(activityType: "com.example.read", userInfo: secret)
        try again.save(record, plain)
        #expect(try again.history.versions(key: record.key).count == 1)
        try again.close()
        let open = try container.open()
        try open.save(record, plain)
        #expect(try open.history.versions(key: record.key).count == 2)
        for state in try open.history.versions(key: record.key) {
            let earlier = try open.history.state(key: record.key, generation: state.generation)
            #expect(earlier?.userInfo == activity.userInfo)
        }
        #expect(String(decoding: try open.export(), as: UTF8.self).contains("needle"))
    }

    @Test("S-70 an import takes what an export of redacted keys holds, and marks what it brings")
    func importing() throws {
        let (theirContainer, container) = (TestContainer(), TestContainer())
        let theirs = try theirContainer.open { $0.redactedKeys = ["secret"] }
        _ = try fill(theirs)
        let ours = try container.open()
        try ours.importing(try theirs.export())
        let record = try #require(try ours.openRecords().first)
        #expect(try ours.session(for: record).userInfo == ["kept": "straw"])
        #expect(try ours.restorationActivity(key: record.key)?.userInfo == ["kept": "straw"])
        #expect(try ours.values.storageValues(key: record.key) == ["kept": "straw"])

        let (openContainer, marking) = (TestContainer(), TestContainer())
        let plain = try openContainer.open()
        _ = try fill(plain)
        let marked = try marking.open { $0.redactedKeys = ["secret"] }
        try marked.importing(try plain.export())
        let key = try #require(try marked.openRecords().first).key
        #expect(try marked.values.storageValue(key: key, name: "secret") == "needle")
        #expect(!String(decoding: try marked.export(), as: UTF8.self).contains("needle"))
    }

    @Test("S-63 S-70 what the store has is not imported beside it because one side lacks a key")
    func importingOwn() throws {
        let container = TestContainer()
        let plain = try container.open()
        let (record, _) = try fill(plain)
        let another = try UserActivity(activityType: "com.example.other", userInfo: secret)
        try plain.saveActivity(another)
        try plain.close()
        // Once with the mark in the import alone, once with a mark in the store.
        for keys in [["secret"], []] as [Set<String>] {
            let store = try container.open { $0.redactedKeys = keys }
            let inbox = try store.inbox.pending().count
            let saved = try store.savedActivities().count
            let bytes = try store.export()
            try store.importing(bytes, merge: .keep)
            #expect(try store.inbox.pending().count == inbox)
            #expect(try store.savedActivities().count == saved)
            // What is stored from now on has the mark.
            let newer = try UserActivity(activityType: "com.example.newer", userInfo: secret)
            try store.saveActivity(newer)
            _ = try store.inbox.keep(.activity(newer), dedupe: nil)
            try store.importing(try store.export(), merge: .keep)
            #expect(try store.inbox.pending().count == inbox + 1)
            #expect(try store.savedActivities().count == saved + 1)
            #expect(try store.values.storageValue(key: record.key, name: "secret") == "needle")
            try store.close()
        }
    }

    @Test("S-70 what could not be read behind its mark is not stored")
    func limits() throws {
        let container = TestContainer()
        let store = try container.open {
            $0.redactedKeys = ["secret"]
            $0.limits.nodes = 100
        }
        let record = try store.add("A")
        var large: ValueDictionary = [:]
        for number in 0..<60 {
            large["\(number)"] = .integer(Int64(number))
        }
        let value = Value.dictionary(large)
        try store.values.setStorage(["open": value], key: record.key)
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try store.values.setStorage(["secret": value], key: record.key)
        }
        #expect(try store.values.storageValues(key: record.key) == ["open": value])
        #expect(try store.verify(.full).findings.isEmpty)
    }

    @Test("S-70 of keys that never reach the disk any value is taken, in user info, too")
    func ephemeralValues() throws {
        let container = TestContainer()
        let store = try container.open { $0.ephemeralKeys = ["secret"] }
        let record = try store.add("A")
        let uuid = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
        try store.values.setUserInfo(["secret": .uuid(uuid), "kept": "straw"], key: record.key)
        #expect(try store.session(for: record).userInfo == ["kept": "straw"])
    }

    @Test("S-70 a mark makes nothing storable that is not, and errors name the same place")
    func refusals() throws {
        let container = TestContainer()
        let store = try container.open {
            $0.redactedKeys = ["secret"]
            $0.limits.valueBytes = 100
        }
        let record = try store.add("A")
        let long: Value = .string(String(repeating: "x", count: 101))
        let uuid: Value = .uuid(
            try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001")))
        #expect(
            failure { try store.values.setUserInfo(["secret": uuid], key: record.key) }
                == failure { try store.values.setUserInfo(["other": uuid], key: record.key) })
        var paths: [String?] = []
        for key in ["secret", "other"] {
            var userInfo: ValueDictionary = [:]
            userInfo[key] = long
            do {
                try store.save(record, try UserActivity(activityType: "t", userInfo: userInfo))
            } catch let error as SceneStoreError {
                #expect(error.code == .limitExceeded)
                paths.append(error.path?.replacing(key, with: "KEY"))
            }
        }
        #expect(paths == ["userInfo.KEY", "userInfo.KEY"])
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try store.values.setStorage(["secret": long], key: record.key)
        }
    }

    @Test("S-70 what stands behind a mark and is of a newer version stays as it is")
    func newer() throws {
        let mark: [UInt8] = [0xDA, 0x53, 0x53, 0x52, 0x31]
        // A simple value that nobody has assigned.
        let value = try ValueCodec.decode(mark + [0xE5])
        #expect(value.isRedacted)
        #expect(value.kindName == "opaque")
        #expect(CanonicalJSON(portable: value).text == #"{"$redacted":"opaque"}"#)
        #expect(try ValueCodec.encode(value) == mark + [0xE5])
        // No second mark.
        #expect(try ValueCodec.encode(value.redacted(limits: .standard, path: "")) == mark + [0xE5])
        // However many marks stand one behind the other, one is looked behind.
        let nested = Array(repeatElement(mark, count: 100_000).joined()) + [0x00]
        let deep = try ValueCodec.decode(nested)
        #expect(deep.kindName == "opaque")
        #expect(deep.revealed.isRedacted)
        #expect(try ValueCodec.decode(mark + [0x00]).kindName == "integer")
        for bytes in [mark, Array(mark.dropLast()) + [0x32, 0x00]] {
            let value = try? ValueCodec.decode(bytes)
            #expect(value?.isRedacted != true)
        }
    }
}
