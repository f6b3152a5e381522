import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Changes what is kept about an open session: stored first, then its live scene shows it, and
/// whoever watches is told.
struct SessionChange {
    let application: SceneApplication
    let session: SceneSession.ID

    func make(
        _ write: (Int64) throws(SceneStoreError) -> Void,
        live update: (inout SceneSession) -> Void = { _ in }
    ) throws(SceneStoreError) {
        defer {
            application.finishCall()
        }
        let key = try application.openKey(session)
        try write(key)
        if let scene = application.live.scene(key) {
            update(&scene.session)
        }
        if !application.feed.isEmpty {
            application.feed.tell(.updated, session)
        }
    }

    /// Stores a state directly, with its version.
    func setState(_ activity: UserActivity?) throws(SceneStoreError) {
        let options = application.options
        let activity = activity.map(options.stateFormats.versioned)
        try make { (key) throws(SceneStoreError) in
            _ = try application.store.save(
                [StateToSave(key: key, activity: activity)], marks: [],
                context: application.states.saveContext, durability: options.durability)
            // What waited is older.
            application.live.setUnsaved(nil, key)
        } live: {
            $0.stateRestorationActivity = activity
        }
    }

    /// Stores a placement, unless it is one that the window got (L-49).
    func setPlacement(_ placement: ScenePlacement?) throws(SceneStoreError) {
        var isNews = false
        try make { (key) throws(SceneStoreError) in
            isNews = try application.places.keep(placement, of: key)
        } live: {
            if isNews {
                $0.placement = placement
            }
        }
    }

    /// Changes the class of privacy (S-70). What can't be erased yet is thrown once the class is
    /// changed.
    func setPrivacy(_ privacy: PrivacyClass) throws(SceneStoreError) {
        var pending: SceneStoreError?
        var isRemembered: Bool?
        try make { (key) throws(SceneStoreError) in
            let scene = application.live.scene(key)
            if privacy == .ephemeral {
                scene?.storage.readAll()
            }
            if !application.options.remembersPrivateWindows {
                isRemembered = try application.store.record(key: key).map {
                    privacy != .ephemeral
                        && application.engine.rules.isRemembered($0.configuration)
                }
            }
            do throws(SceneStoreError) {
                try application.store.marks.setPrivacy(
                    privacy, isRemembered: isRemembered, key: key)
            } catch {
                // The class may be changed all the same, and only some bytes left.
                guard try application.store.record(key: key)?.privacy == privacy else {
                    throw error
                }
                pending = error
            }
            if privacy == .ephemeral {
                application.live.setUnsaved(nil, key)
                scene?.storage.loseStore()
                application.engine.privateSessions[key] = scene.map {
                    PrivateSession(
                        conditions: $0.session.activationConditions,
                        presentedValue: $0.session.presentedValue)
                }
            } else if let own = application.engine.privateSessions.removeValue(forKey: key) {
                try application.store.values.setConditions(own.conditions, key: key)
                try application.store.values.setPresentedValue(own.presentedValue, key: key)
            }
        } live: {
            $0.privacy = privacy
            if isRemembered == false {
                $0.restoration = .disabled
            } else if isRemembered == true, $0.restoration == .disabled {
                $0.restoration = .available
            }
        }
        if let pending {
            throw pending
        }
    }

    /// Holds the session back, or releases it; who gets or loses a place by that is stored with it
    /// (L-18).
    func setHeld(_ isHeld: Bool) throws(SceneStoreError) {
        let (store, engine) = (application.store, application.engine)
        try make { (key) throws(SceneStoreError) in
            guard let record = try store.record(key: key) else {
                return
            }
            let places = try store.read { skeleton throws(SceneStoreError) in
                try engine.holding(record, isHeld, in: skeleton)
            }
            try store.marks.setHeld(
                isHeld, key: key, freeing: places.freed, displacing: places.parked)
        }
    }
}
