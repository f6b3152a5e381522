import Foundation
import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What `doctor` advises can be typed as it is, from anywhere, and does what it says.
@Suite("advice that can be typed")
struct SuggestionTests {
    /// Ways in which a store is not as it should be.
    enum Trouble: String, CaseIterable {
        case destroyedPage, damagedPage, damagedRow, openFiles, leftovers, heldSession
        case withheldState, parkedSessions, staleState, declinedState, olderSchema, missingLog,
            lostStore, setAside, dyingLaunches
        case backupFile, damagedBackup, tamperedSchema, interrupted
    }

    private final class Place {
        let folder: String
        var path: String { folder + "/a store" }

        init() throws {
            folder = try TemporaryDirectory.make()
        }

        deinit {
            TemporaryDirectory.remove(folder)
        }

        func template(_ name: String) {
            let run = ToolWorld().run("fixture", "make", "--template", name, "-o", path)
            #expect(run.status == .done, "\(run.errors)")
        }

        func play(_ scenario: String) throws {
            for (name, text) in Manifests.all {
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).plist"))
            }
            let player = try ScenarioPlayer(
                Scenario(text: scenario, name: folder + "/a.scenario"), container: path,
                output: ScenarioPlayer.Output(line: { _ in }, failure: { _ in }))
            _ = try player.play()
        }

        func change(_ file: String, _ body: (inout Data) -> Void) throws {
            let file = URL(filePath: path + "/" + file)
            var bytes = try Data(contentsOf: file)
            body(&bytes)
            try bytes.write(to: file)
        }
    }

    /// The store to ask about.
    private func make(_ trouble: Trouble, in place: Place) throws -> String {
        let manager = FileManager.default
        let store = place.path + "/scenes.sqlite"
        switch trouble {
        case .damagedPage: place.template("damaged-page")
        case .heldSession: place.template("held-after-crashes")
        case .withheldState:
            try place.play(Fixture.withheldState)
        case .parkedSessions: try place.play(Fixture.parked)
        case .staleState: try place.play(Fixture.stale)
        case .declinedState: try place.play(Fixture.declined)
        case .dyingLaunches:
            try place.play(
                "manifest many.plist\ndelegate provider=Editor\n"
                    + String(repeating: "launch\nkill\n", count: 4))
        default: place.template("three-windows")
        }
        switch trouble {
        case .destroyedPage:
            try place.change("scenes.sqlite") { $0.resetBytes(in: 0..<4_096) }
        case .damagedRow:
            try ForeignTool.run(
                "UPDATE state SET saved_at = saved_at + 1 WHERE id IN (SELECT min(id) FROM state)",
                on: store)
        case .tamperedSchema:
            try ForeignTool.run(
                "CREATE TRIGGER t AFTER UPDATE ON state BEGIN SELECT 1; END", on: store)
        case .openFiles:
            try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
        case .leftovers:
            let made = manager.createFile(
                atPath: place.path + "/.scenestore.4000000.1.tmp", contents: Data([1]),
                attributes: [.posixPermissions: 0o600])
            #expect(made)
        case .missingLog:
            try place.play("manifest many.plist\nlaunch\nnew-scene\nkill\n")
            try? manager.removeItem(atPath: store + "-wal")
        case .lostStore:
            #expect(ToolWorld().run("backup", "--store", place.path).status == .done)
            try place.play("manifest many.plist\nlaunch\nnew-scene\nkill\n")
            try manager.removeItem(atPath: store)
        case .setAside:
            try place.change("scenes.sqlite") { $0.resetBytes(in: 0..<4_096) }
            #expect(ToolWorld().run("repair", "--yes", "--store", place.path).status == .done)
            // What an undo of the repair needs is not advised to be removed.
            try manager.removeItem(atPath: place.path + "/operations")
        case .interrupted:
            try manager.createDirectory(
                atPath: place.path + "/quarantine", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let base = place.path + "/quarantine/20260101T120000.000Z-replaced"
            try manager.moveItem(atPath: store, toPath: base + ".sqlite")
            try Data("null\n".utf8).write(to: URL(filePath: base + ".unfinished"))
        case .backupFile, .damagedBackup:
            let copy = place.folder + "/a backup.sqlite"
            #expect(
                ToolWorld().run("backup", "-o", copy, "--store", place.path).status == .done)
            if trouble == .damagedBackup {
                var bytes = try Data(contentsOf: URL(filePath: copy))
                bytes[bytes.count - 100] ^= 1
                try bytes.write(to: URL(filePath: copy))
            }
            return copy
        default: break
        }
        return place.path
    }

    /// The command lines between quotes in a piece of advice.
    private func commands(in advice: String) -> [String] {
        advice.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("scenestore ") }
            .map { String($0.element.dropFirst("scenestore ".count)) }
    }

    /// The words of a command line as a shell splits them.
    private func words(_ line: String) -> [String] {
        var words = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in line {
            if !isEscaped, "\\\"".contains(character) {
                isEscaped = character == "\\"
                isQuoted = isQuoted != (character == "\"")
            } else if character == " ", !isQuoted, !isEscaped {
                words.append("")
            } else {
                words[words.count - 1].append(character)
                isEscaped = false
            }
        }
        return words.filter { !$0.isEmpty }
    }

    @Test("every command that doctor advises runs as it stands", arguments: Trouble.allCases)
    func advice(_ trouble: Trouble) throws {
        let place = try Place()
        let path = try make(trouble, in: place)
        let world = ToolWorld(migrations: trouble == .olderSchema ? MadeMigrations.all : [])
        let run = world.run("doctor", "--json", "--store", path)
        let findings = try run.objects()
        #expect(trouble == .backupFile || run.status != .done, "\(run.output)")
        let advised = findings.flatMap {
            commands(in: $0.text("fix") ?? "") + commands(in: $0.text("message") ?? "")
        }
        let repaired = world.run("repair", "--dry-run", "--store", path)
        #expect(trouble == .backupFile || !advised.isEmpty, "\(run.output)")
        var number = 0
        for line in advised + commands(in: repaired.errors) {
            number += 1
            // Each on a store of its own.
            let fresh = try Place()
            let target = try make(trouble, in: fresh)
            var words = words(line).map { word in
                word.replacingOccurrences(of: place.folder, with: fresh.folder)
            }
            words = words.map {
                $0 == "DIR"
                    ? "\(fresh.folder)/made" : $0 == "FILE" ? "\(fresh.folder)/many.plist" : $0
            }
            let isOfMade = words.contains("--store") && words.last == "\(fresh.folder)/made"
            if isOfMade, words.first != "restore" {
                // What is to be done in the store that the command before it made.
                #expect(
                    world.run(
                        "restore", target, "--to", "\(fresh.folder)/made", "--yes"
                    ).status == .done)
            }
            let writes = [
                "repair", "doctor", "prune", "release", "reopen", "checkout", "restore",
            ]
            if writes.contains(words[0]) {
                words.append("--yes")
            }
            let done = world.run(words)
            let mayFind = words[0] == "doctor" || words[0] == "salvage"
            #expect(
                done.status == .done || mayFind && done.status == .answeredNo,
                "\(line): \(done.errors)")
        }
    }

    @Test("advice names no path where the store is found without it, nor in what is handed on")
    func withoutPath() throws {
        let place = try Place()
        let path = try make(.damagedRow, in: place)
        var world = ToolWorld()
        world.environment = ["SCENESTORE": path]
        let here = world.run("doctor", "--json")
        #expect(here.output.contains("'scenestore repair'"))
        let report = ToolWorld().run("report", "--redact", "values", "--store", path)
        #expect(!report.output.contains(place.folder))
        #expect(report.output.contains("scenestore repair"))
    }
}
