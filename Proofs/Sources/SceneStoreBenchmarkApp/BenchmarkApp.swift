#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStore

/// The least app there can be: it opens a container, launches, takes its windows' states and quits.
/// The benchmarks start it and hold it against a process in C.
///
///     SceneStoreBenchmarkApp DIRECTORY front|first|all
///
/// `front` connects the windows that were in front, `first` one of them alone, `all` every window.
///
/// On standard error it says when the first window and when all were connected, in nanoseconds of
/// the monotonic clock, how many, the sum of the numbers in their states, and the bytes that it
/// read and held.
@main
enum BenchmarkApp {
    static func main() {
        guard CommandLine.arguments.count == 3 else {
            exit(2)
        }
        do {
            try run(CommandLine.arguments[1], reconnecting: CommandLine.arguments[2])
        } catch {
            write("failed: \(error.message)\n")
            exit(1)
        }
    }

    private static func run(
        _ directory: String, reconnecting mode: String
    ) throws(SceneStoreError) {
        let store = try SceneSessionStore.open(at: .directory(directory))
        var options = SceneApplicationOptions(manifest: manifest)
        options.reconnection =
            switch mode {
            case "all": .all
            case "first": .first(1)
            default: .foreground
            }
        let windows = Windows()
        let application = SceneApplication(
            store: store, delegate: windows, options: options, scheduler: .manual)
        try application.launch()
        let all = now()
        let scenes = application.connectedScenes.count
        try application.quit()
        write(
            "first=\(windows.first) all=\(all) scenes=\(scenes) sum=\(windows.sum) "
                + "read=\(bytesRead) peak=\(peak)\n")
    }

    /// What the app's `Info.plist` would say: without it an app has one window.
    private static var manifest: SceneManifest {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        manifest.configurations[.windowApplication] = [
            SceneConfiguration(name: "Editor", role: .windowApplication)
        ]
        return manifest
    }

    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Bytes read from files, those of the loader too; -1 where nobody counts.
    private static var bytesRead: Int { number("rchar:", in: "/proc/self/io") }

    /// The most memory that the process had, in bytes.
    private static var peak: Int { number("VmHWM:", in: "/proc/self/status") << 10 }

    /// The number behind a word in a file of the system.
    private static func number(_ word: Substring, in path: String) -> Int {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return -1
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        let words = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
            .split { $0 == " " || $0 == "\t" || $0 == "\n" }
        guard let place = words.firstIndex(of: word), place + 1 < words.count else {
            return -1
        }
        return Int(words[place + 1]) ?? -1
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        #if canImport(Darwin)
            _ = Darwin.write(2, bytes, bytes.count)
        #elseif canImport(Glibc)
            _ = Glibc.write(2, bytes, bytes.count)
        #else
            _ = Musl.write(2, bytes, bytes.count)
        #endif
    }
}

/// The windows: each takes the number out of its state.
final class Windows: SceneConfigurationProvider {
    var first: UInt64 = 0
    var sum: Int64 = 0

    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        SceneConfiguration(name: "Editor", role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        Window(self)
    }
}

/// One window.
final class Window: StateRestoringSceneDelegate {
    private let windows: Windows

    init(_ windows: Windows) {
        self.windows = windows
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        windows.sum &+= activity.userInfo["serial"]?.integerValue ?? 0
        if windows.first == 0 {
            windows.first = BenchmarkApp.now()
        }
    }

    /// What is remembered stays.
    func stateRestorationActivity(for scene: Scene) -> UserActivity? { nil }

    func shouldSaveState(of scene: Scene) -> Bool { false }
}
