import SceneStore

/// Closed stores that measurements take copies of, made when they are first asked for.
final class Origins {
    private let folder: BenchmarkFolder
    private var made: [Int: String] = [:]
    /// How many sessions of a large store have a state.
    let states: Int

    init(folder: BenchmarkFolder, states: Int) {
        self.folder = folder
        self.states = states
    }

    /// A store with so many open sessions, at least ten. The library makes it and its first ten,
    /// the floor the others, and the library has to find every row whole.
    func store(sessions: Int) throws -> String {
        if let known = made[sessions] {
            return known
        }
        let container = try LibrarySide.make(sessions: 10, in: folder)
        if sessions > 10 {
            let floor = try FloorSide(container: container)
            try floor.setDurable(false)
            try floor.fill(count: sessions - 10, states: min(states, sessions) - 10)
            try floor.close()
            try check(container, sessions: sessions)
        }
        made[sessions] = container
        return container
    }

    private func check(_ container: String, sessions: Int) throws {
        let store = try SceneSessionStore.open(
            at: .directory(container), options: LibrarySide.options)
        let found = try store.openRecords().count
        while try !store.verifyRows(budgetMilliseconds: 1_000) {}
        let findings = store.takeDiagnostics()
        try store.close()
        guard found == sessions, findings.isEmpty else {
            throw BenchmarkFailure(
                "the library finds \(found) sessions in the floor's store: "
                    + (findings.first?.message ?? "nothing else"))
        }
    }
}
