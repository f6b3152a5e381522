import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreTesting
import Testing

@Suite("An app can ask which window would take a payload")
struct DeliveryPreviewTests {
    private let device: SimulatedDevice
    private let ids: [SceneSession.ID]
    private let link = Payload.urls([OpenURLContext(url: "app://other")])

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
        let application = try device.launch { NotesApp() }
        try device.openWindow()
        ids = application.openSessions.map(\.id)
        var conditions = ActivationConditions()
        conditions.prefersToActivate = .equals("app://mine")
        try application.setActivationConditions(conditions, for: ids[1])
    }

    private var application: SceneApplication { get throws { try #require(device.application) } }

    @Test("L-70 L-76 the window that is named takes the payload, for the reason that is named")
    func asDelivered() throws {
        for (url, id) in [("app://mine", ids[1]), ("app://other", ids[1])] {
            let payload = Payload.urls([OpenURLContext(url: url)])
            let preview = try application.previewDelivery(of: payload)
            #expect(preview.session == id)
            #expect(preview.isConnected)
            var decision: DecisionRecord?
            try application.decisionHandler = { decision = $0.kind == .target ? $0 : decision }
            try device.deliver(payload)
            #expect(decision?.sessionIdentifier == preview.session)
            #expect(decision?.reason == preview.reason)
        }
    }

    @Test("L-70 each window that is asked is named with its conditions and its answer")
    func candidates() throws {
        let preview = try application.previewDelivery(of: link)
        #expect(preview.session == ids[0])
        #expect(Set(preview.candidates.map(\.session)) == Set(ids))
        let own = try #require(preview.candidates.first { $0.session == ids[1] })
        #expect(own.can && !own.prefers)
        #expect(own.conditions.prefersToActivate == .equals("app://mine"))
    }

    @Test("L-70 a preview delivers nothing, connects nothing and writes nothing")
    func changesNothing() throws {
        try device.moveToBackground()
        let before = device.transcriptText
        let decisions = try application.decisions()
        _ = try application.previewDelivery(of: link)
        _ = try application.previewNextLaunch(receiving: link)
        #expect(device.transcriptText == before)
        #expect(try application.decisions() == decisions)
    }

    @Test("L-70 L-16 the next launch's preview tells where its link goes, and under each behavior")
    func nextLaunch() throws {
        let mine = Payload.urls([OpenURLContext(url: "app://mine")])
        let preview = try application.previewNextLaunch(receiving: mine)
        #expect(preview.delivery?.session == ids[1])
        #expect(preview.delivery?.isConnected == false)
        #expect(try application.previewNextLaunch().delivery == nil)
        let fresh = try application.previewNextLaunch(behavior: .fresh, receiving: mine)
        #expect(fresh.delivery?.session == nil)
        #expect(fresh.delivery?.reason == "the launch begins with a new window")
        #expect(fresh.entries.allSatisfy { $0.fate == .stays })
        try device.quit()
        try device.relaunch([mine])
        #expect(device.frontScene?.session.id == ids[1])
    }

    @Test("L-65 S-44 a preview takes a delivery that goes on for a death only if it is asked to")
    func ongoing() throws {
        device.options.persistsInbox = true
        try device.quit()
        try device.relaunch([link])
        device.kill()
        try device.relaunch()
        for reason in [nil, .launch, .recover] as [LaunchReason?] {
            let plan = try LaunchPlan(
                reading: application.store, options: application.options, reason: reason,
                isRunning: true)
            #expect(plan.payloads.map(\.isSetAside) == [reason == .recover])
        }
    }

    @Test("L-61 an app without scenes has no window to choose")
    func withoutScenes() throws {
        try device.quit()
        device.options.lifecycle = .application
        let application = try device.relaunch()
        #expect(throws: SceneStoreError(.invalidState, "")) {
            try application.previewDelivery(of: link)
        }
    }
}
