import SceneStore
import SceneStoreCTestSupport
import Testing

@Suite("A forked child's save")
struct ForkedSaveTests {
    @Test("R-08 a forked child's save is refused, also of a state that is stored already")
    func unchanged() async {
        await #expect(processExitsWith: .success) {
            let container = TestContainer()
            let store = try container.open()
            try store.launch()
            let record = try store.add("A")
            try store.save(record, activity(1))
            var body: () -> Int32 = {
                let unchanged = failure { try store.save(record, activity(1)) }
                let changed = failure { try store.save(record, activity(2)) }
                return unchanged == .forked && changed == .forked ? 0 : 1
            }
            let child = withUnsafeMutablePointer(to: &body) { pointer in
                scenestore_test_fork(
                    { $0?.assumingMemoryBound(to: (() -> Int32).self).pointee() ?? 99 }, pointer)
            }
            #expect(scenestore_test_wait(child) == 0)
            try store.save(record, activity(3))
            try store.close()
        }
    }
}
