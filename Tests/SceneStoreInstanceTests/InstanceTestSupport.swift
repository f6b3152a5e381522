import SceneStore
import SceneStoreSQLite
import SceneStoreTesting
import Testing

@testable import SceneStoreInstance

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that goes with the value.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = try TemporaryDirectory.make()
    }

    deinit {
        TemporaryDirectory.remove(path)
    }

    func file(_ name: String) -> String { path + name }

    func container(_ name: String = "container") throws -> ContainerFolder {
        try ContainerFolder.open(file(name), access: .owner, createsMissing: true)
    }
}

/// A day, for what has to have a limit: tests wait for an answer, however busy the machine is.
let day = 86_400_000

/// Does work that waits, on a thread of its own: the few that Swift's actors share stay free.
func onThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try System.startThread {
                continuation.resume(with: Swift.Result(catching: work))
            }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// Pipes with names, by which processes of a test wait for each other.
enum NamedPipe {
    static func make(_ path: String) -> Bool { mkfifo(path, 0o600) == 0 }

    /// Waits for a reader.
    static func write(_ path: String) {
        let file = open(path, O_WRONLY)
        _ = [UInt8(1)].withUnsafeBytes { writeBytes(file, $0.baseAddress, 1) }
        close(file)
    }

    /// Waits for a writer, and for what it writes.
    static func read(_ path: String) {
        let file = open(path, O_RDONLY)
        var byte: UInt8 = 0
        _ = withUnsafeMutableBytes(of: &byte) { readBytes(file, $0.baseAddress, 1) }
        close(file)
    }
}

/// A line of a file that several processes write.
func append(_ line: String, to path: String) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { writeBytes(file, $0.baseAddress, bytes.count) }
    close(file)
}

/// The lines of a file, sorted.
func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    while true {
        let count = fread(&block, 1, block.count, file)
        if count == 0 { break }
        bytes += block.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
}

func link(_ text: String) -> Payload { .urls([OpenURLContext(url: text)]) }

/// An app that tells which links it gets, and how.
final class LinkApp: SceneApplicationDelegate, SceneDelegate {
    var calls: [String] = []
    var tell: (String) -> Void

    init(_ tell: @escaping (String) -> Void = { _ in }) {
        self.tell = tell
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        self
    }

    private func note(_ call: String) {
        calls.append(call)
        tell(call)
    }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        let mark = options.isRedelivered ? " redelivered" : ""
        note("connect \(session.persistentIdentifier)")
        for context in options.urlContexts {
            note("cold \(context.url)\(mark)")
        }
    }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        for context in contexts {
            note("warm \(context.url)")
        }
    }

    func sceneDidBecomeActive(_ scene: Scene) {
        note("active \(scene.session.persistentIdentifier)")
    }

    /// What launches the app rides on the connection, which says whether it may have been seen.
    static var options: SceneApplicationOptions {
        var options = SceneApplicationOptions.desktop(.window("Document"))
        options.delivery = .uikit
        return options
    }
}

/// An app that runs on the main actor of this process.
@MainActor
final class RunningApp {
    let app: LinkApp
    let application: SceneApplication

    init(
        _ location: SceneSessionStore.Location, _ payloads: [Payload] = [],
        options: SceneApplicationOptions = LinkApp.options,
        tell: @escaping (String) -> Void = { _ in },
        onRequest: @escaping (StartRequest) -> Void = { _ in }
    ) throws {
        let app = LinkApp(tell)
        let started = try SceneApplication.start(
            at: location, forwarding: payloads, onRequest: onRequest, executor: .mainActor,
            timeLimit: day
        ) { store in
            SceneApplication(store: store, delegate: app, options: options, scheduler: .manual)
        }
        guard case .running(let application) = started else {
            throw SceneStoreError(.owned, "another process runs")
        }
        self.app = app
        self.application = application
        try application.launch()
    }

    func end() throws {
        try application.quit()
        try application.store.close()
    }
}

private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, bytes, count)
}

private func readBytes(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, bytes, count)
}
