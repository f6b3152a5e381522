import Observation

/// A session's scene storage: small typed values by key, for as long as the session exists.
///
/// Equal keys in two sessions are independent. Values survive eviction and relaunch, and are
/// removed when the session is discarded or forgotten. Values of
/// ``SceneSessionStore/Options/ephemeralKeys``, and all values of an ephemeral session, exist only
/// as long as the scene. Each change is written immediately, durable against the death of the
/// process; an equal value is not written. Reads are observable key by key: a view that reads
/// `values["zoom"]` is notified when that key changes.
///
/// ```swift
/// scene.storage["zoom"] = 1.5
/// let zoom = scene.storage["zoom"]?.doubleValue  // 1.5
/// ```
public final class SceneStorageValues: Observable {
    private let registrar = ObservationRegistrar()
    private weak var application: SceneApplication?
    private let identifier: SceneSession.ID
    private var loaded: [String: Value]?
    /// What the store does not keep: of an ephemeral session all, else what keys of the store's
    /// options name.
    private var unkept: [String: Value] = [:]
    /// The keys that were read, for their observers.
    private var asked: Set<String> = []
    private let key: Int64

    package init(application: SceneApplication?, identifier: SceneSession.ID, key: Int64) {
        self.application = application
        self.identifier = identifier
        self.key = key
    }

    /// What is stored, read once; nothing for now when it can't be read, which is reported.
    private func values() -> [String: Value] {
        if let loaded {
            return loaded
        }
        guard let application else {
            return [:]
        }
        defer {
            application.letStoreGo()
        }
        do throws(SceneStoreError) {
            let values = try application.store.values.storageValues(key: key)
                .merging(unkept) { $1 }
            loaded = values
            return values
        } catch {
            application.report(error, session: identifier)
            return [:]
        }
    }

    /// The stored value of a key.
    ///
    /// Setting writes immediately; nil removes the key. A write that the store refuses is reported
    /// to ``SceneApplication/diagnosticHandler`` and leaves the earlier value. Once the application
    /// is gone, setting reports to ``Diagnostic/handlerWithoutApplication``.
    public subscript(_ name: String) -> Value? {
        get {
            registrar.access(self, keyPath: \Self.[name])
            asked.insert(name)
            return values()[name]
        }
        set {
            guard let application else {
                Diagnostic.handlerWithoutApplication(
                    .storageWithoutScene(name, "its application is gone"))
                return
            }
            // What was not read yet is compared by the store, and what may lack its mark.
            guard
                unkept[name] != nil || application.store.encoder.redactedKeys.contains(name)
                    || (loaded.map { $0[name] != newValue } ?? true)
            else {
                return
            }
            defer {
                application.finishCall()
            }
            registrar.withMutation(of: self, keyPath: \Self.[name]) {
                do throws(SceneStoreError) {
                    try application.store.values.setStorage([name: newValue], key: key)
                    take(newValue, of: name, application)
                } catch {
                    application.report(error, session: identifier)
                }
            }
        }
    }

    /// Another process may have written: what was read is forgotten.
    package func readAgain() {
        loaded = nil
        for name in asked.sorted() {
            registrar.withMutation(of: self, keyPath: \Self.[name]) {}
        }
    }

    /// Reads everything while it is stored: a session that turns ephemeral loses it.
    func readAll() {
        _ = values()
    }

    /// The session became ephemeral: what is known of it is known here alone.
    func loseStore() {
        unkept.merge(loaded ?? [:]) { $1 }
    }

    /// Takes over what was written.
    private func take(_ value: Value?, of name: String, _ application: SceneApplication) {
        let isKept =
            !application.store.encoder.ephemeralKeys.contains(name)
            && application.live.scene(key)?.session.privacy != .ephemeral
        unkept[name] = isKept ? nil : value
        loaded?[name] = value
    }

    /// Takes over what was written past this object.
    func noteWritten(_ values: [String: Value?]) {
        guard let application else {
            return
        }
        for (name, value) in values {
            registrar.withMutation(of: self, keyPath: \Self.[name]) {
                take(value, of: name, application)
            }
        }
    }

    /// A value of a type, or the default when there is none. A stored value of another type gives
    /// the default and a diagnostic, and stays stored.
    package func value<Stored>(
        _ name: String, default: Stored, decode: (Value) -> Stored?
    ) -> Stored {
        guard let stored = self[name] else {
            return `default`
        }
        guard let value = decode(stored) else {
            application?.report(
                Diagnostic(
                    .storedTypeDiffers, .warning,
                    "the stored value is of another type; the default is used",
                    path: name, fix: "use another key, or set it again",
                    sessionIdentifier: identifier))
            return `default`
        }
        return value
    }
}

extension Diagnostic.Code {
    /// A value in scene storage, or the value that a window was opened for, is of another type.
    public static let storedTypeDiffers = Self("storedTypeDiffers")
}
