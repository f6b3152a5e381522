/// What becomes of a session's content, whatever the app shows in it.
extension SceneApplication {
    /// Changes a session's class of privacy (S-70). Durable on return.
    ///
    /// Making a session ephemeral erases its stored content from every file of the container,
    /// backups and quarantine included. The session itself stays remembered, and its scene storage
    /// stays in memory while its scene is connected. Throws ``SceneStoreError/Code/erasurePending``
    /// while another process reads the store, or if the disk refuses: then the class is changed,
    /// and idle work finishes the erasure. Throws ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded.
    public func setPrivacy(
        _ privacy: PrivacyClass, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        try SessionChange(application: self, session: identifier).setPrivacy(privacy)
    }

    /// Protects a session from pruning at any age, or ends the protection, in mode normal.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was
    /// discarded.
    public func setPinned(_ isPinned: Bool, for identifier: SceneSession.ID) throws(SceneStoreError)
    {
        try change(identifier) { (key) throws(SceneStoreError) in
            try store.marks.setPinned(isPinned, key: key)
        } live: {
            $0.isPinned = isPinned
        }
    }
}
