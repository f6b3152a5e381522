import SceneStore
import SceneStoreTesting
import Testing

/// What the reference shows of devices, fixtures and scenarios in tests.
@MainActor
@Suite("Examples of test devices")
struct DeviceExamples {
    @Test("a device, where its store lies, its clock and its identifiers")
    func devices() throws {
        // example: SimulatedDevice
        let device = try SimulatedDevice()
        try device.launch { NotesApp() }
        try device.sceneDelegate(NoteWindow.self).state.text = "draft"
        try device.moveToBackground()
        try device.relaunch()
        let text = try device.sceneDelegate(NoteWindow.self).state.text  // what the user sees
        // end
        #expect(text == "draft")
        do {
            // example: SimulatedDevice.Storage
            let device = try SimulatedDevice(storage: .temporaryDirectory)
            let path = device.containerPath
            // end
            #expect(!path.isEmpty)
        }
        // example: IdentifierSequence
        let identifier = IdentifierSequence(seed: 7).next()
        let same = IdentifierSequence(seed: 7).next()
        // end
        #expect(identifier == same)
        var saves = 0
        // example: VirtualClock
        let clock = VirtualClock()
        clock.now += 90_000  // a minute and a half
        // end
        // example: VirtualScheduler
        let scheduler = VirtualScheduler(clock: clock)
        let work = scheduler.schedule(after: 500) { saves += 1 }
        scheduler.advance(by: 500)  // does it
        // end
        #expect(saves == 1 && !work.isPending && clock.now == VirtualClock.start + 90_500)
        do {
            // example: WriteRefusal
            try device.refuseWrites(.diskFull)
            try device.sceneDelegate(NoteWindow.self).state.text = "not yet on the disk"
            try device.moveToBackground()
            try device.acceptWrites()
            // end
            #expect(device.isRunning)
        }
    }

    @Test("stores in a known state")
    func fixtures() throws {
        // example: StoreFixture
        let fixture = try StoreFixture(.threeWindows)
        let device = try SimulatedDevice(fixture: fixture)
        let names = fixture.files.map(\.name)
        // end
        #expect(names.count > 0 && !device.isRunning)
        do {
            // example: StoreFixtureBuilder
            var builder = StoreFixtureBuilder()
            builder.addWindow(StoreFixtureBuilder.Window(title: "Shopping"))
            builder.addWindow(StoreFixtureBuilder.Window(title: "Work", isFront: false))
            builder.end = .kill
            let device = try SimulatedDevice(fixture: builder.build())
            // end
            #expect(
                try device.launch { NotesApp() }.openSessions.map(\.title) == ["Shopping", "Work"])
        }
    }

    @Test("an app's own types, encoded and decoded")
    func types() throws {
        // example: RoundTrip
        let report = try RoundTrip.check(NoteText(text: "draft"))
        let isKept = report.isEqual && report.share < 0.1
        // end
        #expect(isKept)
        // example: GoldenEncoding
        let recorded = try GoldenEncoding(recording: NoteText(text: "draft")).text
        let released = try GoldenEncoding("a2646c696e65006474657874656472616674")
        let note = try released.decode(NoteText.self)
        // end
        #expect(note == NoteText(text: "draft") && recorded == released.text)
    }

    @Test("scenarios and their transcripts")
    func scenarios() throws {
        // example: Scenario
        let text = "launch\nbackground A\nkill\nlaunch\nexpect-reason recover\n"
        let scenario = try Scenario(text: text, name: "recover.scenario")
        let fixture = try StoreFixture(playing: scenario)
        // end
        #expect(fixture.sessionIdentifiers.count == 1)
        var message = ""
        // example: ScenarioError
        do {
            _ = try Scenario(text: "lunch", name: "typo.scenario")
        } catch {
            message = error.description
        }
        // end
        #expect(message.contains("typo.scenario"))
        // example: CallShortName
        let connect = CallShortName.connect
        let name = connect.swiftName(in: .scene)  // "scene(_:willConnectTo:options:)"
        // end
        #expect(name == "scene(_:willConnectTo:options:)")
        // example: Scenario.Profile
        let profile = Scenario.Profile.application  // an app without scenes
        let method = CallShortName.continue.swiftName(in: profile)
        // end
        #expect(method == "application(_:continue:restorationHandler:)")
    }

    @Test("the lines of a transcript")
    func transcripts() throws {
        let sample = try Sample()
        let device = sample.device
        try sample.application.open([OpenURLContext(url: "notes://note/12")])
        device.kill()
        // example: TranscriptLine
        let ends = device.transcript.filter { $0.event == .exit(.kill) }
        let launches = ends.map(\.launch)  // [1]
        // end
        #expect(launches == [1])
        var connected: [String] = []
        // example: TranscriptCallback
        for case .callback(let call) in device.transcript.map(\.event) where call.name == .connect {
            connected.append(call.session ?? "")
        }
        // end
        #expect(connected == ["A"])
        var codes: [String] = []
        // example: TranscriptDiagnostic
        for case .diagnostic(let diagnostic) in device.transcript.map(\.event) {
            codes.append(diagnostic.code)
        }
        // end
        #expect(codes == [])
        // example: TranscriptPayload
        let payload = TranscriptPayload(.urls([OpenURLContext(url: "notes://note/12")]))
        let text = payload.text(of: TranscriptPayload.Key.urls)  // "notes://note/12"
        // end
        #expect(text == "notes://note/12")
    }
}
