import Synchronization
import Testing

import SceneStore

#if canImport(Glibc)
    import Glibc

    @Suite("Threads")
    struct ThreadTests {
        /// A body on a thread of its own.
        private final class Worker {
            private var id = pthread_t()

            init(_ body: @escaping @Sendable () -> Void) {
                let context = Unmanaged.passRetained(Work(body)).toOpaque()
                pthread_create(&id, nil, Self.main, context)
            }

            func join() {
                pthread_join(id, nil)
            }

            private final class Work {
                let body: @Sendable () -> Void
                init(_ body: @escaping @Sendable () -> Void) {
                    self.body = body
                }
            }

            private static let main:
                @convention(c) (UnsafeMutableRawPointer?) ->
                    UnsafeMutableRawPointer? = { context in
                        if let context {
                            Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                        }
                        return nil
                    }
        }

        /// How often this thread gave the processor away by itself.
        private static var waits: Int {
            var usage = rusage()
            // RUSAGE_THREAD of this thread alone, which the header hides.
            getrusage(1, &usage)
            return usage.ru_nvcsw
        }

        @Test("S-20 four threads that save at once wait for each other less than once in two saves")
        func saving() throws {
            let store = try SceneSessionStore.memory()
            let keys = try (0..<4).map { try store.add("\($0)").key }
            let saves = 500
            let shared = Shared(store)
            let workers = keys.map { key in
                Worker {
                    let activities = (0..<saves).map { activity($0, bytes: 300) }
                    let before = Self.waits
                    var failures = 0
                    for activity in activities {
                        do {
                            _ = try shared.store.save(
                                [StateToSave(key: key, activity: activity)],
                                context: SaveContext(savedAt: 0), durability: .normal)
                        } catch {
                            failures += 1
                        }
                    }
                    let waits = Self.waits - before
                    shared.counted.withLock {
                        $0 = ($0.waits + waits, $0.failures + failures)
                    }
                }
            }
            workers.forEach { $0.join() }
            let (waits, failures) = shared.counted.withLock { $0 }
            #expect(failures == 0)
            #expect(store.counters.statesWritten == 4 * saves)
            #expect(waits < 2 * saves, "\(waits) waits")
        }

        private final class Shared: Sendable {
            let store: SceneSessionStore
            let counted = Mutex((waits: 0, failures: 0))

            init(_ store: SceneSessionStore) {
                self.store = store
            }
        }
    }
#endif
