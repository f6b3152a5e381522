import SceneStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a launch differs from the usual one, as the command line says.
struct LaunchArguments {
    /// `--safe`: no window comes back; the user sees which there are.
    let isSafe: Bool
    /// `--tray`: no window comes back by itself; a click on the icon in the tray asks for them.
    let isTray: Bool
    /// `--first COUNT`: only the windows that were used last come back.
    private let first: Int?
    /// `--editor NAME` and `--renamed OLD` play an update that gives the editor's configuration another
    /// name.
    let editorName: String
    private let renamed: String?
    /// `--crash-at NAME` plays a bug: the process dies when it makes the note's window.
    private let crashing: String?

    init(taking arguments: inout [String]) {
        func take(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
                return nil
            }
            defer { arguments.removeSubrange(index...(index + 1)) }
            return arguments[index + 1]
        }
        isSafe = arguments.contains("--safe")
        arguments.removeAll { $0 == "--safe" }
        isTray = arguments.contains("--tray")
        arguments.removeAll { $0 == "--tray" }
        first = take("--first").flatMap { Int($0) }
        editorName = take("--editor") ?? "Editor"
        renamed = take("--renamed")
        crashing = take("--crash-at")
    }

    func apply(to options: inout SceneApplicationOptions) {
        if isSafe {
            options.launchBehavior = .safe
            options.showsListWhenSafe = true
        }
        if isTray {
            options.launchBehavior = .none
        }
        if let first {
            options.reconnection = .first(first)
        }
        if let renamed {
            options.configurationRenames = [renamed: editorName]
        }
    }

    func playCrash(making session: SceneSession) {
        if let crashing, session.title == crashing {
            kill(getpid(), SIGKILL)
        }
    }
}
