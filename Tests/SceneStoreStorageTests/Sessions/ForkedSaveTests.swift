import SceneStore
import SceneStoreTestContainers
import Testing

@Suite("A forked child's save")
struct ForkedSaveTests {
    @Test("R-08 a forked child's save is refused, also of a state that is stored already")
    func unchanged() async {
        await #expect(processExitsWith: .success) {
            let container = TestContainer(.fail)
            let store = try container.open()
            try store.launch()
            let record = try store.add("A")
            try store.save(record, activity(1))
            let result = inForkedChild {
                let unchanged = failure { try store.save(record, activity(1)) }
                let changed = failure { try store.save(record, activity(2)) }
                return unchanged == .forked && changed == .forked ? 0 : 1
            }
            #expect(result == 0)
            try store.save(record, activity(3))
            try store.close()
        }
    }
}
