import Dispatch
import SceneStore
import SceneStoreTestContainers
import SceneStoreSQLite
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc

    @Suite("Threads")
    struct ThreadTests {
        @Test("S-20 four threads that save at once save everything")
        func saving() throws {
            let store = try SceneSessionStore.memory()
            let records = try (0..<4).map { try store.add("\($0)") }
            let saves = 500
            let shared = Shared(store)
            let workers = DispatchGroup()
            for record in records {
                workers.enter()
                DispatchQueue.global().async {
                    defer { workers.leave() }
                    for number in 0..<saves {
                        do {
                            _ = try shared.store.save(
                                [
                                    StateToSave(
                                        key: record.key, activity: activity(number, bytes: 300))
                                ],
                                context: SaveContext(savedAt: 0), durability: .normal)
                        } catch {
                            shared.failures.withLock { $0 += 1 }
                        }
                    }
                }
            }
            workers.wait()
            #expect(shared.failures.withLock(\.self) == 0)
            #expect(store.counters.statesWritten == 4 * saves)
            let last = activity(saves - 1, bytes: 300)
            for record in records {
                #expect(try store.session(for: record).stateRestorationActivity == last)
            }
        }

        @Test("R-08 a forked child is refused at once, also while a thread is in the store")
        func forking() async {
            await #expect(processExitsWith: .success) {
                let store = try SceneSessionStore.memory()
                let record = try store.add("A")
                let shared = Shared(store)
                let inside = DispatchSemaphore(value: 0)
                let leaving = DispatchSemaphore(value: 0)
                let left = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    try? shared.store.read { _ in
                        inside.signal()
                        leaving.wait()
                    }
                    left.signal()
                }
                inside.wait()
                let result = inForkedChild {
                    // One that waits is ended.
                    var signals = sigset_t()
                    sigemptyset(&signals)
                    sigaddset(&signals, SIGALRM)
                    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                    alarm(20)
                    return failure { try store.save(record, activity(1)) } == .forked ? 0 : 1
                }
                #expect(result == 0)
                leaving.signal()
                left.wait()
                try store.save(record, activity(2))
            }
        }

        private final class Shared: Sendable {
            let store: SceneSessionStore
            let failures = Mutex(0)

            init(_ store: SceneSessionStore) {
                self.store = store
            }
        }
    }
#endif
