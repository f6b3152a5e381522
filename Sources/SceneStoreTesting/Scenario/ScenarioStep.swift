import SceneStore

/// One line of a scenario.
package struct ScenarioStep: Hashable, Sendable {
    /// The line in the scenario, from 1.
    package var line: Int
    /// The character at which the step's word begins, from 1.
    package var column: Int
    /// What the step is.
    package var kind: Kind

    /// Makes a step.
    package init(line: Int, column: Int, kind: Kind) {
        self.line = line
        self.column = column
        self.kind = kind
    }

    /// What a step is, with all that stands in its line.
    ///
    /// Indirect, so that a long scenario of short steps stays small in memory.
    package indirect enum Kind: Hashable, Sendable {
        /// `app`: what the app is.
        case app(AppStep)
        /// `manifest`: the app's Info.plist.
        case manifest(ManifestStep)
        /// `delegate`: what the app's delegate answers.
        case delegate(DelegateStep)
        /// `policy`: the app's choices.
        case policy(PolicyStep)
        /// `update`: the app is updated.
        case update(UpdateStep)
        /// `launch`: the process starts.
        case launch(LaunchStep)
        /// `start`: the app is started once more; a process that runs is handed what that one brings.
        case start(LaunchStep)
        /// `new-scene`: another scene is asked for.
        case newScene(NewSceneStep)
        /// `activate`: a session is brought forward.
        case activate(ActivateStep)
        /// `open-url`: a link arrives.
        case openURL(OpenURLContext)
        /// `continue`: an activity arrives.
        case continueActivity(ContinueStep)
        /// `arrive`: the data of an activity that was announced arrives, or fails to.
        case arrive(ContinueStep)
        /// `shortcut`: a quick action is chosen.
        case shortcut(ShortcutItem)
        /// `push`: a notification is answered.
        case push(NotificationResponse)
        /// `state`: what a scene answers when it is asked for its state.
        case state(StateStep)
        /// `change`: the user changed something, which is not saved yet.
        case change(SessionSelection)
        /// `userinfo`: a session's userInfo is set.
        case userInfo(ValuesStep)
        /// `store`: keys of a session's scene storage are set.
        case store(ValuesStep)
        /// `background`: scenes leave.
        case background([SessionSelection])
        /// `foreground`: scenes come back.
        case foreground([SessionSelection])
        /// `evict`: the system disconnects a background scene.
        case evict(SessionSelection)
        /// `close`: the user closes windows, in one action.
        case close([SessionSelection])
        /// `destroy`: the app asks for a session's end.
        case destroy(SessionSelection)
        /// `refresh`: the app asks for a session's state to be saved again.
        case refresh(SessionSelection)
        /// `extend`: restoring a session goes on after its callbacks.
        case extend(SessionSelection)
        /// `complete`: it ends.
        case complete(SessionSelection)
        /// `reopen`: the closing of windows is undone, also while the app does not run.
        case reopen([SessionReference])
        /// `unsaved`: a window has work that is not saved, and answers so when it is to close.
        case unsaved(UnsavedStep)
        /// `answer`: the user of a window that answered `later` has decided.
        case answerClosing(SessionReference, ClosingAnswer)
        /// `reopen-last-session`: the windows of the last process come back, also while the app does
        /// not run.
        case reopenLastSession
        /// `teardown`: the desktop's session ends.
        case teardown
        /// `end-teardown`: it goes on.
        case endTeardown
        /// `displays`: which displays there are.
        case displays(DisplaysStep)
        /// `hold`: a session is held back by hand.
        case hold(SessionSelection)
        /// `release`: it is no longer.
        case release(SessionSelection)
        /// `acknowledge`: the app has dealt with what a session was given last.
        case acknowledge(SessionReference)
        /// `placement`: where a window is, is stored.
        case placement(PlacementStep)
        /// `open-value`: a window for a value is asked for.
        case openValue(OpenValueStep)
        /// `quit`: the process ends cleanly.
        case quit
        /// `quit windows=park`: it does, and its windows don't come back by themselves.
        case quitParking
        /// `kill`: the process ends without a word.
        case kill
        /// `kill during=`: the next such moment ends it so.
        case killDuring(KillMoment)
        /// `force-quit`: the user swipes the app away.
        case forceQuit
        /// `crash`: the process ends by its own fault; when a session is named, at the next
        /// launch too, while it restores that session.
        case crash(restoring: SessionReference?)
        /// `wipe`: the container is deleted.
        case wipe
        /// `fail`: writes are refused from here on.
        case fail(WriteRefusal)
        /// `recover`: they work again, and the app opens the store anew.
        case recover
        /// `reset`: the app empties the container.
        case reset
        /// `forget`: one session is forgotten.
        case forget(SessionSelection)
        /// `reboot`: the system restarts.
        case reboot
        /// `wait`: the virtual clock moves. All waits of a scenario add up to a million days at
        /// most.
        case wait(milliseconds: Int64)
        /// `expect`: exactly these callbacks since the last `expect`.
        case expect([ExpectedCall])
        /// `expect-session`: what is stored of a session.
        case expectSession(SessionExpectation)
        /// `expect-open`: exactly these sessions are remembered.
        case expectOpen([SessionReference])
        /// `expect-connected`: exactly these sessions have a scene.
        case expectConnected([SessionReference])
        /// `expect-withheld`: exactly these sessions have a withheld state.
        case expectWithheld([SessionReference])
        /// `expect-parked`: exactly these sessions are parked.
        case expectParked([SessionReference])
        /// `expect-waiting`: so many payloads wait in the inbox, and so many are set aside.
        case expectWaiting(WaitingExpectation)
        /// `expect-none`: no callback since the last `expect`.
        case expectNone
        /// `expect-payload`: what the last payload of a session held.
        case expectPayload(PayloadExpectation)
        /// `expect-reason`: the last launch's reason.
        case expectReason(LaunchReason)
        /// `expect-diagnostic`: exactly these diagnostics since the last `expect-diagnostic`.
        case expectDiagnostic([ExpectedDiagnostic])
    }
}

extension ScenarioStep {
    /// A moment at which a process is killed.
    package enum KillMoment: Hashable, Sendable {
        /// A scene is asked for its state.
        case save
        /// A session's scene connects.
        case connect(SessionReference)
        /// A session's state is restored.
        case restore(SessionReference)
        /// The app is told of discards.
        case discard

        init(parsing option: ScenarioOption) throws(ScenarioStepError) {
            switch option.value.keyword {
            case "save": self = .save
            case "discard": self = .discard
            default:
                if let name = option.value.dropping(prefix: "connect:") {
                    self = .connect(
                        try ScenarioArguments.reference(name, column: option.column))
                } else if let name = option.value.dropping(prefix: "restore:") {
                    self = .restore(
                        try ScenarioArguments.reference(name, column: option.column))
                } else {
                    throw ScenarioStepError(
                        column: option.column,
                        message: "'during=' is save, discard, connect:S or restore:S")
                }
            }
        }

        /// The session that it is about.
        var session: SessionReference? {
            switch self {
            case .connect(let session), .restore(let session): session
            case .save, .discard: nil
            }
        }

        /// The callback that is the moment.
        var callback: CallShortName {
            switch self {
            case .save: .save
            case .connect: .connect
            case .restore: .restore
            case .discard: .discard
            }
        }
    }

    /// A session by its name in the scenario; whether there is one is known when it is played.
    package struct SessionReference: Hashable, Sendable {
        /// The name: a letter, or what `as=` says.
        package var name: String
        /// Where it stands in its line, from 1.
        package var column: Int

        /// Makes a reference.
        package init(name: String, column: Int) {
            self.name = name
            self.column = column
        }
    }

    /// One session, or `*`: all open ones that the step applies to.
    package enum SessionSelection: Hashable, Sendable {
        /// All, written at a column.
        case all(column: Int)
        /// One.
        case one(SessionReference)
    }

    /// A key with its typed value, as in `count:i=3`.
    package struct KeyedValue: Hashable, Sendable {
        /// The key.
        package var key: String
        /// The value; nil for none, as in `count=`.
        package var value: Value?
        /// Where the word stands in its line, from 1.
        package var column: Int

        /// Makes a pair.
        package init(key: String, value: Value?, column: Int) {
            self.key = key
            self.value = value
            self.column = column
        }
    }
}
