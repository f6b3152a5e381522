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
