import SceneStore
import SceneStoreSQLite
import Testing

@testable import SceneStoreInstance

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Real processes, which wait for each other by pipes.
@Suite("Several processes of one app")
struct ProcessTests {
    private let scratch: Scratch
    private static let starts = 10

    init() throws {
        scratch = try Scratch()
    }

    @Test("L-77 of ten simultaneous starts one owns, and every payload is handed over once")
    func tenStarts() async throws {
        let folder = scratch.path
        await withTaskGroup { group in
            for number in 0..<Self.starts {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [folder = folder as String, number = number as Int] in
                        try await startOneOfTen(in: folder, number)
                    }
                }
            }
        }
        let roles = lines(of: folder + "roles")
        #expect(roles.filter { $0 == "owner" }.count == 1)
        #expect(roles.filter { $0 == "forwarded" }.count == Self.starts - 1)
        #expect(
            lines(of: folder + "links")
                == (0..<Self.starts).map { "notes://\($0)" }.sorted())
    }

    @Test(
        "L-77 what an owner had when it was killed its sender hands over, marked, once",
        arguments: [false, true])
    func killedOwner(persistsInbox: Bool) async throws {
        let folder = scratch.path
        try #require(NamedPipe.make(folder + "ready"))
        async let killed: Void = expectKilledOwner(in: folder, persistsInbox)
        let calls = try await onThread {
            NamedPipe.read(folder + "ready")
            return try startAfter(in: folder, persistsInbox)
        }
        await killed
        #expect(calls.filter { $0.hasSuffix("notes://1 redelivered") }.count == 1)
        #expect(calls.filter { $0.contains("notes://1") }.count == 1)
    }
}

private func expectKilledOwner(in folder: String, _ persistsInbox: Bool) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = folder as String, persistsInbox = persistsInbox as Bool] in
        try await ownUntilALinkComes(in: folder, persistsInbox)
    }
}

private func container(_ folder: String) -> SceneSessionStore.Location {
    .directory(folder + "container")
}

/// One of ten processes: the owner ends when it has seen all links.
@MainActor
private func startOneOfTen(in folder: String, _ number: Int) async throws {
    let (stream, links) = AsyncStream.makeStream(of: Void.self)
    let started = try SceneApplication.start(
        at: container(folder), forwarding: [link("notes://\(number)")], executor: .mainActor,
        timeLimit: day
    ) { store in
        let app = LinkApp { call in
            if let text = call.split(separator: " ").first(where: { $0.hasPrefix("notes://") }) {
                append(String(text), to: folder + "links")
                links.yield()
            }
        }
        return SceneApplication(
            store: store, delegate: app, options: LinkApp.options, scheduler: .manual)
    }
    switch started {
    case .running(let application):
        append("owner", to: folder + "roles")
        try application.launch()
        var seen = 0
        for await _ in stream {
            seen += 1
            if seen == 10 { break }
        }
        try application.quit()
        try application.store.close()
    case .forwarded(let receipts):
        let isTaken = receipts.count == 1 && receipts[0].session != nil
        append(isTaken ? "forwarded" : "lost", to: folder + "roles")
    }
}

/// An owner that dies in the callback of a link.
@MainActor
private func ownUntilALinkComes(in folder: String, _ persistsInbox: Bool) async throws {
    var options = LinkApp.options
    options.persistsInbox = persistsInbox
    let running = try RunningApp(container(folder), options: options) { call in
        if call.hasPrefix("warm") {
            kill(getpid(), SIGKILL)
        }
    }
    NamedPipe.write(folder + "ready")
    // Until it is killed.
    let (stream, never) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    withExtendedLifetime((running, never)) {}
}

/// A process that starts while the owner lives; answers what its own app was told.
private func startAfter(in folder: String, _ persistsInbox: Bool) throws -> [String] {
    var options = LinkApp.options
    options.persistsInbox = persistsInbox
    let app = LinkApp()
    let started = try SceneApplication.start(
        at: container(folder), forwarding: [link("notes://1")],
        executor: ApplicationExecutor { _ in }, timeLimit: day, isolation: nil
    ) { store in
        SceneApplication(store: store, delegate: app, options: options, scheduler: .manual)
    }
    guard case .running(let application) = started else {
        return ["the dead owner answered"]
    }
    try application.launch()
    try application.quit()
    try application.store.close()
    return app.calls
}
