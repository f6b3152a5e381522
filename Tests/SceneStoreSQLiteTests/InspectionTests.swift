import SceneStoreSQLite
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct InspectionTests {
    /// A container as a killed process leaves it: a log that was not copied back.
    private func killedStore(_ scratch: Scratch, commits: Int = 3) throws -> ContainerFolder {
        let (live, file) = try scratch.store()
        let connection = try owner(live, file)
        try connection.run("CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT")
        for _ in 0..<commits { try connection.run("INSERT INTO a VALUES (NULL)") }
        let killed = try scratch.container("killed")
        for name in [ContainerName.store, ContainerName.log] {
            write(read("\(live.path)/\(name)"), to: "\(killed.path)/\(name)")
        }
        return killed
    }

    private func copied(_ copy: InspectionCopy) throws -> Connection {
        var options = Connection.Options(.copy)
        options.image = copy
        options.applicationID = applicationID
        return try Connection(path: "copy", options: options)
    }

    @Test("R-05 a log that is mostly a hole is copied as far as it can mean something")
    func holeInLog() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch)
        #expect(truncate("\(folder.path)/\(ContainerName.log)", 5 << 30) == 0)
        let copy = try InspectionCopy(
            of: folder, applicationID: applicationID, temporaryFolder: scratch.path)
        #expect(copy.size <= 1 << 20)
        let connection = try copied(copy)
        #expect(try connection.integer("SELECT count(*) FROM a") == 3)
        try connection.close()
    }

    @Test("R-09 S-31 where no copy can be made, nobody is told that the store is missing")
    func withoutTemporaryFolder() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let folder = try InspectionTests().killedStore(scratch)
            func copyKind(_ place: String) -> ContainerError.Kind? {
                setenv("TMPDIR", place, 1)
                do throws(ContainerError) {
                    _ = try InspectionCopy(of: folder, applicationID: applicationID)
                    return nil
                } catch {
                    return error.kind
                }
            }
            #expect(copyKind(scratch.file("nowhere")) == .permission)
            #expect(copyKind("\(folder.path)/\(ContainerName.store)") == .permission)
            // A variable without a value is none.
            #expect(copyKind("") == nil)
            #expect(copyKind(scratch.path) == nil)
        }
    }

    @Test("R-09 a copy shows what the log holds; the original keeps every byte and its files")
    func copyWithLog() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch)
        let before = try snapshot(folder)
        let copy = try InspectionCopy(
            of: folder, applicationID: applicationID, temporaryFolder: scratch.path)
        let connection = try copied(copy)
        #expect(try connection.integer("SELECT count(*) FROM a") == 3)
        #expect(sqliteKind { try connection.run("DELETE FROM a") } == .readOnly)
        #expect(try connection.check(budget: Budget()).problems == [])
        #expect(try snapshot(folder) == before)
        // Not even while it is read has the copy a name, which the death of the process would leave.
        let names = try ContainerFolder.open(scratch.path, access: .reader).entries().map(\.name)
        #expect(names == ["container", "killed"])
        try connection.close()
    }

    @Test("R-09 a copy is as large as its log has made the database")
    func sizes() throws {
        let scratch = try Scratch()
        let (live, file) = try scratch.store()
        let connection = try owner(live, file)
        try connection.run("PRAGMA auto_vacuum = 1")
        try connection.run("VACUUM")
        try connection.run("CREATE TABLE b (x BLOB) STRICT")
        func copiedSize() throws -> Int64? {
            let copy = try InspectionCopy(of: live, applicationID: applicationID)
            let reader = try copied(copy)
            defer { try? reader.close() }
            #expect(try reader.check(budget: Budget()).problems == [])
            #expect(
                try reader.integer("SELECT count(*) FROM b")
                    == connection.integer("SELECT count(*) FROM b"))
            let pages = try reader.pragma("PRAGMA page_count")
            #expect(try pages == connection.pragma("PRAGMA page_count"))
            return pages
        }
        for _ in 0..<3 { try connection.run("INSERT INTO b VALUES (zeroblob(100000))") }
        let grown = try #require(try copiedSize())
        _ = try connection.pragma("PRAGMA wal_checkpoint(RESTART)")
        #expect(try copiedSize() == grown)
        try connection.run("DELETE FROM b")
        #expect(try #require(try copiedSize()) < grown)
        try connection.close()
    }

    @Test("R-09 a store that changes while it is copied is copied again")
    func changesMeanwhile() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.run("CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT")
        try connection.run("INSERT INTO a VALUES (NULL)")
        var copies = 0
        let copy = try InspectionCopy(of: folder, applicationID: applicationID) {
            copies += 1
            guard copies == 1 else { return }
            // The log is begun anew: what was in it is now in the database alone.
            _ = try? connection.pragma("PRAGMA wal_checkpoint(RESTART)")
            try? connection.run("INSERT INTO a VALUES (NULL)")
        }
        #expect(copies == 2)
        let copied = try copied(copy)
        #expect(try copied.integer("SELECT count(*) FROM a") == 2)
        try copied.close()
        // New frames at the log's end are no reason.
        copies = 0
        _ = try InspectionCopy(of: folder, applicationID: applicationID) {
            copies += 1
            try? connection.run("INSERT INTO a VALUES (NULL)")
        }
        #expect(copies == 1)
        copies = 0
        let kind = containerKind {
            try InspectionCopy(of: folder, applicationID: applicationID, attempts: 3) {
                copies += 1
                try? connection.run("INSERT INTO a VALUES (NULL)")
                _ = try? connection.checkpoint(.truncate)
            }
        }
        #expect(kind == .unstable)
        #expect(copies == 3)
    }

    @Test("R-09 without a store there is nothing to copy, and a full folder is no trap")
    func nothingToCopy() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        #expect(
            containerKind { try InspectionCopy(of: folder, applicationID: applicationID) }
                == .missing)
        try folder.createStore(applicationID: applicationID)
        #expect(
            containerKind {
                try InspectionCopy(
                    of: folder, applicationID: applicationID,
                    temporaryFolder: scratch.file("none"))
            } == .permission)
    }

    @Test("R-02 the scan counts commits as SQLite would show them")
    func scan() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch, commits: 5)
        let scan = try #require(try WALScan(folder))
        #expect(scan.commits == 6)
        #expect(scan.validFrames == scan.committedFrames)
        #expect(scan.commitsBehind == 0)
        #expect(try folder.checkStore(applicationID: applicationID)?.log == .present)
        #expect(scan.header.pageSize == 4_096)
    }

    @Test("R-02 commits behind a damaged frame are seen, a torn end is not mistaken for them")
    func damagedLog() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch, commits: 5)
        let path = "\(folder.path)/\(ContainerName.log)"
        let whole = try #require(try WALScan(folder))
        let frame = 4_096 + 24
        let size = read(path).count
        // Half of the last frame is missing.
        truncate(path, off_t(size - 2_000))
        let torn = try #require(try WALScan(folder))
        #expect(torn.commits == whole.commits - 1)
        #expect(torn.commitsBehind == 0)
        // One byte of the third frame is wrong.
        let third = 32 + 2 * frame + 24 + 100
        write([read(path)[third] ^ 1], to: path, at: third)
        let damaged = try #require(try WALScan(folder))
        #expect(damaged.validFrames == 2)
        #expect(damaged.commitsBehind >= 2)
        #expect(damaged.commits + damaged.commitsBehind >= torn.commits - 1)
    }

    @Test("R-02 the commit at the first bad frame counts for none, and each behind it for one")
    func commitsBehind() throws {
        for behind in 0...2 {
            let scratch = try Scratch()
            let folder = try killedStore(scratch, commits: 5)
            let path = "\(folder.path)/\(ContainerName.log)"
            let whole = try #require(try WALScan(folder))
            // Each of the last commits has one frame.
            let frame = 4_096 + 24
            let place = read(path).count - (behind + 1) * frame + 24 + 100
            write([read(path)[place] ^ 1], to: path, at: place)
            let damaged = try #require(try WALScan(folder))
            #expect(damaged.commits == whole.commits - behind - 1)
            #expect(damaged.commitsBehind == behind)
        }
    }

    @Test("R-02 the log of a machine with the other byte order says the same")
    func byteOrder() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch, commits: 5)
        let path = "\(folder.path)/\(ContainerName.log)"
        let whole = try #require(try WALScan(folder))
        var log = read(path)
        let isBigEndian = log[3] & 1 == 0
        log[3] ^= 1
        var header = Array(log.prefix(32))
        seal(&header)
        log.replaceSubrange(0..<32, with: header)
        var sums = checksum(header.prefix(24), isBigEndian: isBigEndian)
        for start in stride(from: 32, to: log.count, by: 24 + 4_096) {
            sums = checksum(log[start..<start + 8], isBigEndian: isBigEndian, after: sums)
            sums = checksum(
                log[start + 24..<start + 24 + 4_096], isBigEndian: isBigEndian, after: sums)
            put(sums, &log, at: start + 16)
        }
        write(log, to: path)
        let scan = try #require(try WALScan(folder))
        #expect(scan.commits == whole.commits && scan.validFrames == whole.validFrames)
        #expect(scan.firstPage == whole.firstPage)
        // SQLite reads it as well.
        let copy = try InspectionCopy(of: folder, applicationID: applicationID)
        let connection = try copied(copy)
        #expect(try connection.integer("SELECT count(*) FROM a") == 5)
        try connection.close()
    }

    @Test("R-05 the file of another application is refused, whatever its log holds")
    func otherApplicationWithLog() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch)
        #expect(try WALScan(folder)?.firstPage != nil)
        // Of a first page that nobody can read the log has a copy; another application's is sound.
        let sound = Array(read(folder.storePath)[68..<72])
        for (place, bytes, isRefused) in [(0, [0], false), (68, [1, 2, 3, 4], true)] {
            let before = Array(read(folder.storePath)[place..<place + bytes.count])
            write(bytes.map { UInt8($0) }, to: folder.storePath, at: place)
            let failure = error(ContainerError.self) {
                try folder.checkStore(applicationID: applicationID)
            }
            #expect(failure?.reason == (isRefused ? .otherApplication : nil))
            write(before, to: folder.storePath, at: place)
        }
        #expect(Array(read(folder.storePath)[68..<72]) == sound)
    }

    @Test("R-02 frames of an earlier round of the log are no lost commits")
    func earlierRound() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.run("CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT")
        for _ in 0..<10 { try connection.run("INSERT INTO a VALUES (NULL)") }
        _ = try connection.pragma("PRAGMA wal_checkpoint(RESTART)")
        try connection.run("INSERT INTO a VALUES (NULL)")
        #expect(try folder.status(of: ContainerName.log)?.size ?? 0 > 10 * 4_096)
        let scan = try #require(try WALScan(folder))
        #expect(scan.commits == 1)
        #expect(scan.commitsBehind == 0)
    }

    @Test("R-03 a log's header is believed only with its checksum")
    func logHeaders() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch)
        let path = "\(folder.path)/\(ContainerName.log)"
        let good = Array(read(path).prefix(32))
        #expect(WALHeader(good) != nil)
        for index in 0..<32 {
            var bad = good
            bad[index] ^= 1
            // The lowest bit of the magic number is the checksum's byte order.
            #expect(WALHeader(bad) == nil, "byte \(index)")
        }
        #expect(WALHeader(good.dropLast()) == nil)
        #expect(WALHeader([]) == nil)
        write([0], to: path)
        #expect(try folder.checkStore(applicationID: applicationID)?.log == StoreLog.none)
        #expect(try WALScan(folder) == nil)
        truncate(path, 0)
        #expect(try folder.checkStore(applicationID: applicationID)?.log == StoreLog.none)
    }

    @Test("R-03 the log of a database with other pages is told from the store's own")
    func foreignLog() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch)
        let path = "\(folder.path)/\(ContainerName.log)"
        var header = Array(read(path).prefix(32))
        header[10] = 0x20  // 8 192
        seal(&header)
        write(header, to: path)
        #expect(try folder.checkStore(applicationID: applicationID)?.log == .foreign)
    }

    private func seal(_ header: inout [UInt8]) {
        put(checksum(header.prefix(24), isBigEndian: header[3] & 1 == 1), &header, at: 24)
    }

    private func put(_ sums: (UInt32, UInt32), _ bytes: inout [UInt8], at place: Int) {
        for index in 0..<4 {
            bytes[place + index] = UInt8(truncatingIfNeeded: sums.0 >> (24 - 8 * index))
            bytes[place + 4 + index] = UInt8(truncatingIfNeeded: sums.1 >> (24 - 8 * index))
        }
    }

    /// The checksum as the format's description words it.
    private func checksum(
        _ bytes: ArraySlice<UInt8>, isBigEndian: Bool, after sums: (UInt32, UInt32) = (0, 0)
    ) -> (UInt32, UInt32) {
        var sums = sums
        let words = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { start in
            let word = bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
            return isBigEndian ? word : word.byteSwapped
        }
        for index in stride(from: 0, to: words.count, by: 2) {
            sums.0 = sums.0 &+ words[index] &+ sums.1
            sums.1 = sums.1 &+ words[index + 1] &+ sums.0
        }
        return sums
    }

    @Test("R-02 a sparse log of a terabyte is scanned in no time")
    func sparseLog() throws {
        let scratch = try Scratch()
        let folder = try killedStore(scratch)
        let path = "\(folder.path)/\(ContainerName.log)"
        var header = Array(read(path).prefix(32))
        truncate(path, 1 << 40)
        let scan = try #require(try WALScan(folder))
        #expect(scan.commits == 4)
        #expect(scan.commitsBehind == 0)
        // With salts of zero the empty stretch looks like the log's own frames.
        for index in 16..<24 { header[index] = 0 }
        seal(&header)
        write(header, to: path)
        #expect(try WALScan(folder)?.commits == 0)
    }
}

@Suite struct ContainerPlaceTests {
    private func path(
        _ bundle: String, _ profile: String, _ environment: [String: String]
    ) throws -> String {
        try DefaultContainerPath.path(
            bundleIdentifier: bundle, profile: profile, environment: { environment[$0] })
    }

    #if !canImport(Darwin)
        @Test("S-01 the default place follows XDG_STATE_HOME, else the home folder")
        func places() throws {
            let state = ["XDG_STATE_HOME": "/state/", "HOME": "/home/me"]
            #expect(
                try path("com.example.app", "default", state)
                    == "/state/com.example.app/scenes/default")
            let home = ["HOME": "/home/me"]
            #expect(
                try path("com.example.app", "work", home)
                    == "/home/me/.local/state/com.example.app/scenes/work")
            // A relative path is to be ignored, says the XDG specification.
            let relative = ["XDG_STATE_HOME": "state", "HOME": "/home/me"]
            #expect(try path("a", "default", relative) == "/home/me/.local/state/a/scenes/default")
        }
    #endif

    @Test("S-01 no two profiles share a container, and none leaves its folder")
    func profiles() throws {
        let names = [
            "default", "Default", "work", "Work", "a b", "a%20b", "a/b", "a%2fb", "..", ".", "../x",
            ".hidden", "x.", "é", "e\u{301}", "ß", "ss", "a\0b", "a", "*",
        ]
        let home = ["XDG_STATE_HOME": "/s"]
        let paths = try names.map { try path("app", $0, home) }
        // Also on a disk that takes capital and small letters for the same.
        #expect(Set(paths.map { $0.lowercased() }).count == names.count)
        #if !canImport(Darwin)
            for path in paths {
                #expect(path.split(separator: "/").count == 4)
                #expect(path.hasPrefix("/s/app/scenes/"))
                #expect(!path.hasSuffix("/.") && !path.hasSuffix("/.."))
            }
        #endif
    }

    @Test("S-01 an empty or endless name is refused")
    func badNames() {
        let home = ["HOME": "/h"]
        #expect(containerKind { try path("", "default", home) } == .invalidName)
        #expect(containerKind { try path("app", "", home) } == .invalidName)
        // A byte that stands not for itself takes three.
        for name in [String(repeating: "x", count: 241), String(repeating: "é", count: 41)] {
            #expect(containerKind { try path("app", name, home) } == .invalidName)
            #expect(containerKind { try path(name, "default", home) } == .invalidName)
            #expect(containerKind { try path("app", String(name.dropLast()), home) } == nil)
        }
    }
}
