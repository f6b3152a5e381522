import SceneStoreEngine

/// Asks scenes for their states, and writes states and marks: what a write could not take along
/// waits for the next one (L-32).
package final class StateWriter {
    let core: ApplicationCore
    private let settling: Settling
    /// The scenes that changed since they were saved.
    @exclusivity(unchecked) var changes = Autosaver()
    // No code of the app runs inside an access to these.
    /// What the running event could not save.
    @exclusivity(unchecked) var failures: [SaveFailure] = []
    /// The scene that is being asked; its title and placement are written with its state.
    @exclusivity(unchecked) var asked: Int64?
    /// Whether the scene is only looked at, outside of its save chain.
    @exclusivity(unchecked) private var isLooking = false
    /// Whether the scene that is asked reported a change meanwhile.
    var changesWhileAsked = false
    /// Whether a save that was requested while a scene was asked has been reported.
    var toldOfRefusedSave = false
    /// Whether a call that promises a save throws what could not be saved. A simulation that goes
    /// on has it reported instead.
    package var throwsFailures = true
    /// Its buffer is kept from one state to the next.
    @exclusivity(unchecked) private var encoder: CBORWriter

    init(_ core: ApplicationCore, _ settling: Settling) {
        self.core = core
        self.settling = settling
        encoder = CBORWriter(limits: core.store.encoder.limits)
    }

    /// Asks a scene for its state and runs the hooks (L-31); the next commit writes it. Answers
    /// whether there is something to write.
    @discardableResult
    func collectState(of scene: Scene, isClosing: Bool = false) -> Bool {
        changes.remove(scene.key)
        guard let answer = ask(scene), !isPlaceholder(answer, of: scene) else {
            return false
        }
        scene.placeholder = nil
        switch consume answer {
        case .nothing:
            // What the window showed before is what can be reopened.
            guard !isClosing, !core.options.keepsPreviousState else {
                return false
            }
            core.live.setUnsaved(StateToSave(key: scene.key, encoded: nil))
            scene.session.stateRestorationActivity = nil
        case .state(let encoded, let activity):
            core.live.setUnsaved(StateToSave(key: scene.key, encoded: encoded))
            scene.session.stateRestorationActivity = activity
        }
        return true
    }

    /// What a scene answers, with the state as it is stored.
    enum Answer {
        case nothing
        case state(EncodedState, UserActivity)

        var bytes: [UInt8]? {
            if case .state(let encoded, _) = self { encoded.bytes } else { nil }
        }
    }

    /// Asks a window whose state is withheld what it shows instead, before the user can touch it
    /// (L-55). This is no save: nothing is written, told or reported. A window that shows the
    /// withheld state itself shows nothing instead: saving that confirms it (L-52).
    func notePlaceholder(of scene: Scene) {
        guard case .awaited = scene.placeholder else {
            return
        }
        scene.placeholder = nil
        guard case .success(let answer?) = look(at: scene) else {
            return
        }
        if answer.bytes == nil || answer.bytes != storedBytes(of: scene) {
            scene.placeholder = .shown(answer.bytes)
        }
    }

    /// Asks a scene what it shows, outside of its save chain: nothing is written, told or reported.
    /// Answers nil for a scene that doesn't want to be asked, and why it could not answer.
    func look(at scene: Scene) -> Result<Answer?, SceneStoreError> {
        let failed = failures.count
        isLooking = true
        let answer = ask(scene, isSave: false)
        isLooking = false
        defer { failures.removeSubrange(failed...) }
        return failures.count > failed ? .failure(failures[failed].error) : .success(answer)
    }

    /// The state that a scene was restored with or saved last, as it is stored.
    func storedBytes(of scene: Scene) -> [UInt8]? {
        scene.session.stateRestorationActivity
            .flatMap { try? core.store.encoder.encode($0) }?.bytes
    }

    /// Whether the answer is what the window showed from the beginning instead of a state that is the
    /// current one still: the user did nothing, and a later launch offers that state again.
    func isPlaceholder(_ answer: Answer, of scene: Scene) -> Bool {
        guard case .shown(let bytes) = scene.placeholder, bytes == answer.bytes else {
            return false
        }
        return (try? core.store.record(key: scene.key)?.flags.awaitsConfirmation) == true
    }

    /// Whether a window answers what it shows instead of a withheld state: nothing of it is saved, so
    /// its title and its place stay those of the state.
    package func isPlaceholder(_ activity: UserActivity?, of scene: Scene) -> Bool {
        guard !isLooking else {
            return true
        }
        guard case .shown(let bytes) = scene.placeholder else {
            return false
        }
        return activity.flatMap { try? core.store.encoder.encode($0) }?.bytes == bytes
    }

    /// Asks a scene for its state and runs the hooks; nil when there is no answer that could be stored.
    private func ask(_ scene: Scene, isSave: Bool = true) -> Answer? {
        guard let delegate = scene.stateDelegate, delegate.shouldSaveState(of: scene) else {
            // The observation of what changed is spent, and a later change counts.
            scene.delegate?._observeState(of: scene)
            return nil
        }
        changesWhileAsked = false
        if isSave {
            core.tell(.save(scene.session))
        }
        let outer = asked
        asked = scene.key
        defer { asked = outer }
        let answer: UserActivity?
        do {
            answer = try delegate.stateRestorationActivity(for: scene)
        } catch {
            // The earlier state stays (L-56).
            let cause = error as? SceneStoreError
            failures.append(
                SaveFailure(
                    error: SceneStoreError(
                        .saveFailed,
                        "the app's stateRestorationActivity or state(of:) threw, so the earlier "
                            + "state stays: "
                            + (cause.map { "\($0.code.rawValue): \($0.message)" }
                                ?? "\(type(of: error))"),
                        path: cause?.path),
                    session: scene.session.persistentIdentifier, isRefusal: true))
            return nil
        }
        guard var activity = consume answer else {
            return .nothing
        }
        delegate.scene(scene, willSave: &activity)
        if isSave {
            core.tell(.update(scene.session))
        }
        delegate.scene(scene, didUpdate: &activity)
        if changesWhileAsked {
            delegate._observeState(of: scene)
        }
        let identifier = scene.session.persistentIdentifier
        do throws(SceneStoreError) {
            // A value that can't be stored is refused alone: the other sessions are saved.
            if !core.options.stateMigrations.isEmpty {
                activity = core.options.stateMigrations.versioned(activity)
            }
            var state = try core.store.encoder.encode(activity, in: &encoder)
            if isSave {
                try checkType(of: activity, for: identifier)
            }
            if core.options.prunesToRequiredKeys {
                activity = activity.prunedToRequiredKeys()
                state = try core.store.encoder.encode(activity)
            }
            activity.needsSave = false
            return .state(state, consume activity)
        } catch {
            failures.append(SaveFailure(error: error, session: identifier, isRefusal: true))
            return nil
        }
    }

    /// An undeclared type is reported, or in strict mode refused (L-34).
    private func checkType(
        of activity: UserActivity, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        guard let declared = core.options.manifest?.activityTypes, !declared.isEmpty,
            !declared.contains(activity.activityType)
        else {
            return
        }
        guard !core.options.requiresDeclaredActivityTypes else {
            throw SceneStoreError(
                .undeclaredActivityType,
                "the activity's type is not declared in NSUserActivityTypes; nothing was stored")
        }
        core.report(
            Diagnostic(
                .undeclaredActivityType, .warning,
                "the activity's type is not declared in NSUserActivityTypes",
                path: "NSUserActivityTypes", fix: "declare it", sessionIdentifier: identifier))
    }

    /// Writes all states that are waiting, and the marks, in one transaction. What can't be written
    /// waits for the next write.
    func commitStates(durability: Durability? = nil) {
        write { () throws(SceneStoreError) in
            let live = core.live
            guard live.hasUnsavedStates else {
                return try writeChangedMarks()
            }
            let marks = live.changedMarks(core.engine.machine)
            let saved = live.statesToSave
            _ = try core.store.save(
                saved, values: live.valuesToSave, marks: marks, context: saveContext,
                durability: durability ?? core.options.durability)
            live.noteStored(marks)
            settling.noteAdoptions(by: saved)
            live.noteSaved()
        }
        settling.settleAdoptions()
        guard core.store.refusal != nil else {
            return
        }
        do throws(SceneStoreError) {
            try core.store.writeRefused()
        } catch {
            // It is held in memory, and that is told; who is promised a save hears it, too.
            failures.append(SaveFailure(error: error, isHeld: true))
        }
    }

    /// Writes what waits of scenes that are in the background now. Whatever was saved before in mode
    /// normal is safe from a power cut then, too (S-20).
    func commitBackground() {
        commitStates()
        write { () throws(SceneStoreError) in try core.store.log.syncSaves() }
    }

    /// Writes; a session that the store no longer has keeps no other from being saved. What the
    /// store refused once is not tried again within the event.
    package func write(_ body: () throws(SceneStoreError) -> Void) {
        guard failures.allSatisfy({ $0.isRefusal || $0.isHeld }) else {
            return
        }
        do throws(SceneStoreError) {
            do throws(SceneStoreError) {
                try body()
            } catch {
                guard error.code == .noSuchSession, try dropUnknownSessions(error) else {
                    throw error
                }
                try body()
            }
        } catch {
            failures.append(SaveFailure(error: error))
        }
    }

    /// Drops what waits for sessions that the store no longer has; answers whether there were any.
    private func dropUnknownSessions(_ error: SceneStoreError) throws(SceneStoreError) -> Bool {
        var hasDropped = false
        for key in core.live.waitingKeys where try core.store.record(key: key) == nil {
            core.live.drop(key)
            failures.append(
                SaveFailure(
                    error: error,
                    session: core.live.scene(key)?.session.persistentIdentifier,
                    isRefusal: true))
            hasDropped = true
        }
        return hasDropped
    }

    /// Keeps a title or a placement that a scene tells while it is asked for its state: it is written
    /// with the state, in one transaction. Answers false at any other time.
    func keep(
        _ key: Int64, _ change: (inout ValuesToSave) -> Void
    ) throws(SceneStoreError) -> Bool {
        guard asked == key, core.live.scene(key) != nil else {
            return false
        }
        var values = ValuesToSave(key: key)
        change(&values)
        _ = try core.store.encoder.encoded(values)
        core.live.setUnsavedValues(key, change)
        return true
    }

    /// Whether a scene is being asked for its state.
    var isAsking: Bool { asked != nil }

    /// Whether the scene is in its save chain: what it answers has its changes.
    func isAsked(_ key: Int64) -> Bool { asked == key && !isLooking }

    package var saveContext: SaveContext {
        return SaveContext(
            appVersion: core.options.appVersion,
            systemVersion: core.options.systemVersion,
            idiom: core.options.idiom, savedAt: core.environment.now())
    }

    // MARK: Marks

    package func mark(_ key: Int64, _ change: (inout MarkChange) -> Void) {
        if !core.isQuitting, !core.isTearingDown {
            core.live.mark(key, change)
        }
    }

    /// Writes what the event changed of who is in front and who was active last, in mode normal.
    ///
    /// What can't be written waits for the next write.
    func writeMarks() {
        write { () throws(SceneStoreError) in try writeChangedMarks() }
    }

    func writeChangedMarks() throws(SceneStoreError) {
        let live = core.live
        // A window that connects behind others has none.
        guard live.hasMarks else {
            return
        }
        let changes = live.changedMarks(core.engine.machine)
        if !changes.isEmpty {
            try core.store.marks.apply(changes)
        }
        live.noteStored(changes)
    }
}

/// What a window shows and no save has taken (L-46).
extension StateWriter {
    /// Asks a scene that is being closed for a change that is not stored yet; answers what is to be
    /// written with its discard.
    func lastState(of key: Int64) -> StateToSave? {
        if let scene = core.live.scene(key), hasUnsavedChange(scene) {
            collectState(of: scene, isClosing: true)
        }
        return core.live[key]?.unsaved.flatMap { $0.forgets ? nil : $0 }
    }

    /// Whether a scene has a change that is not stored yet: it reported one, or it shows something else
    /// than its stored state. A delegate that returns activities itself is believed; it is asked in its
    /// save chain alone (L-31).
    func hasUnsavedChange(_ scene: Scene) -> Bool {
        guard !changes.isPending(scene.key) else {
            return true
        }
        guard scene.isLookedAtAnyTime else {
            return false
        }
        switch look(at: scene) {
        case .success(let answer):
            // Nothing is shown, or what was shown from the beginning instead of a withheld state.
            guard let answer, let bytes = answer.bytes, !isPlaceholder(answer, of: scene) else {
                return false
            }
            return bytes != storedBytes(of: scene)
                || (scene.delegate as? any WindowOfHost)?.hasNewAppearance(scene) == true
        // Its save chain tells why.
        case .failure: return true
        }
    }
}
