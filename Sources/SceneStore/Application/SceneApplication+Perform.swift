import SceneStoreEngine

extension SceneApplication {
    /// Calls the delegates, step by step. A step whose scene is gone is skipped.
    package func perform(_ steps: [LifecycleMachine.Step]) {
        for step in steps where processState == .running {
            switch step {
            case .connect(let key): connect(key)
            case .settle(let key): settle(key)
            case .commit: commitStates()
            default:
                if let key = step.sceneKey, let scene = scenes[key] {
                    perform(step, on: scene)
                }
            }
        }
    }

    private func perform(_ step: LifecycleMachine.Step, on scene: Scene) {
        let delegate = scene.delegate
        switch step {
        case .enterForeground(let key):
            mark(key) { $0.isFront = true }
            scene.activationState = .foregroundInactive
            tell(.enterForeground(scene.session))
            delegate?.sceneWillEnterForeground(scene)
        case .becomeActive(let key):
            mark(key) {
                $0.isFront = true
                $0.becameActive = !isLaunching
            }
            scene.activationState = .foregroundActive
            tell(.becomeActive(scene.session))
            delegate?.sceneDidBecomeActive(scene)
        case .resignActive(let key):
            tell(.resignActive(scene.session))
            delegate?.sceneWillResignActive(scene)
            scene.activationState = .foregroundInactive
            resigned(key)
        case .enterBackground(let key):
            mark(key) {
                $0.isFront = false
                $0.becameActive = false
            }
            scene.activationState = .background
            tell(.enterBackground(scene.session))
            delegate?.sceneDidEnterBackground(scene)
        case .save: collectState(of: scene)
        case .deliver(let call, _): deliver(call, to: scene)
        case .disconnect(let key):
            scene.activationState = .unattached
            scenes[key] = nil
            liveKeys[scene.session.persistentIdentifier] = nil
            tell(.disconnect(scene.session))
            delegate?.sceneDidDisconnect(scene)
            forgetUnsettled(key)
        case .connect, .settle, .commit: break
        }
    }

    /// A scene that only loses the focus is saved at once if it changed; one that leaves the front
    /// is asked for its state anyway, in its save chain.
    private func resigned(_ key: Int64) {
        if autosaver.pending.contains(key), machine.phase(of: key) == .inactive {
            saveChanges()
        }
    }

    private func forgetUnsettled(_ key: Int64) {
        do throws(SceneStoreError) {
            try removeUnsettled(key)
        } catch {
            report(error)
        }
    }

    private func connect(_ key: Int64) {
        guard let scene = scenes[key] else {
            return
        }
        let connection = arrivingOptions.removeValue(forKey: key) ?? ConnectionOptions()
        tell(.connect(scene.session, connection))
        scene.delegate?.scene(scene, willConnectTo: scene.session, options: connection)
        if scene.session.restoration == .available, processState == .running,
            let activity = scene.session.stateRestorationActivity
        {
            tell(.restore(scene.session, activity))
            scene.delegate?.scene(scene, restoreInteractionStateWith: activity)
        }
        connectionHandler?(scene)
    }

    // MARK: Payloads

    private func deliver(_ call: LifecycleMachine.PayloadCall, to scene: Scene) {
        guard let delegate = scene.delegate else {
            return
        }
        switch call {
        case .failing(let type):
            tell(.willContinue(scene.session))
            delegate.scene(scene, willContinueUserActivityWithType: type)
            tell(.failContinue(scene.session))
            delegate.scene(
                scene, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        case .incoming(let payload):
            if case .activity(let activity) = payload {
                tell(.willContinue(scene.session))
                delegate.scene(scene, willContinueUserActivityWithType: activity.activityType)
            }
            hand(payload, to: scene, delegate)
        case .requested(let payload): hand(payload, to: scene, delegate)
        }
    }

    private func hand(_ payload: Payload, to scene: Scene, _ delegate: any SceneDelegate) {
        tell(.deliver(scene.session, payload))
        switch payload {
        case .activity(let activity): delegate.scene(scene, continue: activity)
        case .urls(let contexts): delegate.scene(scene, openURLContexts: contexts)
        case .shortcut(let item):
            delegate.windowScene(scene, performActionFor: item) { _ in }
        case .notification(let response): delegate.scene(scene, didReceive: response)
        }
    }

    // MARK: Marks

    private func mark(_ key: Int64, _ change: (inout MarkChange) -> Void) {
        guard !isQuitting else {
            return
        }
        var mark = pendingMarks[key] ?? MarkChange(key: key)
        change(&mark)
        pendingMarks[key] = mark
    }

    /// Writes what the event changed of who is in front and who was active last, in mode normal.
    ///
    /// What can't be written waits for the next write.
    func writeMarks() {
        write { () throws(SceneStoreError) in try writeChangedMarks() }
    }

    func writeChangedMarks() throws(SceneStoreError) {
        let changes = changedMarks()
        if !changes.isEmpty {
            try store.applyMarks(changes)
        }
        noteStored(changes)
    }

    /// The marks that differ from what is stored.
    func changedMarks() -> [MarkChange] {
        pendingMarks.values.filter { mark in
            guard let record = records[mark.key] else {
                return false
            }
            return mark.becameActive || mark.isFront.map { $0 != record.isFront } ?? false
        }.sorted { $0.key < $1.key }
    }

    func noteStored(_ marks: [MarkChange]) {
        for mark in marks {
            if let isFront = mark.isFront {
                records[mark.key]?.isFront = isFront
            }
        }
        pendingMarks.removeAll(keepingCapacity: true)
    }
}

extension LifecycleMachine.Step {
    /// The scene that the step is about.
    var sceneKey: Int64? {
        switch self {
        case .connect(let key), .enterForeground(let key), .becomeActive(let key),
            .resignActive(let key), .enterBackground(let key), .save(let key),
            .deliver(_, let key), .disconnect(let key), .settle(let key):
            key
        case .commit: nil
        }
    }
}

extension SceneStoreError.Code {
    /// An announced activity never came.
    public static let activityUnavailable = Self("activityUnavailable")
}
