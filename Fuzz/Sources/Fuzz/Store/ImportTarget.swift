import SceneStore
import SceneStoreExchange
import SceneStoreTesting

extension FuzzTarget {
    /// An export that somebody else wrote, brought into an empty store.
    static let `import` = FuzzTarget(
        "import", maximumBytes: 16 << 10,
        line: TimeLine(baseNanoseconds: 1_000_000_000, nanosecondsPerByte: 200_000)
    ) { bytes in
        ImportChecks.run(Array(bytes))
    }
}

private enum ImportChecks {
    /// What an import does is what it said it would; and what is in the store then is exported,
    /// imported and exported again as the same bytes.
    static func run(_ bytes: [UInt8]) {
        let store = emptyStore()
        defer {
            try? store.close()
        }
        for merge in ImportMerge.allCases {
            let forecast = try? store.checkImport(bytes, merge: merge)
            let report = try? store.importing(bytes, merge: merge)
            if let report {
                require(
                    counts(report) == forecast.map(counts), "an import does what it said it would")
            }
        }
        guard let exported = try? store.export() else {
            return
        }
        let other = emptyStore()
        defer {
            try? other.close()
        }
        do {
            try other.importing(exported)
            require(try other.export() == exported, "an export comes back as it is")
        } catch {
            fatalError("broken promise: an export can be imported: \(error)")
        }
    }

    /// What a report counts. New identifiers are random, and the forecast has others.
    private static func counts(_ report: ImportReport) -> [Int] {
        [
            report.sessions, report.replaced, report.kept, report.renumbered.count, report.states,
            report.others, report.refused,
        ]
    }

    private static func emptyStore() -> SceneSessionStore {
        var options = SceneSessionStore.Options()
        options.clock = { VirtualClock.start }
        do {
            return try SceneSessionStore.open(at: .memory, options: options)
        } catch {
            fatalError("a store in memory can be opened: \(error)")
        }
    }
}
