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

    /// Stores Booleans, numbers, text, bytes, dates, URLs, UUIDs and optionals of them.
    public init(wrappedValue: Stored, _ name: String) where Stored: SceneStorable {
        self.name = name
        defaultValue = wrappedValue
        decode = { Stored(storedValue: $0) }
        encode = { value throws(SceneStoreError) in value.storedValue }
    }

    /// Stores a raw value.
    public init(wrappedValue: Stored, _ name: String)
    where Stored: RawRepresentable, Stored.RawValue: SceneStorable {
        self.name = name
        defaultValue = wrappedValue
        decode = { Stored.RawValue(storedValue: $0).flatMap(Stored.init(rawValue:)) }
        encode = { value throws(SceneStoreError) in value.rawValue.storedValue }
    }

    /// Stores what the type encodes.
    @_disfavoredOverload
    public init(wrappedValue: Stored, _ name: String) where Stored: Codable {
        self.name = name
        defaultValue = wrappedValue
        decode = { try? ValueCoder.decode(Stored.self, from: $0) }
        encode = { value throws(SceneStoreError) in try ValueCoder.encode(value) }
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
            do throws(SceneStoreError) {
                scene.storage[wrapper.name] = try wrapper.encode(newValue)
            } catch {
                let diagnostic = Diagnostic(
                    error, session: scene.session.persistentIdentifier)
                if let application = scene.application {
                    application.report(diagnostic)
                } else {
                    Diagnostic.handlerWithoutApplication(diagnostic)
                }
            }
        }
    }
}
