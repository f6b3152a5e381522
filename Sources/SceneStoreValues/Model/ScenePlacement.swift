/// A window's place on its display, in the host's coordinates.
///
/// ```swift
/// var placement = ScenePlacement(x: 40, y: 30, width: 800, height: 600)
/// placement.windowState = .maximized
/// placement.tab = ScenePlacement.Tab(index: 1)
/// try scene.setPlacement(placement)
/// ```
public struct ScenePlacement: Hashable, Sendable {
    /// The left edge; nil where the toolkit doesn't know, as on Wayland. What is stored stays then.
    public var x: Double?
    /// The top edge; nil where the toolkit doesn't know.
    public var y: Double?
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double
    /// The ``Display/identifier`` of the display that shows most of the window.
    public var display: String?
    /// Whether the window is normal, minimised, maximised or full screen.
    public var windowState: WindowState
    /// The workspace of the desktop that the window is on, in the host's words; nil where the host
    /// tells none. It is handed back as it is.
    public var workspace: String?
    /// The place in the stack of windows, 0 in front.
    public var stackingOrder: Int
    /// The window that this one belongs to, for example the window of an inspector, a dialog or a
    /// tab.
    ///
    /// This window comes back with it, after it.
    public var parent: SceneSession.ID?
    /// The place among the tabs of ``parent``; nil if the window is not a tab.
    public var tab: Tab?

    /// The ways in which a window fills its display.
    public enum WindowState: String, Hashable, Sendable {
        /// At its own size.
        case normal
        /// Out of sight.
        case minimized
        /// Filling the work area.
        case maximized
        /// Filling the display.
        case fullScreen = "full-screen"
    }

    /// A window that is shown as one tab of another.
    public struct Tab: Hashable, Sendable {
        /// The place in the row of tabs, from 0.
        public var index: Int
        /// Whether it is the tab that is seen.
        public var isSelected: Bool

        /// Makes a tab.
        public init(index: Int, isSelected: Bool = false) {
            self.index = index
            self.isSelected = isSelected
        }
    }

    /// Makes a placement. Without coordinates, it has only the window's size.
    public init(
        x: Double? = nil, y: Double? = nil, width: Double, height: Double,
        display: String? = nil, windowState: WindowState = .normal, workspace: String? = nil,
        stackingOrder: Int = 0, parent: SceneSession.ID? = nil, tab: Tab? = nil
    ) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.display = display
        self.windowState = windowState
        self.workspace = workspace
        self.stackingOrder = stackingOrder
        self.parent = parent
        self.tab = tab
    }
}
