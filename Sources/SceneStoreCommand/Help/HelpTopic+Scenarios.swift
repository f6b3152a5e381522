/// The steps of a scenario, for `help scenarios`.
extension HelpTopic {
    /// A group of steps, each as it is written, with what it means.
    struct StepGroup: Sendable {
        var heading: String
        var steps: [(usage: String, meaning: String)]
    }

    static let scenarioIntroduction =
        "A scenario is UTF-8 text with one step on each line. '#' begins a comment, and \"…\" quotes a "
        + "word. Options are NAME=VALUE. Paths are relative to the file. Sessions are A, B, C … in the "
        + "order in which they are created; * stands for all sessions that a step applies to."

    static let scenarioSteps = [settingUp, running, expecting]

    private static let settingUp = StepGroup(
        heading: "Setting up (app, manifest and update while the app does not run):",
        steps: [
            ("app", "the app: lifecycle=scene or application, id=BUNDLE, version=V"),
            ("manifest FILE", "the app's Info.plist; 'none' is an app without one"),
            (
                "delegate",
                "what the app's delegate returns: will= and did= true, false or none; "
                    + "provider=NAME, none or nil; provider.ROLE=NAME; provider-role=ROLE; "
                    + "restore=true, false, same-version or throws. With 'none' the delegate "
                    + "doesn't have the method"
            ),
            (
                "delegate session=S",
                "activation conditions: can=RULE, prefers=RULE. A RULE is always, never, =TEXT, "
                    + "^PREFIX, $SUFFIX, ~CONTAINS or glob:PATTERN, several joined by |"
            ),
            (
                "policy",
                "the app's choices, the default first: reconnect=foreground, all or first:N, "
                    + "launch=restore, fresh, none or safe (while it does not run), delivery=uikit or "
                    + "when-active, force-quit=preserve or discard, nil-state=forget or keep, "
                    + "durability=full or normal, strict=on or off, inbox=off or on, last-window=runs "
                    + "or quits, closed-value=new or reopen, private=forget or remember; hold-after=N; "
                    + "launch=crash:B,B is one behaviour after a crash, and another one otherwise; "
                    + "opening=none, or the window to open when a launch brings none back"
            ),
            ("update", "the app is updated: manifest=FILE, version=V, rename=OLD:NEW"),
        ])

    private static let running = StepGroup(
        heading: "Running:",
        steps: [
            (
                "launch",
                "the process starts, with url=U (source=BUNDLE), several of them, activity=TYPE (webpage=U), "
                    + "shortcut=TYPE or push=ID, each with target=ID"
            ),
            (
                "start",
                "as launch, with url=U (source=BUNDLE), activity=TYPE (webpage=U), shortcut=TYPE or "
                    + "push=ID, each with target=ID; a running process gets these payloads, or comes "
                    + "forward"
            ),
            (
                "new-scene",
                "another scene: role=ROLE, as=NAME, privacy=standard, redacted or ephemeral, activity=TYPE (webpage=U, target=ID), "
                    + "background"
            ),
            ("activate S", "a session comes forward: activity=TYPE (webpage=U, target=ID)"),
            ("open-url U", "a link arrives: source=BUNDLE"),
            (
                "continue TYPE",
                "an activity arrives: webpage=U, target=ID; or fails to: fail; or is announced: "
                    + "handoff"
            ),
            (
                "arrive TYPE",
                "the announced activity arrives: webpage=U, target=ID; or fails to: fail"
            ),
            ("shortcut TYPE", "a quick action is chosen: target=ID"),
            ("push ID", "the user responds to a notification: target=ID, date=ISO"),
            (
                "state S TYPE",
                "what the scene returns at each save: title=T, webpage=U, target=ID, KEY:T=VALUE; "
                    + "or 'state S nil', 'state S throws'. T is s, i, d, b, t, u, x, n or uuid: text, integer, "
                    + "floating point, Boolean, date, URL, hexadecimal data, null"
            ),
            ("change S", "the user changes something, which is not saved yet"),
            ("userinfo S", "the session's user info: KEY:T=VALUE"),
            ("store S", "its scene storage: KEY:T=VALUE"),
            ("background S…", "scenes go to the background"),
            ("foreground S…", "scenes come back to the front"),
            ("evict S", "the system takes a background scene away"),
            ("close S…", "the user closes windows in one action, also while the app does not run"),
            (
                "unsaved S ANSWER",
                "a window has unsaved work and answers close, keep or later when it is asked to close; "
                    + "with none it has no unsaved work any more"
            ),
            ("answer S", "the user of a window that answered later has decided: close or keep"),
            ("destroy S", "the app asks for the session's end"),
            ("refresh S", "the app asks to save the session's state again"),
            (
                "reopen S…",
                "the closing of windows is undone in one action, also while the app does not run"
            ),
            (
                "reopen-last-session",
                "the windows that were connected when the last process with windows ended come "
                    + "back, also while the app does not run"
            ),
            ("teardown", "a logout begins: closing a window doesn't discard its session"),
            ("end-teardown", "the logout is called off"),
            (
                "displays NAME:WxH+X+Y…",
                "the displays, also while the app does not run"
            ),
            ("hold S", "a session is held by hand, also while the app does not run"),
            ("release S", "a held session is released, also while the app does not run"),
            ("acknowledge S", "the app acknowledges the payload that the session got last"),
            (
                "placement S",
                "where the window is: x=, y=, width=, height=, display=, state=, workspace=; moved: "
                    + "the user moved it there"
            ),
            ("open-value [S] VALUE", "a window for a value: as=NAME, privacy=CLASS"),
            ("extend S", "restoring the session continues after its callbacks"),
            ("complete S", "restoring the session ends"),
            (
                "quit",
                "the process ends cleanly; with windows=park its windows come back only on request"
            ),
            (
                "kill",
                "the process is killed, now or at the next moment of during=save, discard, "
                    + "connect:S or restore:S"
            ),
            ("force-quit", "the user swipes the app away"),
            (
                "crash",
                "the process crashes; with restoring=S the next launch crashes too, while it restores S"
            ),
            ("wipe", "the container is deleted"),
            (
                "fail",
                "writes are refused from here on: save=diskFull, readOnly or moved (the container "
                    + "is moved away)"
            ),
            ("recover", "writes work again, and the app opens the store again"),
            ("reset", "the app empties the store"),
            ("forget S", "one session is forgotten"),
            ("reboot", "the system restarts, and the process dies"),
            ("wait DURATION", "the clock moves: 500ms, 90s, 15m, 2h, 30d"),
        ])

    private static let expecting = StepGroup(
        heading: "Expecting (if one is not met, the exit status is 1):",
        steps: [
            (
                "expect CALLBACK…",
                "exactly these callbacks since the last expect: will did config:A connect:A"
            ),
            ("expect-none", "no callback since the last expect"),
            (
                "expect-session S",
                "configuration=, role=, state=, reason=, activity=, info.PATH=, state.KEY=, "
                    + "store.KEY=, placement=WxH+X+Y (placement=none: it has none)"
            ),
            ("expect-open S…", "exactly these sessions are remembered"),
            ("expect-connected S…", "exactly these sessions have a scene"),
            ("expect-withheld S…", "exactly these sessions have a withheld state"),
            ("expect-parked S…", "exactly these sessions are parked"),
            ("expect-waiting N", "N payloads wait in the inbox; with aside=M, M are set aside"),
            (
                "expect-payload S",
                "urls=, source=, activities=, handoff=, shortcut=, notification=, redelivered="
            ),
            ("expect-reason R", "the last launch's reason: first, launch, recover or restore"),
            (
                "expect-diagnostic…",
                "exactly these diagnostics since the last expect-diagnostic: CODE or CODE:S"
            ),
        ])
}
