import SceneStoreBenchmarkFloor

/// Runs several sides in turn, so that whatever else the machine does meets all of them.
enum Interleaving {
    /// One side: answers the nanoseconds of each action of a round.
    typealias Side = () throws -> [Double]

    /// The times of each side, by round. The side that begins changes with each round.
    ///
    /// A disk that is slow today ends it early, with three rounds at least.
    static func run(
        rounds: Int, seconds: Double = .infinity, _ sides: [Side]
    ) throws -> [[[Double]]] {
        var times = [[[Double]]](repeating: [], count: sides.count)
        let start = floor_now()
        for round in 0..<rounds {
            guard round < 3 || Double(floor_now() &- start) < seconds * 1e9 else {
                break
            }
            for offset in sides.indices {
                let index = (round + offset) % sides.count
                times[index].append(try sides[index]())
            }
        }
        return times
    }

    /// The nanoseconds that a body takes.
    @inline(__always)
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = floor_now()
        try body()
        return Double(floor_now() &- start)
    }
}
