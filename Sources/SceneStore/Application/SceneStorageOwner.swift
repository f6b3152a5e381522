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
