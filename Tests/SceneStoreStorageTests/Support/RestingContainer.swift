import SceneStore
import SceneStoreTestContainers
import Testing

/// A test of a store whose connection is closed while nothing is done.
protocol RestingContainer {
    var container: TestContainer { get }
}

extension RestingContainer {
    func open(
        _ change: (inout SceneSessionStore.Options) -> Void = { _ in }
    ) throws -> SceneSessionStore {
        try container.open {
            $0.closesWhenIdle = true
            change(&$0)
        }
    }

    /// A store at rest with one session, whose state has the number 1.
    func rested(
        _ change: (inout SceneSessionStore.Options) -> Void = { _ in }
    ) throws -> (store: SceneSessionStore, record: SessionRecord) {
        let store = try open(change)
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.rest()
        #expect(store.isAtRest)
        return (store, record)
    }
}

extension SceneSessionStore {
    /// An idle moment that is long enough for all that is to be done.
    func rest() throws {
        while try upkeep.perform(budgetMilliseconds: 60_000) {}
    }
}
