import SceneStore
import SceneStoreBenchmarkFloor
import enum SceneStoreSQLite.ContainerName

/// `scenestore merge` of many small stores, as a process of its own, against a C program that reads
/// them and writes one table.
enum MergeBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        guard let command = try Programs().command else {
            return []
        }
        let count = context.isQuick ? 100 : 10_000
        let origin = try context.origins.store(sessions: 10)
        let fleet = try context.folder.makeFolder()
        var devices: [String] = []
        for number in 0..<count {
            devices.append(try context.folder.copyStore(of: origin, to: "\(fleet)/\(number)"))
        }
        let list = "\(fleet)/stores.txt"
        try Terminal.write(devices.joined(separator: "\n") + "\n", toFile: list)
        var runs = 0
        let times = try Interleaving.run(
            rounds: context.isQuick ? 3 : 1,
            [
                {
                    runs += 1
                    let output = "\(fleet)/merged-\(runs)"
                    let time = try Interleaving.time {
                        let outcome = try Child.run(
                            command, ["merge", "-o", output, "--list", list])
                        guard outcome?.status == 0 else {
                            throw BenchmarkFailure("merge: \(outcome?.errors ?? "no process")")
                        }
                    }
                    try context.folder.remove(output)
                    return [time]
                },
                {
                    let output = "\(fleet)/floor.sqlite"
                    let time = try Interleaving.time {
                        guard let merge = floor_merge_open(output) else {
                            throw BenchmarkFailure.floor
                        }
                        var sessions: Int64 = 0
                        for device in devices {
                            sessions += floor_merge_add(
                                merge, "\(device)/\(ContainerName.store)")
                        }
                        guard floor_merge_close(merge) == 1, sessions == Int64(count * 10) else {
                            throw BenchmarkFailure.floor
                        }
                    }
                    try context.folder.remove(output)
                    return [time]
                },
            ])
        try context.folder.remove(fleet)
        return [
            Measurement(
                "merge \(Decimals.text(Double(count))) stores of ten sessions", .seconds,
                times[0], floor: times[1],
                note: "the floor checks no row and writes states as they are")
        ]
    }
}
