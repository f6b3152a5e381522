/// What becomes of a session's content, whatever the app shows in it.
extension SceneApplication {
    /// Gives a session another class of privacy (S-70). Durable on return.
    ///
    /// Turning it ephemeral erases what was stored of it from every file of the container, backups
    /// and quarantine included: the session itself stays remembered. Throws
    /// ``SceneStoreError/Code/erasurePending`` while another process reads the store, or the disk
    /// refuses: the class is changed then, and what is left goes in idle time. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded.
    public func setPrivacy(
        _ privacy: PrivacyClass, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        var pending: SceneStoreError?
        try change(identifier) { (key) throws(SceneStoreError) in
            do throws(SceneStoreError) {
                try store.marks.setPrivacy(privacy, key: key)
            } catch {
                // The class may be changed all the same, and only some bytes left.
                guard try store.record(key: key)?.privacy == privacy else {
                    throw error
                }
                pending = error
            }
            if privacy == .ephemeral {
                live.setUnsaved(nil, key)
                live.scene(key)?.storage.loseStore()
            }
        } live: {
            $0.privacy = privacy
        }
        if let pending {
            throw pending
        }
    }

    /// Keeps a session from being pruned, whatever its age, or no longer; in mode normal.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded.
    public func setPinned(_ isPinned: Bool, for identifier: SceneSession.ID) throws(SceneStoreError)
    {
        try change(identifier) { (key) throws(SceneStoreError) in
            try store.marks.setPinned(isPinned, key: key)
        } live: {
            $0.isPinned = isPinned
        }
    }
}
