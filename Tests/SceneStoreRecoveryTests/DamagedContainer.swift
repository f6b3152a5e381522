import SceneStore
import SceneStoreExchange
import SceneStoreTestContainers

/// A store whose schema page is damaged beyond what SQLite opens.
func damaged(
    _ container: TestContainer, sessions: Int = 20, backsUp: Bool = false
) throws -> SalvageFigureTests.Truth {
    let truth = try SalvageFigureTests.make(container, sessions: sessions)
    if backsUp {
        let store = try container.open()
        try store.backUp(before: "test")
        _ = try store.add("after-the-backup")
        try store.close()
    }
    try damage(container)
    return truth
}

/// Overwrites the schema page.
func damage(_ container: TestContainer) throws {
    var file = try DamagedFile(container.store)
    for offset in 100..<4_096 {
        file.bytes[offset] = 0x5A
    }
    try file.write()
}
