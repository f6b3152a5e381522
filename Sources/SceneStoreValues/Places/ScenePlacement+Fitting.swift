extension ScenePlacement {
    /// How much of a title bar has to be seen to be got hold of, in units of the coordinates.
    private static let handle = (width: 64.0, height: 24.0)

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
        var best: (display: Display, shown: Double, distance: Double)?
        for display in displays {
            let shown = display.frame.sharedArea(with: frame)
            let distance = display.frame.distance(to: frame)
            if best.map({ shown > $0.shown || shown == $0.shown && distance < $0.distance }) ?? true
            {
                best = (display, shown, distance)
            }
        }
        return best?.display
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

    /// Whether so much of a title bar is in an area that the user can get hold of it.
    fileprivate static func showsHandle(
        _ bar: Display.Frame, in area: Display.Frame
    ) -> Bool {
        let shared = bar.overlap(with: area)
        return shared.width >= min(handle.width, bar.width)
            && shared.height >= min(handle.height, bar.height)
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

    fileprivate func showsHandle(of bar: Display.Frame) -> Bool {
        ScenePlacement.showsHandle(bar, in: self)
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
