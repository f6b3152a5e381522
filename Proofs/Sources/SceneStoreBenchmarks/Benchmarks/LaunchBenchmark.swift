import SceneStore
import SceneStoreEngine
import SceneStoreTesting

/// An app of three windows, launched a thousand times: windows move, states are saved, and two of
/// three processes are killed. Every launch has to bring back what was saved last.
enum LaunchBenchmark {
    private static let launches = 1_000

    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let rounds = context.isQuick ? 1 : 3
        return try [("in memory", true), ("on files", false)].map { place, isInMemory in
            let times = try (0..<rounds).map { _ in
                let storage: SimulatedDevice.Storage =
                    isInMemory ? .memory : .directory(try context.folder.makeFolder())
                return [try Interleaving.time { try launchAgainAndAgain(storage) }]
            }
            var result = Measurement(
                "\(Decimals.text(Double(launches))) launches \(place)", .seconds,
                Summary(rounds: times))
            // Files wait for the disk, which is not the library's.
            if isInMemory {
                result.target = .atMost(2)
            }
            return result
        }
    }

    private static func launchAgainAndAgain(_ storage: SimulatedDevice.Storage) throws {
        let device = try SimulatedDevice(manifest: .windows("Editor"), storage: storage)
        device.options.reconnection = .all
        let app = NumberedApp()
        for number in 0..<launches {
            app.restored = [:]
            let application = try device.launch { app }
            if number == 0 {
                for _ in 0..<2 {
                    application.requestSceneSessionActivation(
                        SceneSessionActivationRequest(role: .windowApplication))
                }
            }
            let scenes = application.connectedScenes.map(\.session.persistentIdentifier)
            guard scenes.count == 3, app.restored == app.saved else {
                throw BenchmarkFailure(
                    "launch \(number): \(scenes.count) scenes, \(app.restored.count) states")
            }
            app.serial = number + 1
            try device.moveToForeground()
            try device.moveToBackground()
            if number % 3 == 2 {
                try device.quit()
            } else {
                device.kill()
            }
            device.wait(milliseconds: 60_000)
        }
        device.kill()
    }
}
