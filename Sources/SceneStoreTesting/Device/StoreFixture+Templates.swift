import SceneStore

extension StoreFixture {
    /// The named stores that apps meet sooner or later.
    ///
    /// All of them belong to an app with the window configurations Editor and Viewer. States are
    /// activities of the type `com.example.document` whose user info holds `text`.
    public enum Template: String, Sendable, Hashable, CaseIterable {
        /// The app was launched once: one window, no state.
        case firstLaunch = "first-launch"
        /// Three windows in front, each with a state, and a clean end.
        case threeWindows = "three-windows"
        /// The app was updated and the configuration of one of three windows is gone.
        case staleConfiguration = "stale-configuration"
        /// The user closed one of three windows while no process ran; the app wasn't told yet.
        case discardedWhileAway = "discarded-while-away"
        /// Three processes in a row died restoring one of two windows.
        case heldAfterCrashes = "held-after-crashes"
        /// The process died in the middle of its last save: half of its last write is junk.
        case tornWrite = "torn-write"
        /// A page that holds a state of one of three windows is junk.
        case damagedPage = "damaged-page"
        /// A version that is yet to come wrote the store.
        case newerSchema = "newer-schema"
        /// One of two windows is private: nothing of its content is kept.
        case ephemeralSession = "ephemeral-session"
        /// Ten thousand windows, each with a state; one of them was in front.
        case tenThousandSessions = "10000-sessions"
    }

    /// Makes a store of a template; the same template and seed give the same bytes.
    ///
    /// Throws what the store throws; ``Template/tenThousandSessions`` takes a moment.
    public init(_ template: Template, seed: UInt64 = 1) throws(SceneStoreError) {
        var builder = StoreFixtureBuilder(seed: seed)
        switch template {
        case .firstLaunch:
            builder.addWindow(.init(configuration: "Editor"))
        case .threeWindows, .newerSchema:
            try builder.addDocuments(["Editor", "Editor", "Viewer"])
        case .staleConfiguration:
            try builder.addDocuments(["Editor", "Viewer", "Editor"])
        case .discardedWhileAway:
            try builder.addDocuments(["Editor", "Editor", "Viewer"]) { index, window in
                window.isClosedWhileAway = index == 1
            }
        case .heldAfterCrashes:
            try builder.addDocuments(["Editor", "Viewer"]) { index, window in
                window.crashes = index == 1 ? 3 : 0
            }
            builder.end = .kill
        case .tornWrite:
            try builder.addDocuments(["Editor"])
            builder.end = .kill
        case .damagedPage:
            // So long that no two states share a page.
            try builder.addDocuments(["Editor", "Editor", "Viewer"], length: 3_000)
        case .ephemeralSession:
            try builder.addDocuments(["Editor", "Viewer"]) { index, window in
                window.isEphemeral = index == 1
            }
        case .tenThousandSessions:
            try builder.addDocuments(["Editor"])
        }
        let device = try builder.play()
        try Self.finish(template, device)
        try self.init(of: device)
        if template == .tornWrite {
            tearLog()
        }
    }

    /// What no app does by itself.
    private static func finish(
        _ template: Template, _ device: SimulatedDevice
    ) throws(SceneStoreError) {
        switch template {
        case .staleConfiguration:
            device.update(manifest: .windows("Editor"), version: "2.0")
        case .tornWrite:
            // The states that the builder saved are safe; the one that is torn comes after them.
            try device.saveTornState()
        case .damagedPage:
            try device.damagePage(ofState: 1)
        case .newerSchema:
            try device.alterDatabase("CREATE TABLE later (a); PRAGMA user_version = 99")
        case .tenThousandSessions:
            try device.addSessions(upTo: 10_000)
        case .firstLaunch, .threeWindows, .discardedWhileAway, .heldAfterCrashes,
            .ephemeralSession:
            break
        }
    }
}

extension StoreFixtureBuilder {
    /// The state of a template's window.
    static func document(
        _ number: Int, length: Int = 0
    ) throws(SceneStoreError) -> UserActivity {
        let text = "document \(number)"
        let filling = String(repeating: ".", count: max(0, length - text.utf8.count))
        var activity = try UserActivity(
            activityType: "com.example.document", title: text,
            userInfo: ["text": .string(text + filling)])
        activity.needsSave = false
        return activity
    }

    fileprivate mutating func addDocuments(
        _ configurations: [String], length: Int = 0,
        _ change: (Int, inout Window) -> Void = { _, _ in }
    ) throws(SceneStoreError) {
        for (index, configuration) in configurations.enumerated() {
            var window = Window(
                configuration: configuration,
                state: try Self.document(index + 1, length: length),
                title: "Document \(index + 1)")
            change(index, &window)
            addWindow(window)
        }
    }
}

extension SimulatedDevice {
    /// The next process saves once more and dies.
    fileprivate func saveTornState() throws(SceneStoreError) {
        let application = try launch { TornApp() }
        guard let scene = frontScene else {
            throw SceneStoreError(.invalidState, "no scene is connected")
        }
        try application.setStateRestorationActivity(
            StoreFixtureBuilder.document(2), for: scene.session.persistentIdentifier)
        kill()
    }

    /// Damages the page of the store in which a session's state begins.
    fileprivate func damagePage(ofState index: Int) throws(SceneStoreError) {
        let marker = Array("document \(index + 1)....".utf8)
        guard let bytes = try fileBytes(storePath), bytes.count > 100,
            let offset = bytes.firstOffset(of: marker)
        else {
            throw SceneStoreError(.invalidState, "the store does not hold the state")
        }
        let written = Int(bytes[16]) << 8 | Int(bytes[17])
        try damagePage(offset / (written == 1 ? 65_536 : max(written, 1)) + 1)
    }

    /// Adds windows with a state, out of sight.
    fileprivate func addSessions(upTo count: Int) throws(SceneStoreError) {
        let identifiers = identifiers
        try edit { (store) throws(SceneStoreError) in
            guard let first = try store.openRecords().first else {
                return
            }
            var states: [StateToSave] = []
            for number in 2...count {
                let record = try store.insertSession(
                    identifier: identifiers.next(), configuration: first.configuration)
                states.append(
                    StateToSave(
                        key: record.key, activity: try StoreFixtureBuilder.document(number)))
            }
            try store.save(
                states, marks: [],
                context: SaveContext(appVersion: "1.0", savedAt: VirtualClock.start),
                durability: .full)
        }
    }
}

/// The app that dies in the middle of a save.
private final class TornApp: SceneApplicationDelegate {}

extension [UInt8] {
    /// Where a pattern begins, or nil.
    fileprivate func firstOffset(of pattern: [UInt8]) -> Int? {
        guard let head = pattern.first, count >= pattern.count else {
            return nil
        }
        for offset in 0...(count - pattern.count)
        where self[offset] == head
            && self[offset..<offset + pattern.count].elementsEqual(pattern)
        {
            return offset
        }
        return nil
    }
}
