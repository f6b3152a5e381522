/// A declarative toolkit on a text terminal, as small as an adapter can do with: it knows nothing of
/// SceneStore. Views are structs, windows come from scenes, and `App` has a `main()` of its own.
@MainActor
public protocol View {
    /// The window's title.
    var title: String { get }
    /// What the window shows.
    var body: String { get }
    /// The user typed.
    func press(_ key: Character)
}

/// What makes an app's windows.
@MainActor
public protocol Scene {
    /// Opens the windows with which the app begins; called in the first turn of the main loop.
    func begin()
}

/// The scenes of an app, in the braces of its `body`.
@resultBuilder
public enum SceneBuilder {
    /// The scenes, in their order.
    public static func buildBlock(_ scenes: any Scene...) -> [any Scene] { scenes }
}

/// An app: its scenes.
@MainActor
public protocol App {
    init()
    @SceneBuilder var body: [any Scene] { get }
    /// Called in the first turn of the main loop, once all scenes have begun.
    func didBegin()
}

extension App {
    /// Runs the app; its `main()` is the toolkit's.
    public static func main() {
        Screen.run {
            let app = Self()
            app.body.forEach { $0.begin() }
            app.didBegin()
        }
    }

    /// Does nothing.
    public func didBegin() {}
}

/// A group of like windows, of which the toolkit opens the first one by itself.
public struct WindowGroup: Scene {
    private let makeView: @MainActor () -> any View

    /// Makes a group of windows that show this view.
    public init(makeView: @escaping @MainActor () -> any View) { self.makeView = makeView }

    /// Opens the first window.
    public func begin() { Screen.show(NativeWindow(makeView())) }
}

/// The toolkit's own object for a window.
@MainActor
public final class NativeWindow {
    /// What it shows; nil until there is a view.
    public var view: (any View)?
    /// Makes a window, which isn't shown yet.
    public init(_ view: (any View)? = nil) { self.view = view }
}
