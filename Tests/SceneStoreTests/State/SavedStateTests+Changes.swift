import SceneStore
import SceneStoreTesting
import Testing

/// Apps that write activities themselves, and changes of values.
extension SavedStateTests {
    // MARK: Apps that write activities themselves

    @Test("L-54 L-51 an app that writes activities is handed a migrated one and its context")
    func formats() throws {
        final class Plain: StateRestoringSceneDelegate {
            var activity: UserActivity?
            var context: SaveContext?
            func scene(
                _ scene: Scene, restoreInteractionStateWith activity: UserActivity,
                savedUnder context: SaveContext
            ) throws {
                self.activity = activity
                self.context = context
            }
            func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
                try activity
                    ?? UserActivity(
                        activityType: "com.example.note", userInfo: ["body": "draft"])
            }
        }
        final class App: SceneApplicationDelegate {
            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? { Plain() }
        }
        device.options.appVersion = "1.0"
        try device.launch { App() }
        try device.moveToBackground()
        device.update(version: "2.0")
        device.options.stateMigrations["com.example.note"] = [
            .from(1, .rename("body", to: "text"))
        ]
        try device.launch { App() }
        let plain = try device.sceneDelegate(Plain.self)
        #expect(plain.activity?.userInfo == ["text": "draft"])
        #expect(plain.context?.appVersion == "1.0")
        #expect(try session.stateRestorationActivity?.userInfo == ["body": "draft"])
        try device.moveToBackground()
        let stored = try device.application?.session(for: session.persistentIdentifier)
        #expect(stored?.stateRestorationActivity?.stateVersion == 2)
        // The app is rolled back to a format that doesn't know version 2.
        device.options.stateMigrations["com.example.note"] = []
        try device.relaunch()
        #expect(device.diagnostics.last?.path == "stateVersion")
        #expect(try session.withheldState == .newer)
    }

    // MARK: Changes of values

    private func migrate(
        _ values: ValueDictionary, _ changes: StateChange...
    ) throws -> ValueDictionary {
        var activity = try UserActivity(activityType: "com.example.note", userInfo: values)
        for (version, change) in changes.enumerated() {
            try activity.migrateState(to: version + 2, by: [.from(version + 1, change)])
        }
        return activity.userInfo
    }

    @Test("L-54 a step from the greatest version leads nowhere, and the app goes on")
    func greatestVersion() throws {
        let steps: [StateMigration] = [
            .from(.max, .drop("a")), .from(.max, [String: Int].self) { $0 }, .from(1, .drop("a")),
        ]
        var activity = try UserActivity(activityType: "com.example.note", userInfo: ["a": 1])
        try activity.migrateState(to: 2, by: steps)
        #expect(activity.userInfo == [:])
        #expect(throws: SceneStoreError(.noMigration, "")) {
            try activity.migrateState(to: .max, by: steps)
        }
    }

    @Test("L-54 keys are renamed, moved, added and dropped; what isn't there is left alone")
    func changes() throws {
        #expect(try migrate(["a": 1], .rename("a", to: "b"), .rename("x", to: "y")) == ["b": 1])
        #expect(
            try migrate(["a": 1], .move("a", to: ["in", "to"]), .add(["in", "at"], 2))
                == ["in": ["to": 1, "at": 2]])
        #expect(
            try migrate(["in": ["to": 1]], .rename(["in", "to"], to: "at")) == ["in": ["at": 1]])
        #expect(try migrate(["in": ["to": 1]], .drop(["in", "to"])) == ["in": [:]])
        #expect(try migrate(["a": 1], .drop("b"), .add("a", 2)) == ["a": 1])
        #expect(try migrate(["a.b": 1], .rename("a.b", to: "c")) == ["c": 1])
        #expect(try migrate(["a": 1], .change("a") { _ in "one" }) == ["a": "one"])
    }

    @Test("L-54 a change that would lose a value is refused with its key path")
    func refusedChanges() throws {
        for (values, change, path) in [
            (["a": 1, "b": 2], StateChange.rename("a", to: "b"), "userInfo.b"),
            (["a": 1, "in": 2], .move("a", to: ["in", "to"]), "userInfo.in"),
            (["in": 2], .drop(["in", "to"]), "userInfo.in"),
            (["in": ["a": 0.5]], .convert(["in", "a"], to: .integer), "userInfo.in.a"),
        ] as [(ValueDictionary, StateChange, String)] {
            let error = #expect(throws: SceneStoreError.self) { try migrate(values, change) }
            #expect(error?.code == .migrationFailed)
            #expect(error?.path == path)
        }
    }

    @Test(
        "L-54 a value gets another kind if nothing is lost by it",
        arguments: [
            (1, .boolean, true), (2, .boolean, nil), (true, .integer, 1), (3.0, .integer, 3),
            (3.5, .integer, nil), ("42", .integer, 42), ("042", .integer, nil), (7, .double, 7.0),
            (.integer(.max), .double, nil), ("1.5", .double, 1.5), ("x", .double, nil),
            (7, .string, "7"), (nil, .string, .null), ([1], .string, nil),
        ] as [(Value, StateChange.Kind, Value?)])
    func conversions(_ value: Value, _ kind: StateChange.Kind, _ expected: Value?) throws {
        guard let expected else {
            #expect(throws: SceneStoreError(.migrationFailed, "")) {
                try migrate(["a": value], .convert("a", to: kind))
            }
            return
        }
        #expect(try migrate(["a": value], .convert("a", to: kind)) == ["a": expected])
    }
}
