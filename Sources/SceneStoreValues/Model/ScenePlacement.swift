/// A window's place on its display, in the host's coordinates.
///
/// ```swift
/// var placement = ScenePlacement(x: 40, y: 30, width: 800, height: 600)
/// placement.windowState = .maximized
/// placement.tabIndex = 1
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
    /// The place in the row of ``parent``'s tabs, from 0; nil if the window is not a tab.
    public var tabIndex: Int?
    /// Whether it is the tab that is seen.
    public var isSelectedTab: Bool

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

    /// Makes a placement. Without coordinates, it has only the window's size.
    public init(
        x: Double? = nil, y: Double? = nil, width: Double, height: Double,
        display: String? = nil, windowState: WindowState = .normal, workspace: String? = nil,
        stackingOrder: Int = 0, parent: SceneSession.ID? = nil,
        tabIndex: Int? = nil, isSelectedTab: Bool = false
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
        self.tabIndex = tabIndex
        self.isSelectedTab = isSelectedTab
    }
}

/// A screen, as the host reports it.
///
/// Frames are in the coordinates that the host uses for windows: points or pixels, growing to the
/// right and downwards, with any origin. A display to the left of the first one has negative
/// coordinates.
///
/// ```swift
/// let frame = Display.Frame(x: 0, y: 0, width: 2560, height: 1440)
/// let places = try application.setDisplays([Display("DP-1", frame: frame, scale: 2)])
/// ```
public struct Display: Hashable, Sendable {
    /// The display's name across connections: its connector, or better its maker and serial number.
    ///
    /// Only a hash of it is stored.
    public var identifier: String
    /// The complete area of the display.
    public var frame: Frame
    /// The area that panels and docks leave free.
    public var workArea: Frame
    /// Physical pixels in one unit of the coordinates, in each direction.
    public var scale: Double

    /// Makes a display. Without a work area, windows may use the complete frame.
    public init(_ identifier: String, frame: Frame, workArea: Frame? = nil, scale: Double = 1) {
        self.identifier = identifier
        self.frame = frame
        self.workArea = workArea ?? frame
        self.scale = scale
    }

    /// A rectangle.
    public struct Frame: Hashable, Sendable {
        /// The left edge.
        public var x: Double
        /// The top edge.
        public var y: Double
        /// The width.
        public var width: Double
        /// The height.
        public var height: Double

        /// Makes a rectangle.
        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }
}

extension ScenePlacement {
    /// How much of a title bar has to be seen to be got hold of, in units of the coordinates.
    fileprivate static let handle = (width: 64.0, height: 24.0)

    /// Returns the placement fitted to some displays (L-49).
    ///
    /// The window's display is the one that the placement names, or else the one that shows most of
    /// the window, or else the nearest. The window is at most as large as that display's work area.
    /// A window whose title bar can be reached on any display stays where it is; any other window
    /// is moved into the work area, to integral pixels. State, order, parent and tab are kept.
    /// Without a usable display nothing changes.
    public func fitted(to displays: [Display]) -> ScenePlacement {
        let usable = displays.filter { $0.workArea.isUsable && $0.frame.isUsable }
        guard let home = home(among: usable) else {
            return self
        }
        let area = home.workArea
        var fitted = self
        fitted.width = Self.length(width, atMost: area.width)
        fitted.height = Self.length(height, atMost: area.height)
        fitted.display = home.identifier
        guard let x, let y else {
            return fitted
        }
        let bar = Display.Frame(
            x: x, y: y, width: fitted.width, height: min(fitted.height, Self.handle.height))
        guard !usable.contains(where: { $0.workArea.showsHandle(of: bar) }) else {
            return fitted
        }
        let scale = home.scale.isFinite && home.scale > 0 ? home.scale : 1
        fitted.x = Self.place(x, fitted.width, from: area.x, area.width, scale)
        fitted.y = Self.place(y, fitted.height, from: area.y, area.height, scale)
        return fitted
    }

    /// The display that the window belongs to.
    private func home(among displays: [Display]) -> Display? {
        if let display,
            let named = displays.first(where: { $0.identifier.hasSameBytes(as: display) })
        {
            return named
        }
        guard let x, let y, x.isFinite, y.isFinite else {
            return displays.first
        }
        let frame = Display.Frame(x: x, y: y, width: width, height: height)
        let order = { (display: Display) in
            (-display.frame.sharedArea(with: frame), display.frame.distance(to: frame))
        }
        return displays.min { order($0) < order($1) }
    }

    private static func length(_ length: Double, atMost bound: Double) -> Double {
        length.isFinite && length > 0 ? min(length, bound) : bound
    }

    /// An edge that keeps a window within an area, on a whole pixel.
    private static func place(
        _ edge: Double, _ length: Double, from start: Double, _ room: Double, _ scale: Double
    ) -> Double {
        guard edge.isFinite else {
            return start
        }
        let inside = max(start, min(edge, start + room - length))
        return start + ((inside - start) * scale).rounded(.down) / scale
    }
}

extension Display.Frame {
    /// Whether a window can be on it.
    fileprivate var isUsable: Bool {
        x.isFinite && y.isFinite && width.isFinite && height.isFinite && width > 0 && height > 0
    }

    /// The width and height of what two rectangles share; 0 in a direction in which they share
    /// nothing.
    fileprivate func overlap(with other: Display.Frame) -> (width: Double, height: Double) {
        (
            max(0, min(x + width, other.x + other.width) - max(x, other.x)),
            max(0, min(y + height, other.y + other.height) - max(y, other.y))
        )
    }

    /// Whether so much of a title bar is in it that the user can get hold of it.
    fileprivate func showsHandle(of bar: Display.Frame) -> Bool {
        let shared = overlap(with: bar)
        return shared.width >= min(ScenePlacement.handle.width, bar.width)
            && shared.height >= min(ScenePlacement.handle.height, bar.height)
    }

    fileprivate func sharedArea(with other: Display.Frame) -> Double {
        let shared = overlap(with: other)
        return shared.width * shared.height
    }

    /// How far the middle of another rectangle is from this one, in both directions together.
    fileprivate func distance(to other: Display.Frame) -> Double {
        func outside(_ place: Double, _ start: Double, _ length: Double) -> Double {
            max(0, start - place, place - (start + length))
        }
        return outside(other.x + other.width / 2, x, width)
            + outside(other.y + other.height / 2, y, height)
    }
}

/// The stored form of a placement: a map in which only the size is never absent (L-45).
extension ScenePlacement {
    /// The value that is stored.
    package var storedValue: Value {
        var fields: ValueDictionary = ["width": .double(width), "height": .double(height)]
        fields["x"] = x.map { .double($0) }
        fields["y"] = y.map { .double($0) }
        fields["display"] = display.map { .string($0) }
        fields["state"] = windowState == .normal ? nil : .string(windowState.rawValue)
        fields["workspace"] = workspace.map { .string($0) }
        fields["order"] = stackingOrder == 0 ? nil : .integer(Int64(stackingOrder))
        fields["parent"] = parent.map { .string($0.rawValue) }
        fields["tab"] = tabIndex.map { .integer(Int64($0)) }
        fields["selected"] = tabIndex != nil && isSelectedTab ? .boolean(true) : nil
        return .dictionary(fields)
    }

    /// Makes a placement of what was stored; a window state of a newer version is ``normal``.
    ///
    /// Throws ``SceneStoreError/Code/malformedValue`` for anything else that is not as it should
    /// be.
    package init(storedValue: Value) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: "")
        func integer(_ key: String) throws(SceneStoreError) -> Int? {
            try fields.optional(key) { $0.integerValue.flatMap(Int.init(exactly:)) }
        }
        self.init(
            x: try fields.optional("x", \.doubleValue),
            y: try fields.optional("y", \.doubleValue),
            width: try fields.required("width", \.doubleValue),
            height: try fields.required("height", \.doubleValue),
            display: try fields.optional("display", \.stringValue),
            windowState: try fields.optional("state", \.stringValue)
                .flatMap(WindowState.init(rawValue:)) ?? .normal,
            workspace: try fields.optional("workspace", \.stringValue),
            stackingOrder: try integer("order") ?? 0,
            parent: try fields.optional("parent", \.stringValue).map { SceneSession.ID($0) },
            tabIndex: try integer("tab"))
        if tabIndex != nil {
            isSelectedTab = try fields.optional("selected", \.boolValue) ?? false
        }
    }
}

/// Where a window was, on each arrangement of displays that it was moved on (L-49).
///
/// Stored as one value: the fields of the placement that was reported last, and beside them what
/// earlier libraries skip.
package struct PlacementMemory: Hashable, Sendable {
    /// Where the user had the window last; nothing that was made to fit.
    package var placement: ScenePlacement
    /// Where it was on each arrangement, the one used last first; at most eight.
    package private(set) var arranged: [Arranged]

    /// Where a window was on one arrangement.
    package struct Arranged: Hashable, Sendable {
        package var arrangement: Int64
        package var placement: ScenePlacement
    }

    /// How many arrangements are remembered.
    package static let capacity = 8

    package init(_ placement: ScenePlacement, arranged: [Arranged] = []) {
        self.placement = placement
        self.arranged = Array(arranged.prefix(Self.capacity))
    }

    /// Where the window was on an arrangement.
    package func placement(on arrangement: Int64) -> ScenePlacement? {
        arranged.first { $0.arrangement == arrangement }?.placement
    }

    /// Remembers where the window is on an arrangement; a ninth takes the place of the one that was
    /// not used for longest.
    package mutating func remember(_ placement: ScenePlacement, on arrangement: Int64) {
        // Whose it is, is said once.
        var place = placement
        place.parent = nil
        place.tabIndex = nil
        place.isSelectedTab = false
        arranged.removeAll { $0.arrangement == arrangement }
        arranged.insert(Arranged(arrangement: arrangement, placement: place), at: 0)
        arranged = Array(arranged.prefix(Self.capacity))
    }
}

extension [Display] {
    /// Stands for the displays' identities and geometry, whatever their order; nil without any.
    package var arrangement: Int64? {
        guard !isEmpty else {
            return nil
        }
        let texts = map { display in
            let frame = display.frame
            return "\(display.identifier)\u{0}\(frame.x) \(frame.y) \(frame.width) \(frame.height)"
                + " \(display.scale)"
        }
        var hash = ContentHash()
        for text in texts.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            hash.update([UInt8]((text + "\u{0}").utf8))
        }
        return Int64(bitPattern: hash.value)
    }
}

extension PlacementMemory {
    /// The value that is stored.
    package var storedValue: Value {
        guard !arranged.isEmpty, case .dictionary(var fields) = placement.storedValue else {
            return placement.storedValue
        }
        fields["arrangements"] = .array(
            arranged.map {
                .array([.integer($0.arrangement), $0.placement.storedValue])
            })
        return .dictionary(fields)
    }

    /// Makes a memory of what was stored; throws as ``ScenePlacement/init(storedValue:)`` does.
    package init(storedValue: Value) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: "")
        let arranged = try fields.elements("arrangements") { value, path throws(SceneStoreError) in
            guard case .array(let pair) = value, pair.count == 2,
                let arrangement = pair[0].integerValue
            else {
                throw StoredFields.malformed(path)
            }
            return Arranged(
                arrangement: arrangement, placement: try ScenePlacement(storedValue: pair[1]))
        }
        self.init(try ScenePlacement(storedValue: storedValue), arranged: arranged)
    }
}

extension ValueCodec {
    /// The bytes of a window's placements.
    package static func encode(
        _ memory: PlacementMemory, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encode(memory.storedValue, limits: limits, path: "placement")
    }

    /// The placements that bytes stand for.
    package static func decodePlacement(
        _ bytes: [UInt8]
    ) throws(SceneStoreError) -> PlacementMemory {
        try PlacementMemory(storedValue: decode(bytes))
    }
}
