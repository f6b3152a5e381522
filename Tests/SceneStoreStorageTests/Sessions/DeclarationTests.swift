import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("What a launch declared")
struct DeclarationTests {
    private static let car = SceneSessionRole.carTemplateApplication

    private static func options(multiple: Bool) -> SceneApplicationOptions {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = multiple
        manifest.preferredDefaultRole = car
        for role in [SceneSessionRole.windowApplication, car] {
            var entry = SceneConfiguration(name: "Editor of \(role.rawValue)", role: role)
            entry.delegateClassName = "SceneDelegate"
            entry.resolution = .manifest
            manifest.configurations[role] = [entry]
        }
        manifest.activityTypes = ["com.example.private"]
        manifest.urlSchemes = ["private"]
        manifest.bundleIdentifier = "com.example.private"
        return SceneApplicationOptions(manifest: manifest)
    }

    private static func launch(
        _ store: SceneSessionStore, _ declared: String?, version: String = "1"
    ) throws {
        _ = try store.launches.begin(
            LaunchContext(
                appVersion: version, declared: declared, bootIdentifier: "boot",
                processIdentifier: 42))
    }

    /// How many rows a body changes.
    private static func changes(
        _ store: SceneSessionStore, _ body: () throws -> Void
    ) throws -> Int64 {
        func total() throws -> Int64 {
            try store.read { db throws(SceneStoreError) in
                try db.connection.withStatement(text: "SELECT total_changes()") {
                    statement throws(SceneStoreError) in
                    do {
                        _ = try statement.step()
                        return try statement.integer(at: 0)
                    } catch {
                        throw SceneStoreError(.internalError, "no count")
                    }
                }
            }
        }
        let before = try total()
        try body()
        return try total() - before
    }

    @Test("S-43 what the plan of a launch needs comes back, and nothing else is kept")
    func roundTrip() throws {
        for multiple in [false, true] {
            var options = Self.options(multiple: multiple)
            options.reconnection = .first(2)
            options.environmentSupportsMultipleScenes = false
            options.configurationRenames = ["a": "b", "c": "d"]
            options.unrememberedConfigurations = ["x", "y"]
            options.singleRoles = [.windowApplication, Self.car]
            options.openingConfiguration = "List"
            options.holdsAfterCrashes = 5
            options.stablePeriod = 1
            options.delivery = multiple ? .whenActive : .uikit
            options.persistsInbox = multiple
            let text = try #require(options.declaration)
            #expect(!text.contains("private"))
            let read = try #require(SceneApplicationOptions(declaration: text))
            #expect(read.declaration == text)
            #expect(read.manifest?.isPresent == true)
            #expect(read.manifest?.supportsMultipleScenes == multiple)
            #expect(read.manifest?.preferredDefaultRole == Self.car)
            #expect(read.manifest?.configurations == options.manifest?.configurations)
            #expect(read.reconnection == .first(2))
            #expect(!read.environmentSupportsMultipleScenes)
            #expect(read.configurationRenames == options.configurationRenames)
            #expect(read.unrememberedConfigurations == options.unrememberedConfigurations)
            #expect(read.singleRoles == options.singleRoles)
            #expect(read.openingConfiguration == "List")
            #expect(read.holdsAfterCrashes == 5)
            #expect(read.stablePeriod == 1)
            #expect(read.delivery == options.delivery)
            #expect(read.persistsInbox == multiple)
        }
        var made = Self.options(multiple: true)
        made.manifest?.isPresent = false
        let text = try #require(made.declaration)
        #expect(SceneApplicationOptions(declaration: text)?.manifest?.isPresent == false)
    }

    @Test("S-43 an app without a manifest, or with one that is too long, declares nothing")
    func nothing() throws {
        #expect(SceneApplicationOptions().declaration == nil)
        var options = Self.options(multiple: true)
        options.lifecycle = .application
        #expect(options.declaration == nil)
        options.lifecycle = .scene
        let length =
            try #require(options.declaration).utf8.count + #","openingConfiguration":"""#.utf8.count
        let room = SceneApplicationOptions.longestDeclaration - length
        options.openingConfiguration = String(repeating: "x", count: room)
        #expect(options.declaration?.utf8.count == SceneApplicationOptions.longestDeclaration)
        options.openingConfiguration?.append("x")
        #expect(options.declaration == nil)
        for text in ["", "[]", "{", "{}", "7", String(repeating: "[", count: 100)] {
            #expect(SceneApplicationOptions(declaration: text) == nil)
        }
    }

    @Test("S-43 it is written once: a launch that declares the same writes no row more")
    func once() throws {
        let one = try #require(Self.options(multiple: false).declaration)
        let two = try #require(Self.options(multiple: true).declaration)
        let store = try SceneSessionStore.memory()
        #expect(try store.launches.lastDeclaration() == nil)
        try Self.launch(store, nil)
        let plain = try Self.changes(store) { try Self.launch(store, nil) }
        #expect(try Self.changes(store) { try Self.launch(store, one) } == plain + 1)
        #expect(try store.launches.lastDeclaration() == one)
        for _ in 0..<2 {
            #expect(try Self.changes(store) { try Self.launch(store, one) } == plain)
            #expect(try store.launches.lastDeclaration() == one)
        }
        #expect(try Self.changes(store) { try Self.launch(store, two) } == plain + 1)
        #expect(try store.launches.lastDeclaration() == two)
        // An update, and the way back.
        try Self.launch(store, one, version: "2")
        #expect(try store.launches.lastDeclaration() == one)
        try Self.launch(store, two)
        #expect(try store.launches.lastDeclaration() == two)
        let record = try store.add("A")
        try store.save(record, activity(1))
        #expect(try store.launches.lastDeclaration() == two)
        try Self.launch(store, nil)
        #expect(try store.launches.lastDeclaration() == nil)
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-43 a launch that can't be written changes nothing of it")
    func rolledBack() throws {
        let container = TestContainer(.fail)
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        try Self.launch(store, "{}")
        fault.arm(.commit, after: 1, code: FaultSwitch.full)
        #expect(failure { try Self.launch(store, "[]") } != nil)
        #expect(fault.disarm())
        #expect(try store.launches.lastDeclaration() == "{}")
        try Self.launch(store, "[]")
        #expect(try store.launches.lastDeclaration() == "[]")
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-43 a damaged row declares nothing, until the next launch")
    func damaged() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try Self.launch(store, "{}")
        _ = try store.add("A")
        try store.close()
        try RawDatabase(container.folder.file()).run("UPDATE save_context SET declared = '[]'")
        store = try container.open()
        #expect(try store.launches.lastDeclaration() == nil)
        #expect(try store.openRecords().map(\.identifier) == ["A"])
        try Self.launch(store, "{}")
        #expect(try store.launches.lastDeclaration() == "{}")
    }
}
