/// The steps of a scenario, for `help scenarios`.
extension HelpTopic {
    /// A group of steps, each as it is written, with what it means.
    struct StepGroup: Sendable {
        var heading: String
        var steps: [(usage: String, meaning: String)]
    }

    static let scenarioIntroduction =
        "A scenario is UTF-8 text with one step on each line. '#' begins a comment, \"…\" quotes a word, "
        + "options are NAME=VALUE, paths are relative to the file. Sessions are A, B, C … in the "
        + "order in which they are created; * stands for all sessions that a step applies to."

    static let scenarioSteps = [settingUp, running, expecting]

    private static let settingUp = StepGroup(
        heading: "Setting up (app, manifest and update while the app does not run):",
        steps: [
            ("app", "the app: lifecycle=scene or application, id=BUNDLE, version=V"),
            ("manifest FILE", "its Info.plist; none is an app without one"),
            (
                "delegate",
                "what its delegate returns: will= and did= true, false or none; provider=NAME, "
                    + "none or nil; provider.ROLE=NAME; provider-role=ROLE; restore=true, false, "
                    + "same-version or throws. 'none' does not implement it"
            ),
            (
                "delegate session=S",
                "activation conditions: can=RULE, prefers=RULE. A RULE is always, never, =TEXT, "
                    + "^PREFIX, $SUFFIX, ~CONTAINS or glob:PATTERN, several joined by |"
            ),
            (
                "policy",
                "its choices, the default first: reconnect=foreground, all or first:N, "
                    + "launch=restore, fresh, none or safe (while it does not run), delivery=uikit or "
                    + "when-active, force-quit=preserve or discard, nil-state=forget or keep, "
                    + "durability=full or normal, strict=on or off, inbox=off or on; hold-after=N; "
                    + "opening=none, or what to open when a launch brings no window back"
            ),
            ("update", "it is updated: manifest=FILE, version=V, rename=OLD:NEW"),
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
                "another scene: role=ROLE, as=NAME, activity=TYPE (webpage=U, target=ID), "
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
            ("change S", "the user changed something, which is not saved yet"),
            ("userinfo S", "the session's user info: KEY:T=VALUE"),
            ("store S", "its scene storage: KEY:T=VALUE"),
            ("background S…", "scenes leave"),
            ("foreground S…", "they come back"),
            ("evict S", "the system takes a background scene away"),
            ("close S…", "the user closes windows in one action, also while the app does not run"),
            (
                "unsaved S ANSWER",
                "a window has unsaved work and answers close, keep or later when it is asked to close; "
                    + "none: it has none any more"
            ),
            ("answer S", "the user of a window that answered later has decided: close or keep"),
            ("destroy S", "the app asks for the session's end"),
            ("refresh S", "the app asks for its state to be saved again"),
            (
                "reopen S…",
                "the closing of windows is undone in one action, also while the app does not run"
            ),
            (
                "reopen-last-session",
                "the windows that were connected when the last process with windows ended come "
                    + "back, also while the app does not run"
            ),
            ("teardown", "the desktop's session ends: closing a window is quitting"),
            ("end-teardown", "the session continues after all"),
            (
                "displays NAME:WxH+X+Y…",
                "the displays, also while the app does not run"
            ),
            ("hold S", "a session is held by hand, also while the app does not run"),
            ("release S", "it is released"),
            ("acknowledge S", "the app acknowledges the payload that the session got last"),
            (
                "placement S",
                "where the window is: x=, y=, width=, height=, display=, state=; moved: the user "
                    + "moved it there"
            ),
            ("open-value [S] VALUE", "a window for a value: as=NAME"),
            ("extend S", "restoring continues after the callbacks"),
            ("complete S", "restoring ends"),
            (
                "quit",
                "the process ends cleanly; windows=park: its windows come back only on request"
            ),
            (
                "kill",
                "it is killed; during=save, discard, connect:S or restore:S: at the next "
                    + "such moment"
            ),
            ("force-quit", "the user swipes it away"),
            ("crash", "the process crashes; restoring=S: the next launch too, while restoring S"),
            ("wipe", "the container is deleted"),
            (
                "fail",
                "writes are refused from here on: save=diskFull, readOnly or moved (the container "
                    + "is moved away)"
            ),
            ("recover", "writes work again, and the app opens the store again"),
            ("reset", "the app empties it"),
            ("forget S", "one session is forgotten"),
            ("reboot", "the system restarts"),
            ("wait DURATION", "the clock moves: 500ms, 90s, 15m, 2h, 30d"),
        ])

    private static let expecting = StepGroup(
        heading: "Expecting (if one is not met, the exit status is 1):",
        steps: [
            (
                "expect CALLBACK…",
                "exactly these since the last expect: will did config:A connect:A"
            ),
            ("expect-none", "none since then"),
            (
                "expect-session S",
                "configuration=, role=, state=, reason=, activity=, info.PATH=, state.KEY=, "
                    + "store.KEY="
            ),
            ("expect-open S…", "exactly these sessions are remembered"),
            ("expect-connected S…", "exactly these have a scene"),
            ("expect-withheld S…", "exactly these have a withheld state"),
            ("expect-parked S…", "exactly these are parked"),
            ("expect-waiting N", "so many payloads wait in the inbox; aside=M are set aside"),
            (
                "expect-payload S",
                "urls=, source=, activities=, handoff=, shortcut=, notification=, redelivered="
            ),
            ("expect-reason R", "of the last launch: first, launch, recover, restore"),
            ("expect-diagnostic…", "exactly these since the last one: CODE or CODE:S"),
        ])
}
