import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@Suite struct TranscriptJSONTests {
    private func json(_ callback: TranscriptCallback) -> String {
        TranscriptLine(launch: 2, line: 9, event: .callback(callback)).json
    }

    @Test("the example of the documentation, byte for byte")
    func example() {
        var callback = TranscriptCallback(.config, sequence: 3, session: "A")
        callback.role = .windowApplication
        callback.configuration = "Default Configuration"
        let line = TranscriptLine(
            launch: 1, line: 7, event: .callback(callback), reasons: ["nothing is remembered"])
        #expect(
            line.json == """
                {"call":"application(_:configurationForConnecting:options:)",\
                "configuration":"Default Configuration","launch":1,"line":7,"name":"config",\
                "role":"UIWindowSceneSessionRoleApplication","seq":3,"session":"A"}
                """)
    }

    @Test("launch, exit and diagnostic lines have their own keys")
    func otherLines() {
        #expect(
            TranscriptLine(launch: 1, line: 2, event: .launch(.first)).json
                == #"{"launch":1,"line":2,"name":"launch","reason":"first"}"#)
        #expect(
            TranscriptLine(launch: 1, line: 3, event: .exit(.forceQuit)).json
                == #"{"how":"force-quit","launch":1,"line":3,"name":"exit"}"#)
        let diagnostic = TranscriptDiagnostic(code: "noConfiguration", message: "none\n")
        #expect(
            TranscriptLine(launch: 0, line: 1, event: .diagnostic(diagnostic)).json
                == #"{"code":"noConfiguration","launch":0,"line":1,"message":"none\n","#
                + #""name":"diagnostic","session":null}"#)
    }

    @Test(
        "each way to end has its word",
        arguments: [
            (TranscriptLine.Exit.quit, "quit"), (.kill, "kill"), (.forceQuit, "force-quit"),
            (.crash, "crash"),
        ])
    func exits(how: TranscriptLine.Exit, word: String) {
        #expect(
            TranscriptLine(launch: 1, line: 1, event: .exit(how)).json.contains(
                "\"how\":\"\(word)\""))
    }

    @Test("connect has all of its keys, null where there is nothing")
    func connect() {
        var callback = TranscriptCallback(.connect, sequence: 4, session: "A")
        #expect(
            json(callback) == """
                {"activity":null,"call":"scene(_:willConnectTo:options:)","configuration":null,\
                "delegate":null,"launch":2,"line":9,"name":"connect","payload":null,\
                "reason":null,"restored":false,"seq":4,"session":"A"}
                """)
        callback.configuration = "Main"
        callback.delegate = "App.SceneDelegate"
        callback.isRestored = true
        callback.reason = .recover
        callback.activity = "com.x"
        callback.payload = TranscriptPayload()
        #expect(json(callback).contains(#""payload":null"#))
        callback.payload?.urls = ["app://x"]
        #expect(
            json(callback) == """
                {"activity":"com.x","call":"scene(_:willConnectTo:options:)",\
                "configuration":"Main","delegate":"App.SceneDelegate","launch":2,"line":9,\
                "name":"connect","payload":{"urls":["app://x"]},"reason":"recover",\
                "restored":true,"seq":4,"session":"A"}
                """)
    }

    @Test("discard has its sessions, sorted, and their causes")
    func discard() {
        var callback = TranscriptCallback(.discard, sequence: 3)
        callback.causes = ["B": .user, "AA": .cannotDisplay, "A": .app]
        #expect(
            json(callback) == """
                {"call":"application(_:didDiscardSceneSessions:)","causes":{"A":"app",\
                "AA":"cannot-display","B":"user"},"launch":2,"line":9,"name":"discard","seq":3,\
                "session":null,"sessions":["A","AA","B"]}
                """)
        #expect(callback.observedCall == ObservedCall(.discard, sessions: ["A", "AA", "B"]))
    }

    @Test("restore has its activity, the delivering callbacks their payload, no other has more")
    func keysByName() throws {
        let common = ["call", "launch", "line", "name", "seq", "session"]
        let more: [CallShortName: [String]] = [
            .config: ["configuration", "role"],
            .connect: ["activity", "configuration", "delegate", "payload", "reason", "restored"],
            .discard: ["causes", "sessions"], .restore: ["activity"], .continue: ["payload"],
            .url: ["payload"], .shortcut: ["payload"], .response: ["payload"],
        ]
        for name in CallShortName.allCases {
            for profile in Scenario.Profile.allCases {
                var callback = TranscriptCallback(name, profile: profile, sequence: 1)
                callback.role = .windowApplication
                callback.configuration = "c"
                callback.delegate = "d"
                callback.activity = "a"
                callback.reason = .first
                callback.payload = TranscriptPayload(.urls([OpenURLContext(url: "u")]))
                callback.causes = ["A": .user]
                let line = TranscriptLine(launch: 1, line: 1, event: .callback(callback))
                let object = try #require(line.canonicalJSON.objectValue)
                #expect(object.members.map(\.key) == (common + (more[name] ?? [])).sorted())
            }
        }
    }

    @Test("a payload shows what applies and nothing else")
    func payload() {
        var options = ConnectionOptions()
        #expect(TranscriptPayload(options).isEmpty)
        #expect(TranscriptPayload(options).canonicalJSON == .null)
        options.add(
            .urls([OpenURLContext(url: "a", sourceApplication: "s"), OpenURLContext(url: "b")]))
        options.add(.shortcut(ShortcutItem(type: "t")))
        options.add(.notification(NotificationResponse(identifier: "n")))
        options.handoffUserActivityType = "h"
        options.isRedelivered = true
        #expect(
            TranscriptPayload(options).canonicalJSON.text == """
                {"handoff":"h","notification":"n","redelivered":true,"shortcut":"t",\
                "source":"s","urls":["a","b"]}
                """)
    }

    @Test("a warm payload shows what it delivers")
    func warmPayload() throws {
        let activity = try UserActivity(activityType: "com.x")
        #expect(
            TranscriptPayload(.activity(activity)).canonicalJSON.text
                == #"{"activities":["com.x"]}"#)
        #expect(
            TranscriptPayload(.shortcut(ShortcutItem(type: "t")), isRedelivered: true)
                .canonicalJSON.text == #"{"redelivered":true,"shortcut":"t"}"#)
    }

    @Test("the parts of a payload are text for expect-payload")
    func parts() {
        var payload = TranscriptPayload()
        #expect(
            TranscriptPayload.Key.allCases.map { payload.text(of: $0) ?? "-" } == [
                "-", "-", "-", "-", "-", "-", "false",
            ])
        payload.urls = ["a", "b"]
        payload.activities = ["t", "u"]
        payload.shortcut = "s"
        payload.notification = "n"
        payload.source = "o"
        payload.handoff = "h"
        payload.isRedelivered = true
        #expect(
            TranscriptPayload.Key.allCases.map { payload.text(of: $0) ?? "-" } == [
                "a,b", "t,u", "s", "n", "o", "h", "true",
            ])
    }

    @Test("R-40 what a terminal would obey is escaped in JSON")
    func escaping() {
        var callback = TranscriptCallback(.restore, sequence: 1, session: "A")
        callback.activity = "a\u{1B}\"\u{202E}é"
        #expect(json(callback).contains(#""activity":"a\u001b\"\u202eé""#))
    }
}
