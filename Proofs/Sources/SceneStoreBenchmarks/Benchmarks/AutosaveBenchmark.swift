import SceneStore
import SceneStoreBenchmarkFloor
import SceneStoreTesting

/// A window that says ten thousand times a second, for ten seconds of its clock, that its state has
/// changed: what each call costs, and how often that is written.
enum AutosaveBenchmark {
    private static let changes = 100_000

    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let device = try SimulatedDevice(
            manifest: .windows("Editor"), storage: .directory(try context.folder.makeFolder()))
        let app = NumberedApp()
        let application = try device.launch { app }
        guard let scene = application.connectedScenes.first else {
            throw BenchmarkFailure("the app has no window")
        }
        let transactions = application.store.counters.transactions
        var times: [[Double]] = []
        var done = 0
        for _ in 0..<10 {
            let time = Interleaving.time {
                for number in 0..<changes / 10 {
                    app.serial += 1
                    scene.setNeedsSave()
                    // Ten changes in each millisecond.
                    if number % 10 == 9 {
                        device.wait(milliseconds: 1)
                    }
                }
            }
            done += changes / 10
            times.append([time / Double(changes / 10)])
        }
        let saves = application.store.counters.transactions - transactions
        device.kill()
        guard done == changes else {
            throw BenchmarkFailure("changes are missing")
        }
        let change = Measurement(
            "one change, saves and the device's clock included", .nanoseconds,
            Summary(rounds: times))
        // One at least every two seconds, and no more.
        var count = Measurement(
            "saves in ten seconds of 10 000 changes each", .count, exactly: Double(saves))
        count.target = .atMost(6)
        count.gate = .target
        return [change, count]
    }
}
