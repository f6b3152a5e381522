import SceneStore

/// What becomes of one window beside many: each event costs what it costs beside ten.
enum WindowsBenchmark {
    private static let events: [(name: String, kind: ProbeKind)] = [
        ("closing one", .close), ("a link", .link), ("a link to a named one", .linkTo),
        ("a new one", .newWindow), ("leaving the front", .leave),
        ("connecting one more of those that wait", .connectNext),
    ]

    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        try events.flatMap { event in
            let ten = try times(event.kind, beside: 10, context)
            return try (context.isQuick ? [100, 1_000] : [100, 1_000, 10_000]).map { count in
                let name = "\(event.name), with \(Decimals.text(Double(count))) windows to ten"
                return Measurement(
                    name, .microseconds, try times(event.kind, beside: count, context), floor: ten,
                    target: 1.2)
            }
        }
    }

    /// Four events in each of several apps; the first one compiles the statements.
    private static func times(
        _ kind: ProbeKind, beside count: Int, _ context: BenchmarkContext
    ) throws -> [[Double]] {
        try (0..<5).map { _ in
            let app = try ManyWindows(for: kind, count, context.folder)
            try app.act(kind)
            let times = try (0..<4).map { _ in try Interleaving.time { try app.act(kind) } }
            try app.end()
            return times
        }
    }
}
