import Foundation
import SceneStore
import SceneStoreExchange

/// What the scripts in Scripts/recipes need of a server and of a fleet.
///
///     Recipes serve DIR USERS REQUESTS      a server's day: open, use, close
///     Recipes hold DIR -- COMMAND…          runs a command while all stores of DIR are held closed
///     Recipes show DIR                      what each user's window shows
///     Recipes fleet DIR COUNT               COUNT stores with three windows each
///     Recipes lines DIR                     each store's sessions: its name, a byte 2, JSON
///     Recipes keep DIR NAME TEXT MS         saves an activity of a name, at a time
///     Recipes activities DIR                the saved activities
@main
struct Recipes {
    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        let command = arguments.popFirst() ?? ""
        do {
            guard let folder = arguments.popFirst() else {
                throw Usage()
            }
            switch command {
            case "serve":
                guard let users = arguments.popFirst().flatMap({ Int($0) }), users > 0,
                    let requests = arguments.popFirst().flatMap({ Int($0) })
                else {
                    throw Usage()
                }
                try await serve(folder, users: users, requests: requests)
            case "hold":
                guard arguments.popFirst() == "--", !arguments.isEmpty else {
                    throw Usage()
                }
                exit(try hold(folder, Array(arguments)))
            case "show": try show(folder)
            case "fleet":
                guard let count = arguments.popFirst().flatMap({ Int($0) }) else {
                    throw Usage()
                }
                try makeFleet(folder, count: count)
            case "lines": try writeLines(folder)
            case "keep":
                guard arguments.count == 3, let name = arguments.popFirst(),
                    let text = arguments.popFirst(),
                    let time = arguments.popFirst().flatMap({ Int64($0) })
                else {
                    throw Usage()
                }
                try keep(folder, name, text, time)
            case "activities": try showActivities(folder)
            default: throw Usage()
            }
        } catch is Usage {
            print("usage: Recipes serve|hold|show|fleet DIR …")
            exit(2)
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    struct Usage: Error {}

    // MARK: A server

    /// Requests from many users at once, over four pools of four open stores each.
    private static func serve(_ folder: String, users: Int, requests: Int) async throws {
        let pools = (0..<4).map { _ in StorePool(folder: folder, capacity: 4) }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in pools.indices {
                let pool = pools[lane]
                group.addTask {
                    // A fixed sequence, so that what a user has counted can be told beforehand.
                    for request in 0..<requests where (request * 7) % users % 4 == lane {
                        _ = try await pool.count(for: name((request * 7) % users))
                    }
                    try await pool.closeAll()
                }
            }
            try await group.waitForAll()
        }
        var openings = 0
        for pool in pools {
            openings += await pool.openings
        }
        print(
            "\(requests) requests of \(users) users, \(openings) openings, \(milliseconds(start)) ms"
        )
    }

    /// The names of users sort as their numbers do.
    private static func name(_ number: Int) -> String {
        "user-" + String(String(number + 100_000).dropFirst())
    }

    private static func milliseconds(_ start: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    private static func containers(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .map { "\(folder)/\($0)" }
            .filter { FileManager.default.fileExists(atPath: "\($0)/scenes.sqlite") }
    }

    /// Runs a command that reads the stores as files, while nobody can open one.
    private static func hold(_ folder: String, _ command: [String]) throws -> Int32 {
        try hold(try containers(folder)[...], command)
    }

    private static func hold(_ rest: ArraySlice<String>, _ command: [String]) throws -> Int32 {
        guard let next = rest.first else {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        let container = try ClosedContainer.hold(next)
        let status = try hold(rest.dropFirst(), command)
        try container.release()
        return status
    }

    private static func show(_ folder: String) throws {
        for container in try containers(folder) {
            var options = SceneSessionStore.Options()
            options.access = .owner
            let store = try SceneSessionStore.open(at: .directory(container), options: options)
            let application = SceneApplication(store: store, delegate: CounterApp())
            try application.launch()
            let counts = application.connectedScenes.compactMap { $0.delegate as? CounterScene }
                .map(\.count)
            print("\(URL(filePath: container).lastPathComponent) \(counts)")
            try application.quit()
        }
    }

    // MARK: A fleet

    /// Stores of many devices, each with three windows and states of some hundred bytes.
    private static func makeFleet(_ folder: String, count: Int) throws {
        let start = ContinuousClock.now
        for number in 0..<count {
            let store = try SceneSessionStore.open(at: .directory("\(folder)/\(name(number))"))
            var options = SceneApplicationOptions.desktop(.window("Counter"))
            options.durability = .normal
            let application = SceneApplication(
                store: store, delegate: CounterApp(), options: options)
            try application.launch()
            for _ in 0..<2 {
                application.requestSceneSessionActivation(.init())
            }
            for (index, scene) in application.connectedScenes.enumerated() {
                let counter = scene.delegate as? CounterScene
                counter?.count = number * 10 + index
                counter?.text = String(
                    repeating: "line \(number).\(index)\t\"quoted\" \\n ", count: 12)
            }
            try application.quit()
        }
        print("\(count) stores made, \(milliseconds(start)) ms")
    }

    /// What `scenestore export` writes of each store, in one process for all of them.
    private static func writeLines(_ folder: String) throws {
        var options = SceneSessionStore.Options()
        options.access = .reader
        for container in try containers(folder) {
            let store = try SceneSessionStore.open(at: .directory(container), options: options)
            let name = URL(filePath: container).lastPathComponent
            var output = Data()
            for line in try store.export().split(separator: 0x0A).dropFirst()
            where String(decoding: line, as: UTF8.self).contains("\"kind\":\"session\"") {
                output += Data("\(name)\u{2}".utf8) + line + [0x0A]
            }
            try FileHandle.standardOutput.write(contentsOf: output)
            try store.close()
        }
    }

    // MARK: A user's device

    private static func keep(
        _ folder: String, _ name: String, _ text: String, _ time: Int64
    ) throws {
        var options = SceneSessionStore.Options()
        options.clock = { time }
        let store = try SceneSessionStore.open(at: .directory(folder), options: options)
        var activity = try UserActivity(
            activityType: "com.example.read", userInfo: ["text": .string(text)])
        activity.persistentIdentifier = name
        try store.saveActivity(activity)
        try store.close()
    }

    private static func showActivities(_ folder: String) throws {
        let store = try SceneSessionStore.open(at: .directory(folder))
        for activity in try store.savedActivities() {
            print(
                activity.persistentIdentifier ?? "-",
                activity.userInfo["text"]?.stringValue ?? "-")
        }
        try store.close()
    }
}
