import SceneStoreSQLite
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct AtomicFileTests {
    @Test("R-07 a file appears whole and private at its commit, and not before")
    func commit() throws {
        let scratch = try Scratch()
        var file = try AtomicFile(path: scratch.file("out"), protecting: nil)
        try file.write([1, 2])
        try file.write([3, 3])
        #expect(access(scratch.file("out"), F_OK) != 0)
        #expect(read(file.temporaryPath) == [1, 2, 3, 3])
        try file.commit()
        #expect(read(scratch.file("out")) == [1, 2, 3, 3])
        #expect(try System.status(at: scratch.file("out")).permissions == 0o600)
        let folder = try ContainerFolder.open(scratch.path, access: .reader)
        #expect(try folder.entries().map(\.name) == ["out"])
    }

    @Test("R-07 the bytes are on the disk before the name, and the name before the return")
    func order() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        for replacing in [false, true] {
            let calls = try systemCalls {
                var file = try AtomicFile(in: folder, name: "out", replacing: replacing)
                try file.write([1])
                try file.commit()
            }
            let wanted = [
                "remove temporary-journal", "remove temporary-wal", "remove temporary-shm",
                "sync temporary", "rename out", "sync container",
            ]
            // The exclusive rename is no call of the C library.
            #expect(calls == nil || calls == wanted.filter { replacing || $0 != "rename out" })
        }
        // Both ends of a move, and the folder that a container is made in.
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        let moved = try systemCalls { try folder.move("out", to: quarantine, as: "moved") }
        #expect(moved == nil || moved == ["sync quarantine", "sync container"])
        let made = try systemCalls { _ = try scratch.container("another") }
        #expect(
            made.map { $0.last == "sync \(scratch.path.split(separator: "/").last ?? "")" } ?? true)
    }

    @Test("R-07 what is not committed leaves nothing")
    func abandoned() throws {
        let scratch = try Scratch()
        do {
            var file = try AtomicFile(path: scratch.file("out"), protecting: nil)
            try file.write([1])
        }
        let folder = try ContainerFolder.open(scratch.path, access: .reader)
        #expect(try folder.entries().isEmpty)
    }

    @Test("R-07 an existing file stays unless its replacing was asked for")
    func existing() throws {
        let scratch = try Scratch()
        write([9], to: scratch.file("out"))
        #expect(
            containerKind { try AtomicFile(path: scratch.file("out"), protecting: nil) } == .exists)
        // It may also come into being while the new one is written.
        let late = try AtomicFile(path: scratch.file("late"), protecting: nil)
        write([8], to: scratch.file("late"))
        let lateKind: ContainerError.Kind?
        do {
            try late.commit()
            lateKind = nil
        } catch {
            lateKind = error.kind
        }
        #expect(lateKind == .exists)
        #expect(read(scratch.file("late")) == [8])
        var file = try AtomicFile(path: scratch.file("out"), replacing: true, protecting: nil)
        try file.write([1])
        try file.commit()
        #expect(read(scratch.file("out")) == [1])
    }

    @Test("R-07 only files are replaced, and a link is replaced itself")
    func oddTargets() throws {
        let scratch = try Scratch()
        try #require(mkfifo(scratch.file("fifo"), 0o600) == 0)
        try #require(mkdir(scratch.file("folder"), 0o700) == 0)
        write([5], to: scratch.file("target"))
        try #require(scratch.link(to: "target", at: "link"))
        for name in ["fifo", "folder"] {
            #expect(
                containerKind {
                    try AtomicFile(path: scratch.file(name), replacing: true, protecting: nil)
                } == .exists)
        }
        let file = try AtomicFile(path: scratch.file("link"), replacing: true, protecting: nil)
        try file.commit()
        #expect(read(scratch.file("target")) == [5])
        #expect(try System.status(at: scratch.file("link")).kind == .regular)
        for path in ["", "a\0", scratch.file("x/"), scratch.file("no/x")] {
            #expect(containerKind { try AtomicFile(path: path, protecting: nil) } != nil)
        }
    }

    @Test("R-07 an output onto the store or its side files is refused, by whatever name")
    func ontoTheStore() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.run("CREATE TABLE a (x INTEGER) STRICT")
        try #require(scratch.link(to: "container/scenes.sqlite", at: "link"))
        try #require(scratch.link(to: "container", at: "also"))
        try #require(link(folder.storePath, scratch.file("second")) == 0)
        var paths = ["link", "second"]
        for name in ContainerName.all { paths += ["container/\(name)", "also/\(name)"] }
        for path in paths {
            #expect(
                containerKind {
                    try AtomicFile(
                        path: scratch.file(path), replacing: true, protecting: folder)
                } == .outputIsStore, "\(path)")
        }
        let beside = try AtomicFile(path: scratch.file("container/x"), protecting: folder)
        try beside.commit()
    }

    @Test("R-07 a move never replaces, and leftovers of dead writers are removed")
    func movesAndLeftovers() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        write([1], to: "\(quarantine.path)/taken")
        #expect(
            containerKind {
                try folder.move(ContainerName.store, to: quarantine, as: "taken")
            } == .exists)
        #expect(read("\(quarantine.path)/taken") == [1])
        try folder.move(ContainerName.store, to: quarantine, as: "free")
        #expect(try folder.status(of: ContainerName.store) == nil)
        #expect(try quarantine.entries().map(\.name) == ["free", "taken"])
        write([1], to: "\(quarantine.path)/.scenestore.1.1.tmp")
        try quarantine.removeLeftovers()
        #expect(try quarantine.entries().map(\.name) == ["free", "taken"])
        #expect(try quarantine.contents(of: "taken", limit: 10) == [1])
    }

    @Test("R-07 the journal that a killed process left is never played back into another's file")
    func foreignJournal() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        let first = try AtomicFile(in: folder, name: "a")
        let path = first.temporaryPath
        #expect(!AtomicFile.isAbandoned(String(path.split(separator: "/").last ?? "")))
        try first.commit()
        #expect(AtomicFile.isAbandoned(String(path.split(separator: "/").last ?? "")))
        // The numbers of this process that come next.
        let start = path.dropLast(".tmp".count)
        let number = try #require(start.split(separator: ".").last.flatMap { Int($0) })
        let base = start.dropLast(String(number).count)
        for next in number + 1...number + 40 {
            write([1], to: "\(base)\(next).tmp-journal")
        }
        let second = try AtomicFile(in: folder, name: "b")
        #expect(read(second.temporaryPath + "-journal").isEmpty)
        try second.commit()
    }

    @Test("R-28 R-07 a draft that was left is gone on with under its own key, and no other one")
    func drafts() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        // As two processes leave them that are killed.
        for key: UInt64 in [0xA, 0xAB] {
            var file = try AtomicFile(in: folder, name: "out", draft: key)
            let isNew = !file.isContinued
            #expect(isNew)
            try file.write([UInt8(key)])
            try file.commit()
            let left = "\(folder.path)/.scenestore.draft-\(String(key, radix: 16)).tmp"
            try #require(rename(scratch.file("container/out"), left) == 0)
            write([UInt8(key)], to: left + "-journal")
        }
        try folder.removeDrafts(except: 0xAB)
        #expect(
            try folder.entries().map(\.name).filter { AtomicFile.isDraft($0) } == [
                ".scenestore.draft-ab.tmp", ".scenestore.draft-ab.tmp-journal",
            ])
        let file = try AtomicFile(in: folder, name: "out", draft: 0xAB)
        let isContinued = file.isContinued
        #expect(isContinued)
        // Its journal is its own: SQLite takes back what was begun.
        #expect(read(file.temporaryPath + "-journal") == [0xAB])
        try file.commit()
        #expect(read(scratch.file("container/out")) == [0xAB])
        let new = try AtomicFile(in: folder, name: "another", draft: 0xA)
        let isEmpty = !new.isContinued && read(new.temporaryPath).isEmpty
        #expect(isEmpty)
        try new.commit()
    }

    @Test("R-07 a full disk is told as such, and nothing is left")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_FSIZE, &limit)
            #endif
            var failed = false
            do {
                var file = try AtomicFile(path: scratch.file("out"), protecting: nil)
                do {
                    try file.write([UInt8](repeating: 0, count: 10_000))
                } catch {
                    failed = true
                }
            }
            #expect(failed)
            let folder = try ContainerFolder.open(scratch.path, access: .reader)
            #expect(try folder.entries().isEmpty)
        }
    }
}
