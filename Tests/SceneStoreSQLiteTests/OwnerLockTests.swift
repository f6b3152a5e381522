import SceneStoreCTestSupport
import SceneStoreSQLite
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Whatever forks does so in a process of its own, which runs nothing else.
@Suite struct OwnerLockTests {
    @Test("S-30 a second owner is told who the first is, in the same process, too")
    func owned() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        #expect(try OwnerLock.owner(of: folder) == nil)
        let lock = try OwnerLock.acquire(folder)
        let failure = error(ContainerError.self) {
            let second = try OwnerLock.acquire(folder)
            try second.release()
        }
        #expect(failure?.kind == .owned)
        #expect(failure?.ownerProcess == getpid())
        #expect(try OwnerLock.owner(of: folder)?.process == getpid())
        try lock.release()
        #expect(try OwnerLock.owner(of: folder) == nil)
        try OwnerLock.acquire(folder).release()
    }

    @Test("S-10 S-30 the refusal names the owner's process, in its words too")
    func named() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        let lock = try OwnerLock.acquire(folder)
        // As another process would have written it.
        write(
            Array("owner 4711 epoch 1".utf8) + [UInt8](repeating: 0x20, count: 46),
            to: folder.path + "/" + ContainerName.lock)
        let failure = error(ContainerError.self) { try OwnerLock.acquire(folder).release() }
        #expect(failure?.ownerProcess == 4711)
        #expect(failure?.message == "process 4711 owns the container")
        try lock.release()
    }

    @Test("S-30 L-17 on a read-only volume one owner is alone, and writes nothing down")
    func readOnlyVolume() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        let refusal = ContainerError(.readOnlyVolume, "using the lock file")
        func read() throws -> OwnerLock {
            try OwnerLock.acquire(folder, process: getpid(), refusedBy: refusal)
        }
        do {
            var lock = try OwnerLock.acquire(folder)
            try lock.record(epoch: 12)
            // Who can write keeps out who can't.
            #expect(error(ContainerError.self) { _ = try read() }?.kind == .owned)
            try lock.release()
        }
        do {
            let lock = try read()
            #expect(lock.refusal?.kind == .readOnlyVolume)
            #expect(lock.found.state == .released(epoch: 12))
            for acquire in [read, { try OwnerLock.acquire(folder) }] as [() throws -> OwnerLock] {
                let failure = error(ContainerError.self) { _ = try acquire() }
                #expect(failure?.kind == .owned)
                #expect(failure?.ownerProcess == nil)
            }
            #expect(
                error(ContainerError.self) { try lock.note(durable: 13) }?.kind
                    == .readOnlyVolume)
            try lock.release()
        }
        let lock = try OwnerLock.acquire(folder)
        #expect(lock.found.state == .released(epoch: 12))
        try lock.release()
    }

    @Test("S-30 the lock file is private, is never removed and tells how the owner ended")
    func predecessor() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        do {
            var lock = try OwnerLock.acquire(folder)
            #expect(lock.found.state == .none)
            try lock.record(epoch: 12)
            #expect(try OwnerLock.owner(of: folder)?.epoch == 12)
            try lock.release()
        }
        #expect(try folder.status(of: ContainerName.lock)?.permissions == 0o600)
        do {
            // Not released: as if the process had died.
            let lock = try OwnerLock.acquire(folder, process: 4_711)
            #expect(lock.found.state == .released(epoch: 12))
        }
        let lock = try OwnerLock.acquire(folder)
        #expect(lock.found.state == .owned(process: 4_711, epoch: 12))
        try lock.release()
    }

    @Test("S-30 an owner hears that it should hand over; a new owner has no old request")
    func handOver() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        let lock = try OwnerLock.acquire(folder)
        #expect(try lock.handOverRequest() == nil)
        try OwnerLock.requestHandOver(of: folder, process: 99)
        // What the owner notes for itself takes no request away.
        for generation in [7, 8] as [Int64] {
            #expect(try lock.handOverRequest() == 99)
            try lock.note(durable: generation)
            #expect(try OwnerLock.text(of: folder)?.durable == generation)
        }
        #expect(try lock.handOverRequest() == 99)
        #expect(try OwnerLock.owner(of: folder)?.process == getpid())
        try lock.release()
        let next = try OwnerLock.acquire(folder)
        #expect(try next.handOverRequest() == nil)
        try next.release()
    }

    @Test("S-30 S-15 beside no owner's name nobody asks for anything, so that a new lock stays new")
    func handOverOfNobody() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        write([], to: folder.path + "/" + ContainerName.lock)
        try OwnerLock.requestHandOver(of: folder, process: 99)
        #expect(read(folder.path + "/" + ContainerName.lock) == [])
    }

    @Test(
        "S-30 nothing in the lock file is believed",
        arguments: [
            "", "owner", "owner -1 epoch 5", "owner 0 epoch 5", "owner 99999999999999 epoch 1",
            "owner 1 epoch -1",
            "released epoch x", "\u{0}\u{0}", String(repeating: "9", count: 4_000),
        ])
    func hostileText(text: String) throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        write(Array(text.utf8), to: folder.path + "/" + ContainerName.lock)
        let lock = try OwnerLock.acquire(folder)
        #expect(lock.found.state == .none)
        try lock.release()
    }

    @Test("R-02 an owner's line that was cut off is damaged, wherever it ends", arguments: 1..<64)
    func cutLine(length: Int) throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        let path = folder.path + "/" + ContainerName.lock
        do {
            var lock = try OwnerLock.acquire(folder)
            try lock.record(epoch: 1, durable: 7)
            // As its death leaves the file.
        }
        let line = try folder.contents(of: ContainerName.lock, limit: 1 << 10)
        unlink(path)
        write(Array(line.prefix(length)), to: path)
        let next = try OwnerLock.acquire(folder)
        let isJunk = next.found.isJunk
        #expect(isJunk)
        #expect(next.found.state == .none)
        try next.release()
    }

    @Test("R-25 a number in the lock that no store reaches is damage", arguments: [0, 1])
    func absurdNumber(more: Int64) throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        do {
            var lock = try OwnerLock.acquire(folder)
            try lock.record(epoch: (1 << 53) + more)
            // As its death leaves the file.
        }
        let next = try OwnerLock.acquire(folder)
        let isJunk = next.found.isJunk
        #expect(isJunk == (more > 0))
        try next.release()
    }

    @Test("R-05 what is no regular file at the lock's name is refused at once")
    func oddLockFiles() throws {
        let scratch = try Scratch()
        let makers: [(String, (String) -> Int32)] = [
            ("fifo", { mkfifo($0, 0o600) }), ("folder", { mkdir($0, 0o700) }),
            ("link", { symlink("/dev/null", $0) }),
        ]
        for (name, make) in makers {
            let folder = try scratch.container(name)
            try #require(make("\(folder.path)/\(ContainerName.lock)") == 0)
            #expect(containerKind { try OwnerLock.acquire(folder).release() } == .insecure)
            #expect(containerKind { try OwnerLock.owner(of: folder) } == .insecure)
        }
    }

    @Test("S-30 a lock on a file that lost its name is not taken for the lock")
    func exchangedLockFile() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        let lock = try OwnerLock.acquire(folder)
        try folder.move(ContainerName.lock, to: folder, as: "old")
        // A new file, a new lock: the epoch in the database is what refuses the loser.
        let second = try OwnerLock.acquire(folder)
        #expect(try OwnerLock.owner(of: folder)?.process == getpid())
        try second.release()
        try lock.release()
    }

    // So it is whenever the app starts another program on one thread and closes on another.
    @Test("S-30 what is let go is free although a program is just being started")
    func halfStartedProgram() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let folder = try scratch.container()
            let lock = try OwnerLock.acquire(folder)
            let child = scenestore_test_spawn_halfway()
            guard child != -ENOSYS else { return }
            try #require(child > 0)
            defer {
                kill(child, SIGKILL)
                _ = scenestore_test_wait(child)
            }
            try lock.release()
            #expect(try OwnerLock.owner(of: folder) == nil)
            try OwnerLock.acquire(folder).release()
        }
    }

    @Test("S-32 the lock of a killed owner is free although a child of it lives")
    func childKeepsNothing() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let folder = try scratch.container()
            let ready = Signal()
            let end = Signal()
            let parent = forked {
                guard let lock = try? OwnerLock.acquire(folder) else { return 1 }
                // The grandchild outlives its parent and holds every descriptor it inherited.
                _ = forked {
                    end.closeSender()
                    ready.send()
                    _ = end.wait()
                    return 0
                }
                // Until it is killed.
                end.closeSender()
                _ = end.wait()
                _ = try? lock.release()
                return 0
            }
            #expect(ready.wait() == 1)
            #expect(containerKind { try OwnerLock.acquire(folder).release() } == .owned)
            kill(parent, SIGKILL)
            #expect(scenestore_test_wait(parent) == 1_000 + SIGKILL)
            let lock = try OwnerLock.acquire(folder)
            #expect(lock.found.state == .owned(process: parent, epoch: 0))
            try lock.release()
            end.closeSender()
        }
    }

    @Test("S-32 a stopped owner keeps its store; after its death exactly one gets it")
    func stoppedOwner() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let folder = try scratch.container()
            let ready = Signal()
            let end = Signal()
            let first = forked {
                guard let lock = try? OwnerLock.acquire(folder) else { return 1 }
                ready.send()
                // Until it is killed.
                end.closeSender()
                _ = end.wait()
                _ = try? lock.release()
                return 0
            }
            #expect(ready.wait() == 1)
            kill(first, SIGSTOP)
            let failure = error(ContainerError.self) { try OwnerLock.acquire(folder).release() }
            #expect(failure?.kind == .owned)
            #expect(failure?.ownerProcess == first)
            kill(first, SIGKILL)
            _ = scenestore_test_wait(first)
            let tried = Signal()
            let go = Signal()
            let contenders = (0..<10).map { _ in
                forked {
                    let lock: OwnerLock
                    do {
                        lock = try OwnerLock.acquire(folder)
                    } catch {
                        tried.send()
                        return (error as? ContainerError)?.kind == .owned ? 0 : 9
                    }
                    tried.send()
                    go.closeSender()
                    _ = go.wait()
                    _ = try? lock.release()
                    return 1
                }
            }
            for _ in contenders { _ = tried.wait() }
            go.closeSender()
            let results = contenders.map { scenestore_test_wait($0) }
            #expect(results.filter { $0 == 1 }.count == 1)
            #expect(results.filter { $0 == 0 }.count == 9)
        }
    }

    @Test("R-08 a forked child's calls say so, touch nothing, and its ends close nothing")
    func forkedChild() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let (folder, file) = try scratch.store()
            var connection: Connection? = try owner(folder, file)
            try connection?.run("CREATE TABLE a (x INTEGER NOT NULL) STRICT")
            try connection?.run("INSERT INTO a VALUES (1)")
            let lock = try OwnerLock.acquire(folder)
            let before = try snapshot(folder)
            let child = forked {
                guard let inherited = connection, inherited.isForked, lock.isForked else {
                    return 1
                }
                let kinds = [
                    sqliteKind { try inherited.integer("SELECT x FROM a") },
                    sqliteKind { try inherited.run("DELETE FROM a") },
                    sqliteKind { try inherited.write { _ throws(SQLiteError) in } },
                    sqliteKind { try inherited.read { _ throws(SQLiteError) in } },
                    sqliteKind { try inherited.checkpoint(.truncate) },
                    sqliteKind { try inherited.execute(script: "DELETE FROM a;", named: "x") },
                    sqliteKind { try inherited.close() },
                    // SQLite in here takes its parent's locks for its own.
                    sqliteKind { try owner(folder, file) },
                ]
                guard kinds.allSatisfy({ $0 == .forked }) else { return 2 }
                guard containerKind({ try lock.handOverRequest() }) == .forked else { return 3 }
                connection = nil
                return 0
            }
            #expect(scenestore_test_wait(child) == 0)
            #expect(try snapshot(folder) == before)
            let parent = try #require(connection)
            #expect(try parent.integer("SELECT count(*) FROM a") == 1)
            try parent.run("INSERT INTO a VALUES (2)")
            #expect(containerKind { try OwnerLock.acquire(folder).release() } == .owned)
            try parent.close()
            try lock.release()
        }
    }

    @Test("R-08 looking at the file of an open database drops none of SQLite's locks")
    func locksStay() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let (folder, file) = try scratch.store()
            let connection = try owner(folder, file)
            try connection.run("CREATE TABLE a (x INTEGER NOT NULL) STRICT")
            // In log mode SQLite holds a shared lock on the file as long as it is open.
            func isLocked() -> Bool {
                let child = forked {
                    let file = open(folder.storePath, O_RDWR)
                    var lock = flock()
                    lock.l_type = Int16(F_WRLCK)
                    lock.l_whence = Int16(SEEK_SET)
                    guard fcntl(file, F_GETLK, &lock) == 0 else { return 2 }
                    return lock.l_type == Int16(F_UNLCK) ? 0 : 1
                }
                return scenestore_test_wait(child) == 1
            }
            #expect(isLocked())
            _ = try folder.checkStore(applicationID: applicationID)
            _ = try InspectionCopy(of: folder, applicationID: applicationID)
            _ = try folder.contents(of: ContainerName.store, limit: 100)
            #expect(isLocked())
            // The control: a careless look drops them.
            close(open(folder.storePath, O_RDONLY))
            #expect(!isLocked())
        }
    }

    @Test("R-09 a reader of a live store leaves every file as it is, byte for byte")
    func liveReader() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let folder = try scratch.container()
            let ready = Signal()
            let more = Signal()
            let child = forked {
                do {
                    try folder.createStore(applicationID: applicationID)
                    guard let file = try folder.checkStore(applicationID: applicationID) else {
                        return 2
                    }
                    let connection = try owner(folder, file)
                    try connection.run("CREATE TABLE a (x INTEGER NOT NULL) STRICT")
                    try connection.run("INSERT INTO a VALUES (1)")
                    ready.send()
                    _ = more.wait()
                    try connection.run("INSERT INTO a VALUES (2)")
                    ready.send()
                    _ = more.wait()
                    try connection.close()
                    return 0
                } catch {
                    ready.send()
                    return 1
                }
            }
            _ = ready.wait()
            let reading = try ContainerFolder.open(folder.path, access: .reader)
            for rows in 1...2 as ClosedRange<Int64> {
                let before = try snapshot(folder)
                let file = try #require(try reading.checkStore(applicationID: applicationID))
                var options = Connection.Options(.reader)
                options.identity = file.identity
                options.applicationID = applicationID
                let connection = try Connection(path: reading.storePath, options: options)
                #expect(try connection.integer("SELECT count(*) FROM a") == rows)
                try connection.close()
                #expect(try snapshot(folder) == before)
                more.send()
                if rows == 1 { _ = ready.wait() }
            }
            #expect(scenestore_test_wait(child) == 0)
        }
    }
}
