/// A scene delegate, or a host's window, with ``SceneStorage`` properties.
///
/// ```swift
/// final class SidebarModel: SceneStorageOwner {
///     weak var scene: Scene?  // set by the application
///     @SceneStorage("sidebar") var width = 240
/// }
/// ```
public protocol SceneStorageOwner: AnyObject {
    /// The scene whose storage the properties live in; set by the application before
    /// `scene(_:willConnectTo:options:)`. Declare it weak.
    var scene: Scene? { get set }
}
