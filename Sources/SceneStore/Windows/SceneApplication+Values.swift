/// Windows that are opened for a value, such as a document's identifier (L-87).
extension SceneApplication {
    /// Brings forward the window that shows an equal value, or opens a new one for the value.
    ///
    /// Throws ``SceneStoreError/Code/multipleScenesNotSupported`` when no further scene is allowed
    /// and what encoding throws for a value that can't be stored.
    public func openWindow<Presented: Codable>(
        presenting value: Presented, role: SceneSessionRole = .windowApplication
    ) throws(SceneStoreError) {
        try requireRunning()
        let stored = try ValueCoder.encode(value)
        try event { [self] () throws(SceneStoreError) in
            try SceneRequests(application: self).open(presenting: stored, role: role)
        }
    }
}

extension Scene {
    /// Returns the value that the window shows, or nil if it shows none.
    ///
    /// A value that can't be decoded any more gives nil and a diagnostic. The session and its
    /// stored data stay.
    public func presentedValue<Presented: Codable>(as type: Presented.Type) -> Presented? {
        guard let stored = session.presentedValue else {
            return nil
        }
        do throws(SceneStoreError) {
            return try ValueCoder.decode(type, from: stored)
        } catch {
            application?.report(
                Diagnostic(
                    .storedTypeDiffers, .warning,
                    "the value that the window was opened for can't be decoded",
                    path: error.path, fix: "give the type a decoder for its older form",
                    sessionIdentifier: session.persistentIdentifier))
            return nil
        }
    }

    /// Remembers another value for the window, or none, in mode normal.
    ///
    /// Throws what encoding throws, ``SceneStoreError/Code/requestDenied`` for a session that was
    /// discarded, and ``SceneStoreError/Code/invalidState`` once the application is gone.
    public func setPresentedValue<Presented: Codable>(
        _ value: Presented?
    ) throws(SceneStoreError) {
        let stored: Value? = if let value { try ValueCoder.encode(value) } else { nil }
        let application = try requireApplication()
        try application.change(session.persistentIdentifier) { (key) throws(SceneStoreError) in
            try application.store.values.setPresentedValue(stored, key: key)
            application.engine.privateSessions[key]?.presentedValue = stored
        } live: {
            $0.presentedValue = stored
        }
    }
}
