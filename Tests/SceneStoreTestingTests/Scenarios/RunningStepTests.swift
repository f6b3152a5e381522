import SceneStore
import SceneStoreTesting
import Testing

@Suite struct RunningStepTests {
    @Test("launch carries nothing, or each kind of payload")
    func launch() throws {
        let plain = try #require(try step("launch").launch)
        #expect(plain.url == nil)
        #expect(plain.activity == nil)
        #expect(plain.shortcut == nil)
        #expect(plain.push == nil)
        let all = try #require(
            try step(
                "launch url=app://x?a=b source=com.y activity=T webpage=https://w target=1 "
                    + "shortcut=S target=2 push=P target=3"
            ).launch)
        #expect(all.url == OpenURLContext(url: "app://x?a=b", sourceApplication: "com.y"))
        #expect(all.activity?.type == "T")
        #expect(all.activity?.webpage == "https://w")
        #expect(all.activity?.target == "1")
        #expect(all.shortcut == ShortcutItem(type: "S", targetContentIdentifier: "2"))
        #expect(all.push == NotificationResponse(identifier: "P", targetContentIdentifier: "3"))
    }

    @Test(
        "a target belongs to the payload before it, in front of all to the first",
        arguments: [
            ("launch activity=T target=1 push=P", "1", nil, nil),
            ("launch activity=T push=P target=1", nil, nil, "1"),
            ("launch target=1 shortcut=S", nil, "1", nil),
            ("launch target=1 url=U shortcut=S target=", nil, nil, nil),
            ("launch shortcut=S url=U target=1", nil, "1", nil),
        ] as [(String, String?, String?, String?)])
    func targets(
        line: String, activity: String?, shortcut: String?, push: String?
    ) throws {
        guard activity ?? shortcut ?? push != nil else {
            #expect(failure(line) == "s:1:34: option 'target' occurs twice here")
            return
        }
        let read = try #require(try step(line).launch)
        #expect(read.activity?.target == activity)
        #expect(read.shortcut?.targetContentIdentifier == shortcut)
        #expect(read.push?.targetContentIdentifier == push)
    }

    @Test("new-scene takes role, name, activity and background in any order")
    func newScene() throws {
        let plain = try #require(try step("new-scene").newScene)
        #expect(plain.role == nil)
        #expect(plain.name == nil)
        #expect(plain.activity == nil)
        #expect(!plain.isBackground)
        let all = try #require(
            try step("new-scene background role=R as=doc-1 activity=T webpage=W target=I").newScene)
        #expect(all.role == SceneSessionRole(rawValue: "R"))
        #expect(all.name == session("doc-1", 29))
        #expect(all.activity?.type == "T")
        #expect(all.activity?.webpage == "W")
        #expect(all.activity?.target == "I")
        #expect(all.isBackground)
        #expect(try step("new-scene role=R background").newScene?.isBackground == true)
    }

    @Test("activate takes a session and perhaps an activity")
    func activate() throws {
        let plain = try #require(try step("activate AA").activate)
        #expect(plain.session == session("AA", 10))
        #expect(plain.activity == nil)
        let carrying = try #require(try step("activate A activity=T target=I").activate)
        #expect(carrying.activity?.type == "T")
        #expect(carrying.activity?.target == "I")
    }

    @Test(
        "warm events take what they carry",
        arguments: [
            (
                "open-url app://x?source=y source=com.z",
                .openURL(OpenURLContext(url: "app://x?source=y", sourceApplication: "com.z"))
            ),
            ("open-url \"\"", .openURL(OpenURLContext(url: ""))),
            ("open-url \"a b\u{1}\"", .openURL(OpenURLContext(url: "a b\u{1}"))),
            (
                "shortcut new target=I",
                .shortcut(ShortcutItem(type: "new", targetContentIdentifier: "I"))
            ),
            ("shortcut a=b", .shortcut(ShortcutItem(type: "a=b"))),
            (
                "push 7 target=I",
                .push(NotificationResponse(identifier: "7", targetContentIdentifier: "I"))
            ),
            ("push 7", .push(NotificationResponse(identifier: "7"))),
        ] as [(String, ScenarioStep.Kind)])
    func warm(line: String, kind: ScenarioStep.Kind) throws {
        #expect(try step(line) == kind)
    }

    @Test("continue takes a type, a page, a target and fail")
    func continueActivity() throws {
        let all = try #require(
            try step("continue fail webpage=https://w target=I fail").continueActivity)
        #expect(all.activity.type == "fail")
        #expect(all.activity.webpage == "https://w")
        #expect(all.activity.target == "I")
        #expect(all.fails)
        let plain = try #require(try step("continue com.x").continueActivity)
        #expect(!plain.fails)
        #expect(plain.activity.webpage == nil)
    }

    @Test("state takes an activity with values, or nil")
    func state() throws {
        let all = try #require(
            try step("state A com.x title=T webpage=https://w target=I a=1 title:s=2 b:i=3").state)
        #expect(all.session == .one(session("A", 7)))
        let activity = try #require(all.activity)
        #expect(activity.type == "com.x")
        #expect(activity.title == "T")
        #expect(activity.webpage == "https://w")
        #expect(activity.target == "I")
        #expect(activity.values.map(\.key) == ["a", "title", "b"])
        #expect(activity.values.map(\.value) == ["1", "2", 3])
        #expect(activity.values.map(\.column) == [50, 54, 64])
        let none = try #require(try step("state * nil").state)
        #expect(none.session == .all(column: 7))
        #expect(none.activity == nil)
    }

    @Test("L-80 a described activity becomes an activity or a typed error")
    func makeActivity() throws {
        let state = try #require(
            try step("state A com.x title=T webpage=https://w/ target=I a=1 b:i=3").state?.activity)
        let activity = try state.makeActivity()
        #expect(activity.activityType == "com.x")
        #expect(activity.title == "T")
        #expect(activity.webpageURL?.absoluteString == "https://w/")
        #expect(activity.targetContentIdentifier == "I")
        #expect(activity.userInfo == ["a": "1", "b": 3])
        #expect(!activity.needsSave)
        let unnamed = try #require(try step("state A \"\"").state?.activity)
        #expect(throws: SceneStoreError(.invalidActivityType, "")) {
            try unnamed.makeActivity()
        }
        for page in ["ftp://x", "no url at all", "https://x/\u{1}", ""] {
            let state = try #require(try step("state A t \"webpage=\(page)\"").state?.activity)
            #expect(throws: SceneStoreError(.invalidWebpageURL, ""), "\(page)") {
                try state.makeActivity()
            }
        }
    }

    @Test("userinfo and store take values, and no options")
    func values() throws {
        let info = try step("userinfo A title=x k:n= gone= empty:s=")
        guard case .userInfo(let values) = info else {
            Issue.record("not userinfo")
            return
        }
        #expect(values.session == .one(session("A", 10)))
        #expect(values.values.map(\.key) == ["title", "k", "gone", "empty"])
        #expect(values.values.map(\.value) == ["x", .some(.null), .none, ""])
        guard case .store(let stored) = try step("store * a.b:i=1") else {
            Issue.record("not store")
            return
        }
        #expect(stored.session == .all(column: 7))
        #expect(stored.values.map(\.key) == ["a.b"])
    }

    @Test(
        "steps about sessions take their names or *",
        arguments: [
            ("background A *", .background([.one(session("A", 12)), .all(column: 14)])),
            ("background *", .background([.all(column: 12)])),
            ("foreground x_1 B", .foreground([.one(session("x_1", 12)), .one(session("B", 16))])),
            ("evict A", .evict(.one(session("A", 7)))),
            ("close *", .close([.all(column: 7)])),
            ("close A B", .close([.one(session("A", 7)), .one(session("B", 9))])),
            ("destroy A", .destroy(.one(session("A", 9)))),
            ("refresh A", .refresh(.one(session("A", 9)))),
            ("extend A", .extend(.one(session("A", 8)))),
            ("complete *", .complete(.all(column: 10))),
            ("forget A", .forget(.one(session("A", 8)))),
            ("crash restoring=B", .crash(restoring: session("B", 7))),
            ("expect-open", .expectOpen([])),
            ("expect-open A B", .expectOpen([session("A", 13), session("B", 15)])),
            ("expect-connected", .expectConnected([])),
            ("expect-connected B", .expectConnected([session("B", 18)])),
        ] as [(String, ScenarioStep.Kind)])
    func sessions(line: String, kind: ScenarioStep.Kind) throws {
        #expect(try step(line) == kind)
    }

    @Test(
        "steps of one word",
        arguments: [
            ("quit", .quit), ("kill", .kill), ("force-quit", .forceQuit),
            ("crash", .crash(restoring: nil)), ("wipe", .wipe), ("reset", .reset),
            ("teardown", .teardown), ("end-teardown", .endTeardown),
            ("reopen-last-session", .reopenLastSession),
            ("quit windows=keep", .quit), ("quit windows=park", .quitParking),
            ("answer B keep", .answerClosing(session("B", 8), .keep)),
            ("reboot", .reboot), ("expect-none", .expectNone),
        ] as [(String, ScenarioStep.Kind)])
    func words(line: String, kind: ScenarioStep.Kind) throws {
        #expect(try step(line) == kind)
    }

    @Test(
        "wait takes whole numbers of ms, s, m, h and d",
        arguments: [
            ("0s", 0), ("250ms", 250), ("90s", 90_000), ("15m", 900_000), ("2h", 7_200_000),
            ("30d", 2_592_000_000), ("1000000d", 86_400_000_000_000), ("007s", 7000),
        ] as [(String, Int64)])
    func wait(text: String, milliseconds: Int64) throws {
        #expect(try step("wait \(text)") == .wait(milliseconds: milliseconds))
    }

    @Test("all waits together stay within a million days")
    func waits() {
        #expect(failure("wait 999999d\nwait 24h") == nil)
        #expect(
            failure("wait 999999d\nwait 24h\n  wait 1ms")
                == "s:3:3: the waits add up to more than 1000000 days")
    }
}
