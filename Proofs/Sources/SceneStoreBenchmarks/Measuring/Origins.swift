import SceneStore
import SceneStoreBenchmarkFloor

/// Closed stores that measurements take copies of, made when they are first asked for.
final class Origins {
    private let folder: BenchmarkFolder
    private var made: [Key: String] = [:]
    /// How many sessions of a large store have a state.
    let states: Int

    private struct Key: Hashable {
        var sessions: Int
        var stateBytes: Int
    }

    init(folder: BenchmarkFolder, states: Int) {
        self.folder = folder
        self.states = states
    }

    /// A store with so many open sessions. The library makes it and its first ten, the floor the
    /// others, with states of about so many bytes, and the library has to find every row whole.
    func store(sessions: Int, stateBytes: Int = 2_000) throws -> String {
        let key = Key(sessions: sessions, stateBytes: stateBytes)
        if let known = made[key] {
            return known
        }
        let container = try LibrarySide.make(sessions: min(sessions, 10), in: folder)
        if sessions > 10 {
            let floor = try FloorSide(container: container)
            try floor.setDurable(false)
            try floor.fill(
                count: sessions - 10, states: min(states, sessions) - 10, stateBytes: stateBytes)
            try floor.close()
            try check(container, sessions: sessions)
        }
        made[key] = container
        return container
    }

    private func check(_ container: String, sessions: Int) throws {
        let store = try SceneSessionStore.open(
            at: .directory(container), options: LibrarySide.options)
        let found = try store.openRecords().count
        while try !store.upkeep.verifyRows(budgetMilliseconds: 1_000) {}
        let findings = store.takeDiagnostics()
        try store.close()
        guard found == sessions, findings.isEmpty else {
            throw BenchmarkFailure(
                "the library finds \(found) sessions in the floor's store: "
                    + (findings.first?.message ?? "nothing else"))
        }
    }
}
