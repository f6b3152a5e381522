import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The screen, the keyboard and the main loop. The front window is the one that is shown, below a bar
/// with all titles.
@MainActor
public enum Screen {
    /// All windows, from the back to the front.
    public private(set) static var windows: [NativeWindow] = []
    /// What control keys do, by their letters.
    public static var menu: [Character: @MainActor () -> Void] = [:]
    /// Called when the user turns to a window.
    public static var didFocus: @MainActor (NativeWindow) -> Void = { _ in }
    /// Called when the user has closed a window, which is gone by then.
    public static var didClose: @MainActor (NativeWindow) -> Void = { _ in }

    /// Puts a window in front.
    public static func show(_ window: NativeWindow) {
        windows.removeAll { $0 === window }
        windows.append(window)
        setNeedsDisplay()
    }

    /// Takes a window away.
    public static func remove(_ window: NativeWindow) {
        windows.removeAll { $0 === window }
        setNeedsDisplay()
    }

    /// Ends the main loop, and the process.
    public static func end() -> Never {
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal)
        exit(0)
    }

    // MARK: The main loop

    private static var terminal = termios()
    private static var keyboard: (any DispatchSourceRead)?

    /// Runs the main loop, which first calls `begin`.
    public static func run(_ begin: @escaping @MainActor () -> Void) -> Never {
        tcgetattr(STDIN_FILENO, &terminal)
        var raw = terminal
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                begin()
                listen()
            }
        }
        dispatchMain()
    }

    private static func listen() {
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        source.setEventHandler {
            MainActor.assumeIsolated {
                var key: UInt8 = 0
                guard read(STDIN_FILENO, &key, 1) == 1 else {
                    end()
                }
                press(key)
                setNeedsDisplay()
            }
        }
        source.resume()
        keyboard = source
    }

    private static func press(_ key: UInt8) {
        switch key {
        case 9:  // Tab
            if let back = windows.first {
                show(back)
                didFocus(back)
            }
        case 23:  // Ctrl-W
            if let front = windows.popLast() {
                didClose(front)
                windows.last.map(didFocus)
            }
        case 1...26: menu[Character(UnicodeScalar(key + 96))]?()
        default: windows.last?.view?.press(Character(UnicodeScalar(key)))
        }
    }

    private static var needsDisplay = false

    /// Draws what the windows show, at the end of the main loop's turn.
    public static func setNeedsDisplay() {
        guard !needsDisplay else {
            return
        }
        needsDisplay = true
        DispatchQueue.main.async {
            MainActor.assumeIsolated { draw() }
        }
    }

    private static func draw() {
        needsDisplay = false
        let bar = windows.map { window in
            let title = window.view?.title ?? ""
            return window === windows.last ? "[\(title)]" : " \(title) "
        }
        let picture = bar.joined() + "\r\n" + (windows.last?.view?.body ?? "")
        let frame = Array("\u{1B}[2J\u{1B}[H\(picture)\u{1B}[K\u{7}".utf8)
        _ = write(STDOUT_FILENO, frame, frame.count)
    }
}
