import SceneStoreTesting
import Testing

/// Every way in which a step can be wrong, with the message as it is printed.
@Suite struct ScenarioErrorTests {
    static let unknownWords = [
        ("lanch", "s:1:1: unknown step 'lanch'; did you mean 'launch'?"),
        ("Launch", "s:1:1: unknown step 'Launch'; did you mean 'launch'?"),
        ("expect_none", "s:1:1: unknown step 'expect_none'; did you mean 'expect-none'?"),
        ("frobnicate", "s:1:1: unknown step 'frobnicate'"),
        ("\"\"", "s:1:1: unknown step ''"),
        ("launch=x", "s:1:1: unknown step 'launch=x'; did you mean 'launch'?"),
        ("  launch ulr=x", "s:1:10: 'launch' has no option 'ulr'; did you mean 'url'?"),
        ("launch fail", "s:1:8: 'launch' takes no further word 'fail'"),
        ("launch =x", "s:1:8: 'launch' has no option ''"),
        ("app idd=x", "s:1:5: 'app' has no option 'idd'; did you mean 'id'?"),
        ("app name", "s:1:9: 'app' needs lifecycle=, id= or version="),
        ("activate sesion=A", "s:1:10: 'activate' has no option 'sesion'"),
        ("activate A taget=x", "s:1:12: 'activate' has no option 'taget'; did you mean 'target'?"),
        ("activate A title=x", "s:1:12: 'activate' has no option 'title'"),
        ("open-url u sorce=x", "s:1:12: 'open-url' has no option 'sorce'; did you mean 'source'?"),
        ("crash A", "s:1:7: 'crash' takes no further word 'A'"),
        ("crash restorng=A", "s:1:7: 'crash' has no option 'restorng'; did you mean 'restoring'?"),
        ("quit now", "s:1:6: 'quit' takes no further word 'now'"),
        ("quit how=now", "s:1:6: 'quit' has no option 'how'"),
        ("destroy A B", "s:1:11: 'destroy' takes no further word 'B'"),
        ("expect-none will", "s:1:13: 'expect-none' takes no further word 'will'"),
        ("state A t x", "s:1:11: 'state' takes no further word 'x'"),
        ("delegate provder.R=x", "s:1:10: 'delegate' has no option 'provder.R'"),
        (
            "policy durabilty=full",
            "s:1:8: 'policy' has no option 'durabilty'; "
                + "did you mean 'durability'?"
        ),
        ("policy x", "s:1:9: 'policy' needs an option such as reconnect= or strict="),
    ]

    @Test("an unknown step, option or word is an error with its place", arguments: unknownWords)
    func unknown(text: String, message: String) {
        #expect(failure(text) == message)
    }

    static let missingWords = [
        ("app", "s:1:4: 'app' needs lifecycle=, id= or version="),
        ("manifest", "s:1:9: 'manifest' needs FILE, or none"),
        ("manifest \"\"", "s:1:10: 'manifest' needs FILE, or none, not an empty word"),
        ("delegate", "s:1:9: 'delegate' needs an option such as will= or provider="),
        ("policy", "s:1:7: 'policy' needs an option such as reconnect= or strict="),
        ("update", "s:1:7: 'update' needs manifest=, version= or rename="),
        ("activate", "s:1:9: 'activate' needs a session"),
        ("activate \"\"", "s:1:10: 'activate' needs a session, not an empty word"),
        ("activate   # A", "s:1:9: 'activate' needs a session"),
        ("open-url", "s:1:9: 'open-url' needs a URL"),
        ("open-url source=x", "s:1:18: 'open-url' needs a URL"),
        ("continue", "s:1:9: 'continue' needs the type of an activity"),
        ("shortcut", "s:1:9: 'shortcut' needs the type of a quick action"),
        ("push", "s:1:5: 'push' needs the identifier of a notification"),
        ("state", "s:1:6: 'state' needs a session"),
        ("state A", "s:1:8: 'state' needs the type of an activity, nil or throws"),
        ("state A k=v", "s:1:12: 'state' needs the type of an activity, nil or throws"),
        ("userinfo A", "s:1:11: 'userinfo' needs KEY=VALUE"),
        ("store", "s:1:6: 'store' needs a session"),
        ("background", "s:1:11: 'background' needs a session"),
        ("foreground", "s:1:11: 'foreground' needs a session"),
        ("evict", "s:1:6: 'evict' needs a session"),
        ("close", "s:1:6: 'close' needs a session"),
        ("destroy", "s:1:8: 'destroy' needs a session"),
        ("refresh", "s:1:8: 'refresh' needs a session"),
        ("forget", "s:1:7: 'forget' needs a session"),
        ("wait", "s:1:5: 'wait' needs a duration such as 90s, 15m, 2h or 30d"),
        ("expect", "s:1:7: 'expect' needs a callback; see expect-none"),
        ("expect-session", "s:1:15: 'expect-session' needs a session"),
        ("expect-session A", "s:1:17: 'expect-session' needs KEY=VALUE"),
        ("expect-payload A", "s:1:17: 'expect-payload' needs KEY=VALUE"),
        ("expect-reason", "s:1:14: 'expect-reason' needs a reason"),
    ]

    @Test("a missing word is an error behind the last one", arguments: missingWords)
    func missing(text: String, message: String) {
        #expect(failure(text) == message)
    }

    static let wrongValues = [
        (
            "app lifecycle=scenes",
            "s:1:5: 'lifecycle=' is scene or application, not 'scenes'; "
                + "did you mean 'scene'?"
        ),
        ("app id=", "s:1:5: option 'id' needs a value"),
        ("app version=", "s:1:5: option 'version' needs a value"),
        ("delegate will=yes", "s:1:10: 'will=' is true, false or none, not 'yes'"),
        ("delegate provider=", "s:1:10: option 'provider' needs a value"),
        ("delegate provider.=x", "s:1:10: 'provider.' needs the name of a role behind it"),
        ("delegate provider.R=", "s:1:10: option 'provider.R' needs a value"),
        (
            "delegate provider.R=none",
            "s:1:10: a provider is implemented for all roles or for "
                + "none; write provider=none"
        ),
        (
            "delegate can=x session=A",
            "s:1:10: 'can=' is always, never, =TEXT, ^PREFIX, $SUFFIX, "
                + "~CONTAINS or glob:PATTERN, several joined by |"
        ),
        (
            "delegate session=A prefers=always|",
            "s:1:20: 'prefers=' is always, never, =TEXT, "
                + "^PREFIX, $SUFFIX, ~CONTAINS or glob:PATTERN, several joined by |"
        ),
        ("delegate can=always", "s:1:10: 'can=' needs session="),
        ("delegate will=true prefers=never", "s:1:20: 'prefers=' needs session="),
        ("delegate session=A", "s:1:10: 'session=' needs can= or prefers="),
        (
            "delegate can=always session=*",
            "s:1:21: '*' is not a session name; use up to 64 letters, "
                + "digits, '-', '_' and '.'"
        ),
        ("policy reconnect=some", "s:1:8: 'reconnect=' is foreground or all, not 'some'"),
        ("policy strict=true", "s:1:8: 'strict=' is on or off, not 'true'"),
        ("policy hold-after=0", "s:1:8: 'hold-after=' is a number of crashes from 1 to 1000000"),
        ("policy hold-after=x", "s:1:8: 'hold-after=' is a number of crashes from 1 to 1000000"),
        (
            "policy hold-after=99999999999999999999",
            "s:1:8: 'hold-after=' is a number of crashes from 1 to 1000000"
        ),
        ("update manifest=", "s:1:8: option 'manifest' needs a value"),
        ("update rename=A", "s:1:8: 'rename=' is OLD:NEW, with one colon"),
        ("update rename=A:", "s:1:8: 'rename=' is OLD:NEW, with one colon"),
        ("update rename=A:B:C", "s:1:8: 'rename=' is OLD:NEW, with one colon"),
        ("update rename=A:B rename=A:C", "s:1:19: this configuration is renamed twice"),
        ("launch source=x", "s:1:8: 'source=' needs url= in front of it"),
        ("launch webpage=x push=y", "s:1:8: 'webpage=' needs activity="),
        (
            "launch url=x target=y",
            "s:1:14: 'target=' needs activity=, shortcut= or push="
        ),
        ("launch push=x target=1 target=2", "s:1:24: option 'target' occurs twice here"),
        ("launch target=1 target=2 push=x", "s:1:17: option 'target' occurs twice here"),
        ("new-scene target=x", "s:1:11: 'target=' needs activity="),
        ("new-scene role=", "s:1:11: option 'role' needs a value"),
        (
            "new-scene as=",
            "s:1:11: '' is not a session name; use up to 64 letters, digits, '-', '_' "
                + "and '.'"
        ),
        (
            "new-scene as=a,b",
            "s:1:11: 'a,b' is not a session name; use up to 64 letters, digits, "
                + "'-', '_' and '.'"
        ),
        (
            "new-scene background background",
            "s:1:22: 'new-scene' takes no further word "
                + "'background'"
        ),
        ("activate *", "s:1:10: 'activate' needs one session by its name, not '*'"),
        ("expect-open A *", "s:1:15: 'expect-open' needs one session by its name, not '*'"),
        (
            "expect-session * state=held",
            "s:1:16: 'expect-session' needs one session by its name, not '*'"
        ),
        (
            "close é",
            "s:1:7: 'é' is not a session name; use up to 64 letters, digits, '-', '_' and '.'"
        ),
        (
            "crash restoring=",
            "s:1:7: '' is not a session name; use up to 64 letters, digits, '-', "
                + "'_' and '.'"
        ),
        ("state A nil title=x", "s:1:13: the answer nil has no title, page or values"),
        ("state A nil k=x", "s:1:13: the answer nil has no title, page or values"),
        (
            "wait 5",
            "s:1:6: '5' is not a duration; write a whole number and ms, s, m, h or d, at most "
                + "1000000d"
        ),
        (
            "expect-reason crash",
            "s:1:15: a reason is first, launch, recover or restore, "
                + "not 'crash'"
        ),
    ]

    @Test("a value that an option doesn't take is an error with its place", arguments: wrongValues)
    func values(text: String, message: String) {
        #expect(failure(text) == message)
    }

    static let wrongExpectations = [
        ("expect conect:A", "s:1:8: unknown callback 'conect'; did you mean 'connect'?"),
        ("expect willSave", "s:1:8: unknown callback 'willSave'"),
        ("expect connect A", "s:1:16: unknown callback 'A'; write a session as in connect:A"),
        (
            "expect connect:",
            "s:1:8: '' is not a session name; use up to 64 letters, digits, '-', '_' "
                + "and '.'"
        ),
        (
            "expect connect:A,B",
            "s:1:8: 'A,B' is not a session name; use up to 64 letters, digits, "
                + "'-', '_' and '.'"
        ),
        (
            "expect connect:A:B",
            "s:1:8: 'A:B' is not a session name; use up to 64 letters, digits, "
                + "'-', '_' and '.'"
        ),
        (
            "expect discard:A,",
            "s:1:8: '' is not a session name; use up to 64 letters, digits, '-', "
                + "'_' and '.'"
        ),
        ("expect discard:A,A", "s:1:8: session 'A' occurs twice here"),
        ("expect will:A", "s:1:8: 'will' is a call of the app and has no session"),
        (
            "expect-session A sate=held",
            "s:1:18: a session has no 'sate', only configuration, "
                + "role, state, reason, activity, placement, workspace, info.PATH, state.KEY or "
                + "store.KEY; did you mean 'state'?"
        ),
        (
            "expect-session A info.=x",
            "s:1:18: a session has no 'info.', only configuration, role, "
                + "state, reason, activity, placement, workspace, info.PATH, state.KEY or store.KEY"
        ),
        (
            "expect-session A state=hold",
            "s:1:18: 'state=' is connected, disconnected, discarded, "
                + "held or parked, not 'hold'; did you mean 'held'?"
        ),
        (
            "expect-session A reason=x",
            "s:1:18: 'reason=' is first, launch, recover or restore, not 'x'"
        ),
        ("expect-session A role:n=", "s:1:18: 'role=' is never null"),
        ("expect-session A state:n=", "s:1:18: 'state=' is never null"),
        ("expect-session A role:i=1", "s:1:18: 'role=' is text; write it without a type"),
        ("expect-session A state=held state:s=held", "s:1:29: key 'state' occurs twice here"),
        ("expect-session A held", "s:1:22: 'expect-session' needs KEY=VALUE"),
        (
            "expect-payload A url=x",
            "s:1:18: a payload has no 'url', only urls, activities, "
                + "shortcut, notification, source, handoff or redelivered; did you mean 'urls'?"
        ),
        ("expect-payload A redelivered=1", "s:1:18: 'redelivered=' is true or false"),
        ("expect-payload A urls=a urls=b", "s:1:25: key 'urls' occurs twice here"),
        (
            "expect-diagnostic a:b:c",
            "s:1:19: 'a:b:c' is not a diagnostic; write CODE or CODE:SESSION"
        ),
        ("expect-diagnostic :A", "s:1:19: ':A' is not a diagnostic; write CODE or CODE:SESSION"),
        (
            "expect-diagnostic x:*",
            "s:1:19: '*' is not a session name; use up to 64 letters, digits, "
                + "'-', '_' and '.'"
        ),
    ]

    @Test(
        "an expectation that can't be met is an error with its place", arguments: wrongExpectations)
    func expectations(text: String, message: String) {
        #expect(failure(text) == message)
    }

    @Test(
        "an option or a key that stands twice is an error",
        arguments: [
            ("app id=a id=b", "s:1:10: option 'id' occurs twice here"),
            ("app id=a id=a", "s:1:10: option 'id' occurs twice here"),
            ("launch push=a push=b", "s:1:15: option 'push' occurs twice here"),
            ("delegate provider.R=a provider.R=b", "s:1:23: option 'provider.R' occurs twice here"),
            ("state A t title=a title=b", "s:1:19: option 'title' occurs twice here"),
            ("state A t k=a k:i=1", "s:1:15: key 'k' occurs twice here"),
            ("userinfo A k=1 j=2 k=3", "s:1:20: key 'k' occurs twice here"),
        ])
    func twice(text: String, message: String) {
        #expect(failure(text) == message)
    }

    @Test(
        "keys and roles that only look alike are different",
        arguments: [
            "store A \u{E9}=1 \u{65}\u{301}=2",
            "delegate provider.\u{E9}=a provider.\u{65}\u{301}=b",
            "update rename=\u{E9}:a rename=\u{65}\u{301}:b",
        ])
    func lookAlikes(text: String) {
        #expect(failure(text) == nil)
    }

    @Test(
        "a broken quotation is an error at its opening",
        arguments: [
            ("manifest \"x", "s:1:10"), ("manifest ab\"x\\\"", "s:1:12"),
            ("manifest \"x\\", "s:1:10"),
            ("\"quit\nquit\"", "s:1:1"), ("quit\n  kill \"", "s:2:8"),
        ])
    func quotation(text: String, place: String) {
        #expect(
            failure(text)
                == "\(place): this quotation is not closed; end it with \" in the same line")
    }
}
