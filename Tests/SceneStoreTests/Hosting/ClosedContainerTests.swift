import SceneStoreExchange
import SceneStoreTesting
import Testing

import SceneStore

@Suite("A closed container")
struct ClosedContainerTests {
    private func withContainer(_ work: (String) throws -> Void) throws {
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        try work(container)
    }

    private func open(_ container: String) throws -> SceneSessionStore {
        try SceneSessionStore.open(at: .directory(container))
    }

    @Test("S-30 a closed container that is held can't be opened, and can be afterwards")
    func holding() throws {
        try withContainer { path in
            try open(path).close()
            func replicate(_ file: String) throws {
                #expect(file == path + "/scenes.sqlite")
                #expect(throws: SceneStoreError(.owned, "")) { try open(path) }
            }
            // snippet: closed-container
            let container = try ClosedContainer.hold(path)
            // Run `litestream replicate`: until the release no process can open the store.
            try replicate(container.storePath)
            try container.release()
            // end
            let store = try open(path)
            #expect(throws: SceneStoreError(.owned, "")) {
                try ClosedContainer.hold(path).release()
            }
            try store.close()
        }
    }

    @Test("S-30 a store that nobody closed is refused, and its owner's death stays known")
    func unclosed() throws {
        try withContainer { path in
            let store = try open(path)
            store.abandon()
            for _ in 1...2 {
                #expect(throws: SceneStoreError(.notClosed, "")) {
                    try ClosedContainer.hold(path).release()
                }
            }
            try open(path).close()
            try ClosedContainer.hold(path).release()
        }
    }

    @Test("S-10 without a store there is nothing to hold")
    func missing() throws {
        try withContainer { path in
            #expect(throws: SceneStoreError(.missing, "")) {
                try ClosedContainer.hold(path).release()
            }
        }
    }
}
