import SceneStoreRecovery
import SceneStoreSQLite
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct OpenStoreTests {
    @Test("R-06 a store that was moved or replaced is noticed; one left alone is not")
    func watch() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.run("CREATE TABLE a (x INTEGER) STRICT")
        var watch = StoreWatch(folder, store: file.identity)
        func kind(_ failure: ContainerError?) -> String {
            failure.map { "\($0.kind.rawValue) \($0.file ?? "")" } ?? "none"
        }
        func verify() -> String { kind(error(ContainerError.self) { try watch.verify() }) }
        #expect(verify() == "none")
        #expect(verify() == "none")
        try folder.move(ContainerName.log, to: folder, as: "log")
        #expect(verify() == "moved scenes.sqlite-wal")
        write([1], to: "\(folder.path)/\(ContainerName.log)")
        #expect(verify() == "replaced scenes.sqlite-wal")
        try folder.remove(ContainerName.log)
        try folder.move("log", to: folder, as: ContainerName.log)
        #expect(verify() == "none")
        try folder.move(ContainerName.store, to: folder, as: "moved")
        #expect(verify() == "moved scenes.sqlite")
        try folder.createStore(applicationID: applicationID)
        #expect(verify() == "replaced scenes.sqlite")
        try folder.remove(ContainerName.store)
        try folder.move("moved", to: folder, as: ContainerName.store)
        #expect(verify() == "none")
        rename(folder.path, scratch.file("elsewhere"))
        #expect(verify() == "moved scenes.sqlite")
    }

    @Test("R-08 no descriptor of the database is closed while SQLite has it open")
    func heldDescriptors() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        do {
            let connection = try owner(folder, file)
            _ = try folder.checkStore(applicationID: applicationID)
            try folder.dropCachedPages()
            _ = try InspectionCopy(of: folder, applicationID: applicationID)
            #expect(DatabaseDescriptors.waitingCount(of: file.identity) == 4)
            try connection.close()
        }
        #expect(DatabaseDescriptors.waitingCount(of: file.identity) == 0)
        _ = try folder.checkStore(applicationID: applicationID)
        #expect(DatabaseDescriptors.waitingCount(of: file.identity) == 0)
    }

    @Test("R-04 the cached pages of a closed store can be dropped")
    func dropsCache() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        write([1], to: "\(folder.path)/\(ContainerName.log)")
        let calls = try systemCalls { try folder.dropCachedPages() }
        #expect(
            calls == nil || calls == ["drop \(ContainerName.store)", "drop \(ContainerName.log)"])
    }

    @Test("S-30 the machine's start can be told from the one before")
    func bootIdentifier() {
        let identifier = System.bootIdentifier
        #expect(identifier?.isEmpty == false)
        #expect(identifier == System.bootIdentifier)
    }
}
