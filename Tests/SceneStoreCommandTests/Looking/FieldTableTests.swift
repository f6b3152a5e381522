import Foundation
import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// The fields of the JSON of every command that reads, in one table.
@Suite("the table of JSON fields")
struct FieldTableTests {
    /// What a field is wherever it is printed, when it isn't null.
    private static let types: [String: String] = [
        "$set": "list", "accepted": "boolean", "activity": "text", "answer": "text", "app": "text",
        "appState": "text", "before": "text", "bytes": "number", "call": "text",
        "callbacks": "list", "can": "boolean", "canActivate": "text", "candidates": "list",
        "closedWith": "list", "code": "text", "columns": "list", "command": "text",
        "conditions": "object",
        "configuration": "text", "configurationParts": "object", "count": "number",
        "counts": "object", "crashes": "number", "created": "text", "current": "boolean",
        "delegate": "text", "delegateClass": "text", "delivered": "boolean", "eligibility": "list",
        "damaged": "boolean", "ended": "text", "ending": "text", "event": "text",
        "expected": "number", "files": "list", "findings": "list", "fix": "text",
        "generation": "number", "healthy": "boolean", "heldByHand": "boolean", "history": "object",
        "historyBytes": "number", "historyShare": "number", "inFront": "boolean",
        "isConnected": "boolean", "isNewSession": "boolean", "journal": "list", "key": "text",
        "keywords": "object", "kind": "text", "largest": "number", "largestShare": "number",
        "lastActive": "text", "lastLaunch": "object", "launch": "number", "launches": "list",
        "ledger": "object", "limit": "number", "line": "number", "link": "boolean", "mark": "text",
        "message": "text", "name": "text", "next": "text", "nextLaunch": "object",
        "notAsked": "list", "oldest": "text", "operation": "number", "order": "number",
        "others": "object",
        "outcome": "text", "owner": "object", "passed": "boolean", "path": "text",
        "payloadsSetAside": "number",
        "pinned": "boolean", "prefers": "boolean", "prefersToActivate": "text", "privacy": "text",
        "process": "number", "reason": "text", "reconnects": "boolean",
        "requiredUserInfoKeys": "object", "resolution": "text", "restoration": "text",
        "restorationEnabled": "boolean", "restorationReason": "text", "restored": "boolean",
        "restoredSessions": "number", "role": "text", "rule": "text", "running": "boolean",
        "saved": "text", "savedActivity": "object", "savedUnder": "object", "schema": "number",
        "seq": "number", "session": "text", "sessions": "list", "severity": "text",
        "share": "number", "sqlite": "text", "stale": "boolean", "started": "text", "state": "text",
        "stateBytes": "number", "stateShare": "number", "states": "number", "step": "text",
        "steps": "list", "storage": "object", "storageBytes": "number", "text": "text",
        "time": "text", "titles": "list", "totalBytes": "number", "type": "text",
        "userInfo": "object", "uuid": "text", "version": "text", "waitingPayloads": "number",
        "where": "text", "withheld": "boolean", "writtenBy": "text",
    ]

    /// Every command that reads a store, or compares two.
    private static func lines(_ fixture: Fixture) throws -> [[String]] {
        let scenario = try fixture.file("a.scenario", "launch\n")
        return [
            ["sessions", "--all"], ["info"], ["doctor", "--full"], ["plan"], ["log"],
            ["timeline"], ["report"], ["operations"], ["size"], ["size", "--by", "session"],
            ["size", "--by", "key"], ["show", "@last"], ["history", "@last"], ["why", "@last"],
            ["find", "edit"], ["find", "letter", "--values"],
            ["open-url", "notes://note/1", "--all"], ["open-url", "notes://note/1"],
            ["sql", "tables"],
            ["simulate", scenario], ["--version"],
        ]
    }

    @Test("S-44 a field of JSON has one type in every command, and the table has them all")
    func types() throws {
        var found: [String: Set<String>] = [:]
        for scenario in [Fixture.withheldState, Fixture.parked, Fixture.failedAndSaved] {
            let fixture = try Fixture(scenario)
            #expect(fixture.run("hold", Fixture.a, "--yes").status == .done)
            for line in try Self.lines(fixture) {
                let run = ToolWorld().run(line + ["--json", "--store", fixture.path])
                for object in try run.objects() {
                    Self.collect(.object(object), &found)
                }
            }
        }
        let types = found.mapValues { $0.sorted().joined(separator: " or ") }
        #expect(types == Self.types)
    }

    @Test(
        "S-44 a table's heading has the word of its field", arguments: ["sessions", "plan", "log"])
    func headings(command: String) throws {
        let words = [
            "lastActive": "Last active", "outcome": "Outcome", "reason": "Reason",
            "restoration": "Restoration", "session": "Session", "state": "State", "title": "Title",
        ]
        let fixture = try Fixture(Fixture.parked)
        let fields = try #require(fixture.run(command, "--csv").lines.first).split(separator: ",")
        for field in fields {
            if let word = words[String(field)] {
                let lines = fixture.run(command, "--columns", String(field)).lines
                #expect(lines.contains(word), "\(command): \(field)")
            }
        }
    }

    /// The fields of an object, and of the objects in it; what apps and people named is left out.
    private static func collect(_ value: CanonicalJSON, _ found: inout [String: Set<String>]) {
        switch value {
        case .array(let values):
            for value in values {
                collect(value, &found)
            }
        case .object(let object):
            for (key, value) in object.members where value != .null {
                found[key, default: []].insert(type(of: value))
                if ["counts", "ledger", "sizes"].contains(key), let counts = value.objectValue {
                    // A number for each word.
                    for (word, count) in counts.members where type(of: count) != "number" {
                        found["\(key).\(word)", default: []].insert(type(of: count))
                    }
                } else if key != "userInfo", key != "storage", key != "presentedValue" {
                    collect(value, &found)
                }
            }
        default: break
        }
    }

    private static func type(of value: CanonicalJSON) -> String {
        switch value {
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .double: "number"
        case .string: "text"
        case .array: "list"
        case .object: "object"
        }
    }
}
