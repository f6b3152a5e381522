import Observation

/// A property of a scene delegate that lives in the session's scene storage.
///
/// ```swift
/// final class EditorWindow: SceneDelegate, SceneStorageOwner {
///     weak var scene: Scene?
///     @SceneStorage("zoom") var zoom = 1.0
///     @SceneStorage("tab") var tab = Tab.text
/// }
/// ```
///
/// The initial value is the default. It is not stored, and is returned if nothing is stored or the
/// stored value has another type. Setting writes at once. Without a scene the property holds its
/// default, and setting stores nothing and reports it to ``Diagnostic/handlerWithoutApplication``.
///
/// A host's window that conforms to ``SceneStorageOwner`` gets its scene when ``SceneHost/makeWindow(for:)``
/// has returned.
@propertyWrapper
public struct SceneStorage<Stored> {
    private let name: String
    private let defaultValue: Stored
    private let decode: (Value) -> Stored?
    private let encode: (Stored) throws(SceneStoreError) -> Value

    /// Stores what the type encodes: Booleans, numbers, text, bytes, dates, URLs and UUIDs as values of
    /// their kind, nil as null.
    @_disfavoredOverload
    public init(wrappedValue: Stored, _ name: String) where Stored: Codable {
        self.name = name
        defaultValue = wrappedValue
        decode = { try? ValueCoder.decode(Stored.self, from: $0) }
        encode = { value throws(SceneStoreError) in try ValueCoder.encode(value) }
    }

    /// Stores a raw value.
    public init(wrappedValue: Stored, _ name: String)
    where Stored: RawRepresentable, Stored.RawValue: Codable {
        self.name = name
        defaultValue = wrappedValue
        decode = { stored in
            (try? ValueCoder.decode(Stored.RawValue.self, from: stored)).flatMap(
                Stored.init(rawValue:))
        }
        encode = { value throws(SceneStoreError) in try ValueCoder.encode(value.rawValue) }
    }

    /// A property of a type that isn't a class has no scene.
    @available(*, unavailable, message: "SceneStorage is for properties of a SceneStorageOwner")
    public var wrappedValue: Stored {
        get { defaultValue }
        set { _ = newValue }
    }

    /// Reads and writes through the owner's scene.
    public static subscript<Owner: SceneStorageOwner>(
        _enclosingInstance owner: Owner,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Owner, Stored>,
        storage storageKeyPath: ReferenceWritableKeyPath<Owner, SceneStorage<Stored>>
    ) -> Stored {
        get {
            let wrapper = owner[keyPath: storageKeyPath]
            guard let scene = owner.scene else {
                return wrapper.defaultValue
            }
            return scene.storage.value(
                wrapper.name, default: wrapper.defaultValue, decode: wrapper.decode)
        }
        set {
            let wrapper = owner[keyPath: storageKeyPath]
            guard let scene = owner.scene else {
                Diagnostic.handlerWithoutApplication(
                    .storageWithoutScene(wrapper.name, "it has no scene"))
                return
            }
            scene.storage.set(wrapper.name) { () throws(SceneStoreError) in
                try wrapper.encode(newValue)
            }
        }
    }
}

/// A scene delegate, or a host's window, with ``SceneStorage`` properties.
///
/// ```swift
/// final class SidebarModel: SceneStorageOwner {
///     weak var scene: Scene?  // set by the application
///     @SceneStorage("sidebar") var width = 240
/// }
/// ```
public protocol SceneStorageOwner: AnyObject {
    /// The scene whose storage the properties use. Declare it weak.
    ///
    /// The application sets it before `scene(_:willConnectTo:options:)`.
    var scene: Scene? { get set }
}

/// Small typed values by key: a session's scene storage, or the app's settings.
///
/// ``Scene/storage`` belongs to a session, and exists as long as the session does.
/// ``SceneApplication/storage`` belongs to the app, and exists until ``SceneApplication/reset()`` or
/// ``SceneApplication/erase()`` (L-88).
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
    /// Whose values they are; nil for the app's own.
    private let identifier: SceneSession.ID?
    private var loaded: [String: Value]?
    /// What the store does not keep: of an ephemeral session all, else what keys of the store's
    /// options name.
    private var unkept: [String: Value] = [:]
    /// The keys that were read, for their observers.
    private var asked: Set<String> = []
    private let key: Int64?

    package init(application: SceneApplication?, identifier: SceneSession.ID?, key: Int64?) {
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
            application.core.letStoreGo()
        }
        do throws(SceneStoreError) {
            let stored =
                if let key { try application.store.values.storageValues(key: key) } else {
                    try application.store.settings()
                }
            let values = stored.merging(unkept) { $1 }
            loaded = values
            return values
        } catch {
            application.core.report(error, session: identifier)
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
            let known = key == nil ? values() : loaded
            guard
                unkept[name] != nil || application.store.encoder.redactedKeys.contains(name)
                    || (known.map { $0[name] != newValue } ?? true)
            else {
                return
            }
            defer {
                application.finishCall()
            }
            registrar.withMutation(of: self, keyPath: \Self.[name]) {
                do throws(SceneStoreError) {
                    if let key {
                        try application.store.values.setStorage([name: newValue], key: key)
                    } else {
                        try application.store.setSetting(newValue, named: name)
                    }
                    take(newValue, of: name, application)
                } catch {
                    application.core.report(error, session: identifier)
                }
            }
        }
    }

    /// The stored value of a key as a type, for an adapter that offers its own `@SceneStorage` (L-86).
    ///
    /// Nil if nothing is stored. If a value of another type is stored, it is nil, too, and
    /// ``SceneApplication/diagnosticHandler`` gets `storedTypeDiffers`. Setting writes immediately;
    /// a value that can't be encoded is reported, and the earlier one stays.
    public subscript<Stored: Codable>(_ name: String, as type: Stored.Type) -> Stored? {
        get {
            value(name, default: nil) { stored in
                (try? ValueCoder.decode(type, from: stored)).map(Optional.some)
            }
        }
        set {
            set(name) { () throws(SceneStoreError) in
                if let newValue { try ValueCoder.encode(newValue) } else { nil }
            }
        }
    }

    /// Writes a value that is encoded for it; an error is reported, and the earlier value stays.
    func set(_ name: String, encoding value: () throws(SceneStoreError) -> Value?) {
        do throws(SceneStoreError) {
            self[name] = try value()
        } catch {
            let diagnostic = Diagnostic(error, session: identifier)
            if let application {
                application.core.report(diagnostic)
            } else {
                Diagnostic.handlerWithoutApplication(diagnostic)
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
            && key.flatMap { application.core.live.scene($0) }?.session.privacy != .ephemeral
        unkept[name] = isKept ? nil : value
        loaded?[name] = value
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
            application?.core.report(
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
    /// A value in scene storage is of another type.
    public static let storedTypeDiffers = Self("storedTypeDiffers")
}
