import SceneStore
import SceneStoreTesting
import Testing

@Suite struct TranscriptTextTests {
    private func line(_ event: TranscriptLine.Event, launch: Int = 1) -> TranscriptLine {
        TranscriptLine(launch: launch, line: 1, event: event, reasons: ["one", "two\u{1B}"])
    }

    @Test("a launch is a heading, with an empty line in front of all but the first")
    func headings() {
        #expect(line(.launch(.first)).text() == "launch 1: first\n")
        #expect(line(.launch(.recover), launch: 2).text() == "\nlaunch 2: recover\n")
    }

    @Test("callbacks are indented lines of name, session and what matters")
    func callbacks() {
        #expect(line(.callback(TranscriptCallback(.did, sequence: 2))).text() == "  did\n")
        #expect(
            line(.callback(TranscriptCallback(.fg, sequence: 2, session: "A"))).text()
                == "  fg           A\n")
        #expect(
            line(.callback(TranscriptCallback(.active, sequence: 2, session: "long"))).text()
                == "  active       long\n")
        var config = TranscriptCallback(.config, sequence: 3, session: "A")
        config.role = .windowApplication
        config.configuration = "Main"
        #expect(
            line(.callback(config)).text()
                == "  config       A  UIWindowSceneSessionRoleApplication -> \"Main\"\n")
        config.configuration = nil
        #expect(line(.callback(config)).text().hasSuffix("-> no name\n"))
    }

    @Test("a connection shows its configuration, what was restored and what rides on it")
    func connections() {
        var connect = TranscriptCallback(.connect, sequence: 3, session: "A")
        connect.configuration = "Main"
        #expect(line(.callback(connect)).text() == "  connect      A  \"Main\"\n")
        connect.delegate = "SceneDelegate"
        connect.activity = "com.x"
        connect.reason = .recover
        #expect(
            line(.callback(connect)).text()
                == "  connect      A  \"Main\", delegate SceneDelegate, not restored, though it "
                + "has com.x, reason recover\n")
        connect.delegate = nil
        connect.isRestored = true
        connect.payload = TranscriptPayload(
            .urls([OpenURLContext(url: "app://x", sourceApplication: "com.y")]),
            isRedelivered: true)
        #expect(
            line(.callback(connect)).text()
                == "  connect      A  \"Main\", restored com.x, reason recover, with urls app://x, "
                + "source com.y, redelivered\n")
    }

    @Test("discard, restore and the delivering callbacks show what they carry")
    func carriers() {
        var discard = TranscriptCallback(.discard, sequence: 3)
        discard.causes = ["B": .user, "A": .cannotDisplay]
        #expect(
            line(.callback(discard)).text()
                == "  discard         A (cannot-display), B (user)\n")
        var restore = TranscriptCallback(.restore, sequence: 3, session: "A")
        restore.activity = "com.x"
        #expect(line(.callback(restore)).text() == "  restore      A  com.x\n")
        var shortcut = TranscriptCallback(.shortcut, sequence: 3, session: "A")
        shortcut.payload = TranscriptPayload(.shortcut(ShortcutItem(type: "new")))
        #expect(line(.callback(shortcut)).text() == "  shortcut     A  shortcut new\n")
    }

    @Test("diagnostics and the end are lines like callbacks")
    func others() {
        let diagnostic = TranscriptDiagnostic(code: "roleMismatch", message: "no", session: "A")
        #expect(line(.diagnostic(diagnostic)).text() == "  diagnostic   A  roleMismatch: no\n")
        #expect(line(.exit(.kill)).text() == "  exit            kill\n")
    }

    @Test("the reasons of a decision stand below it when asked for")
    func explaining() {
        #expect(
            line(.callback(TranscriptCallback(.did, sequence: 2))).text(explaining: true)
                == "  did\n      because one\n      because two\\u{1B}\n")
    }

    @Test("R-40 nothing that a terminal obeys leaves raw")
    func escaping() {
        let hostile = "\u{1B}]0;x\u{7}\n\u{202E}\u{200B}"
        var connect = TranscriptCallback(.connect, sequence: 3, session: hostile)
        connect.configuration = hostile
        connect.delegate = hostile
        connect.activity = hostile
        connect.role = SceneSessionRole(rawValue: hostile)
        connect.payload = TranscriptPayload(.urls([OpenURLContext(url: hostile)]))
        connect.payload?.activities = [hostile]
        connect.payload?.shortcut = hostile
        connect.payload?.source = hostile
        var config = connect
        config.name = .config
        var restore = connect
        restore.name = .restore
        var discard = connect
        discard.name = .discard
        discard.causes = [hostile: .user]
        let diagnostic = TranscriptDiagnostic(code: hostile, message: hostile, session: hostile)
        let events: [TranscriptLine.Event] = [
            .callback(connect), .callback(config), .callback(restore), .callback(discard),
            .diagnostic(diagnostic),
        ]
        for event in events {
            let text = TranscriptLine(launch: 1, line: 1, event: event, reasons: [hostile])
                .text(explaining: true)
            let scalars = text.unicodeScalars.filter { $0 != "\n" }
            #expect(scalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }, "\(text)")
            #expect(text.utf8.count { $0 == 0x0A } == 2)
        }
    }
}
