import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

/// What the reference shows of sessions, configurations and what they keep.
@MainActor
@Suite("Examples of the model")
struct ModelExamples: SampleExamples {
    let sample: Sample

    init() throws {
        sample = try Sample()
    }

    @Test("a session, its identifier, and its activity")
    func sessions() throws {
        // example: SceneSession
        for session in application.openSessions where session.title == nil {
            let id: SceneSession.ID = session.id
            try application.setTitle("Shopping", for: id)
        }
        // end
        #expect(scene.session.title == "Shopping")
        // example: UserActivity
        var activity = try UserActivity(
            activityType: "com.example.note", title: "Shopping", userInfo: ["line": 12])
        activity.isEligibleForSearch = true
        try application.setStateRestorationActivity(activity, for: session.id)
        // end
        let stored = try application.session(for: session.id)?.stateRestorationActivity
        #expect(stored?.isEligibleForSearch == true && stored?.isEligibleForHandoff == true)
    }

    @Test("what a session says of its restoration")
    func restoration() throws {
        var messages: [String] = []
        // example: RestorationStatus
        if session.restoration == .stale {
            messages.append("This note was saved long ago.")
        }
        // end
        // example: WithheldReason
        if let reason = session.withheldState, reason != .declined {
            messages.append("This note wasn't restored (\(reason)). Show its last state?")
        }
        // end
        // example: LaunchReason
        if application.launchReason == .recover {
            messages.append("The app ended unexpectedly; your notes are as you left them.")
        }
        // end
        #expect(messages == [])
        sample.device.kill()
        #expect(try sample.device.relaunch().launchReason == .recover)
    }

    @Test("requests, roles and privacy")
    func requests() throws {
        var messages: [String] = []
        // example: SceneSessionActivationRequest
        var request = SceneSessionActivationRequest()
        request.configurationName = "Note"
        application.requestSceneSessionActivation(request) { error in
            messages.append(error.message)
        }
        // end
        #expect(messages == [] && application.connectedScenes.count == 2)
        do {
            // example: PrivacyClass
            var request = SceneSessionActivationRequest()
            request.privacy = .ephemeral  // never written to the disk
            application.requestSceneSessionActivation(request)
            // end
        }
        #expect(application.connectedScenes.count { $0.session.privacy == .ephemeral } == 1)
        // example: SceneSessionRole
        let palette = SceneSessionRole(rawValue: "com.example.palette")
        let isApples = SceneSessionRole.known.contains(palette)  // false
        // end
        #expect(!isApples)
        // example: ActivationConditions
        let conditions = ActivationConditions(
            canActivate: .hasPrefix("note/"), prefersToActivate: .equals("note/12"))
        try scene.setActivationConditions(conditions)
        let takes7 = conditions.canActivate.allows("note/7")  // true
        // end
        #expect(takes7 && scene.session.activationConditions == conditions)
    }

    @Test("configurations and the manifest")
    func manifest() throws {
        // example: SceneConfiguration
        let configuration = SceneConfiguration(name: "Note", role: .windowApplication)
        let isDefault = configuration.name == nil  // false
        // end
        #expect(!isDefault)
        let bytes = Array(
            """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key>
            <string>com.example.notes</string></dict></plist>
            """.utf8)
        // example: SceneManifest
        let manifest = try SceneManifest(propertyList: bytes)
        let identifier = manifest.bundleIdentifier  // "com.example.notes"
        let findings = try SceneManifest.lint(propertyList: bytes)
        // end
        #expect(identifier == "com.example.notes" && findings.count > 0)
    }

    @Test("displays and the places of windows")
    func places() throws {
        // example: Display
        let frame = Display.Frame(x: 0, y: 0, width: 2560, height: 1440)
        let places = try application.setDisplays([Display("DP-1", frame: frame, scale: 2)])
        // end
        #expect(places.isEmpty && application.displays.first?.workArea == frame)
        // example: ScenePlacement
        var placement = ScenePlacement(x: 40, y: 30, width: 800, height: 600)
        placement.windowState = .maximized
        placement.tabIndex = 1
        try scene.setPlacement(placement)
        // end
        #expect(scene.session.placement?.windowState == .maximized)
    }

    @Test("values, dictionaries of them, and values of a newer version")
    func values() {
        // example: Value
        let value: Value = ["title": "Shopping", "lines": [1, 2.5, true, nil]]
        let title = value.dictionaryValue?["title"]?.stringValue  // "Shopping"
        // end
        #expect(title == "Shopping")
        // example: ValueDictionary
        var userInfo: ValueDictionary = ["document": "notes", "line": 12]
        userInfo["line"] = nil
        let keys = userInfo.keys  // ["document"]
        // end
        #expect(keys == ["document"])
        var newer = 0
        // example: OpaqueValue
        for case (_, .opaque(let value)) in userInfo {
            newer += value.encoded.count
        }
        // end
        #expect(newer == 0)
    }
}
