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

@Suite struct ContainerFolderTests {
    private func check(_ folder: ContainerFolder) -> ContainerError? {
        error(ContainerError.self) { try folder.checkStore(applicationID: applicationID) }
    }

    // MARK: - The folder

    @Test("S-01 a container and the folders above it are made 0700")
    func makesFolders() throws {
        let scratch = try Scratch()
        let folder = try ContainerFolder.open(
            scratch.file("a/b/c/"), access: .owner, createsMissing: true)
        #expect(folder.path == scratch.file("a/b/c"))
        for path in ["a", "a/b", "a/b/c"] {
            #expect(try System.status(at: scratch.file(path)).permissions == 0o700)
        }
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        #expect(try System.status(at: quarantine.path).permissions == 0o700)
        #expect(throws: Never.self) { try ContainerFolder.open(folder.path, access: .reader) }
    }

    @Test("S-01 folders above a container that are there need not be readable")
    func searchedFolders() throws {
        let scratch = try Scratch()
        let home = scratch.file("homes/me")
        mkdir(scratch.file("homes"), 0o700)
        mkdir(home, 0o700)
        let isRoot = geteuid() == 0
        chown(home, isRoot ? 65_534 : geteuid(), gid_t.max)
        chmod(scratch.path, 0o711)
        chmod(scratch.file("homes"), isRoot ? 0o711 : 0o311)
        guard !isRoot || scenestore_test_become(65_534) == 0 else {
            return
        }
        defer {
            if isRoot { _ = scenestore_test_become(0) }
        }
        for _ in 0..<2 {
            let folder = try ContainerFolder.open(
                home + "/state/app", access: .owner, createsMissing: true)
            #expect(folder.path == home + "/state/app")
        }
    }

    @Test("S-01 a name that begins with a combining mark is a name, not a part of the one above")
    func combiningMarks() throws {
        let scratch = try Scratch()
        let folder = try ContainerFolder.open(
            scratch.file("new/\u{301}x/\u{301}c"), access: .owner, createsMissing: true)
        #expect(try System.status(at: scratch.file("new")).kind == .folder)
        #expect(Array(folder.path.utf8) == Array(scratch.file("new/\u{301}x/\u{301}c").utf8))
    }

    @Test("S-01 a container's path has at most 400 bytes, so that SQLite opens all in it")
    func longestPath() throws {
        let scratch = try Scratch()
        let parent = scratch.file(String(repeating: "p", count: 200))
        let room = 400 - parent.utf8.count - 1
        func open(_ count: Int) throws {
            _ = try ContainerFolder.open(
                parent + "/" + String(repeating: "c", count: count), access: .owner,
                createsMissing: true)
        }
        try open(room)
        #expect(containerKind { try open(room + 1) } == .invalidName)
    }

    @Test("S-01 a container that is missing is not made unasked")
    func missingFolder() throws {
        let scratch = try Scratch()
        #expect(
            containerKind { try ContainerFolder.open(scratch.file("no"), access: .owner) }
                == .missing)
        #expect(
            containerKind { try ContainerFolder.open(scratch.file("no/no"), access: .owner) }
                == .missing)
    }

    @Test(
        "S-01 a container that others may write is refused",
        arguments: [0o777, 0o702, 0o720, 0o1777] as [mode_t])
    func writableByOthers(mode: mode_t) throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        chmod(folder.path, mode)
        for access in [ContainerFolder.Access.owner, .reader] {
            let failure = error(ContainerError.self) {
                try ContainerFolder.open(folder.path, access: access)
            }
            #expect(failure?.kind == .insecure)
            #expect(failure?.reason == .writableByOthers)
        }
    }

    @Test("R-05 an owner takes reading away from others, a reader changes nothing")
    func tightening() throws {
        let scratch = try Scratch()
        let path = try scratch.container().path
        chmod(path, 0o755)
        _ = try ContainerFolder.open(path, access: .reader)
        #expect(try System.status(at: path).permissions == 0o755)
        _ = try ContainerFolder.open(path, access: .owner)
        #expect(try System.status(at: path).permissions == 0o700)
    }

    @Test(
        "S-01 R-05 a container and a store of another user are refused",
        .enabled(if: geteuid() == 0))
    func otherOwner() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        chown(folder.storePath, 65_534, 65_534)
        #expect(check(folder)?.reason == .otherOwner)
        chown(folder.path, 65_534, 65_534)
        let failure = error(ContainerError.self) {
            try ContainerFolder.open(folder.path, access: .owner)
        }
        #expect(failure?.reason == .otherOwner)
    }

    @Test("S-01 a link in the place of a container's folder is not followed, and said to be one")
    func linkedFolders() throws {
        let scratch = try Scratch()
        let folder = try scratch.container("container")
        try #require(scratch.link(to: "..", at: "container/backups"))
        for createsMissing in [false, true] {
            let error = #expect(throws: ContainerError.self) {
                try folder.folder(ContainerName.backups, createsMissing: createsMissing)
            }
            #expect(error?.kind == .notAFolder)
            #expect(
                error?.message.hasPrefix("backups/ in the container is a link or not a folder")
                    == true)
        }
    }

    @Test("S-01 a link at the container's name is not followed, links above it are")
    func links() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        try #require(scratch.link(to: "container", at: "link"))
        try #require(scratch.link(to: "nowhere", at: "dangling"))
        try #require(scratch.link(to: ".", at: "above"))
        func refusal(_ path: String) -> ContainerError? {
            error(ContainerError.self) {
                try ContainerFolder.open(scratch.file(path), access: .owner)
            }
        }
        func reason(_ path: String) -> ContainerError.Reason? { refusal(path)?.reason }
        #expect(refusal("link")?.message.hasSuffix("pass the folder it points to") == true)
        #expect(refusal("dangling")?.message.hasSuffix("is not a folder") == true)
        #expect(reason("link") == .symbolicLink)
        #expect(reason("link/") == .symbolicLink)
        #expect(reason("dangling") == .danglingLink)
        let above = try ContainerFolder.open(scratch.file("above/container"), access: .owner)
        #expect(above.path == folder.path)
        let dot = try ContainerFolder.open(scratch.file("container/."), access: .owner)
        #expect(dot.identity == folder.identity)
    }

    @Test("S-01 what is no folder, and no name, is refused")
    func notAFolder() throws {
        let scratch = try Scratch()
        write([1], to: scratch.file("file"))
        #expect(
            containerKind { try ContainerFolder.open(scratch.file("file"), access: .owner) }
                == .notAFolder)
        #expect(
            containerKind { try ContainerFolder.open(scratch.file("file/x"), access: .owner) }
                == .notAFolder)
        let long = String(repeating: "x", count: 5_000)
        for path in ["", "/", "///", "a\0b", "/\(long)"] {
            #expect(
                containerKind { try ContainerFolder.open(path, access: .owner) } == .invalidName)
        }
        let folder = try scratch.container()
        for name in ["", ".", "..", "a/b", "/etc", "a\0", String(repeating: "x", count: 256)] {
            #expect(containerKind { try folder.folder(name) } == .invalidName)
            #expect(containerKind { try folder.remove(name) } == .invalidName)
            #expect(containerKind { try AtomicFile(in: folder, name: name) } == .invalidName)
        }
        #expect(try folder.status(of: String(repeating: "x", count: 255)) == nil)
    }

    @Test("R-42 S-01 a name of 256 bytes is refused before the system is asked")
    func longestName() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        let longest = String(repeating: "x", count: 255)
        var file = try AtomicFile(in: folder, name: longest)
        try file.write([1])
        try file.commit()
        #expect(try folder.status(of: longest)?.size == 1)
        #expect {
            _ = try AtomicFile(in: folder, name: longest + "x")
        } throws: { error in
            (error as? ContainerError)?.message == "a file name is empty, too long or a path"
        }
    }

    @Test("S-01 a container whose path is not UTF-8 is refused, so no two share a store")
    func encoding() throws {
        let scratch = try Scratch()
        // As getenv, realpath and the command line give it out: repaired.
        let repaired = String(decoding: [0x61, 0xFF], as: UTF8.self)
        let path = scratch.path + "/" + repaired
        for given in [path, path + "/inner"] {
            #expect(
                containerKind {
                    try ContainerFolder.open(given, access: .owner, createsMissing: true)
                } == .invalidName)
        }
        #expect(throws: SystemError.self) { try System.status(at: path) }
        // A link in the way may lead to such a folder.
        let bytes: [CChar] = Array(scratch.path.utf8CString.dropLast()) + [0x2F, 0x61, -1, 0]
        try #require(mkdir(bytes, 0o700) == 0)
        let link = scratch.path + "/link"
        try #require(symlink(bytes, link) == 0)
        #expect(
            containerKind {
                try ContainerFolder.open(link + "/inner", access: .owner, createsMissing: true)
            } == .invalidName)
    }

    // MARK: - The store's file

    @Test("R-05 a new store is whole, private under any umask, and SQLite takes it as its own")
    func newStore() async {
        await #expect(processExitsWith: .success) {
            umask(0o777)
            let scratch = try Scratch()
            chmod(scratch.path, 0o700)
            let folder = try scratch.container()
            try folder.createStore(applicationID: applicationID)
            let file = try #require(try folder.checkStore(applicationID: applicationID))
            #expect(try System.status(at: folder.path).permissions == 0o700)
            #expect(read(folder.storePath).count == 4_096)
            #expect(Array(read(folder.storePath)[18...19]) == [2, 2])
            #expect(file.log == .none)
            #expect(file.warnings.isEmpty)
            let connection = try owner(folder, file)
            try connection.run("CREATE TABLE a (x INTEGER) STRICT")
            #expect(try connection.check(budget: Budget()).problems == [])
            #expect(try connection.pragma("PRAGMA user_version") == 0)
            for entry in try folder.entries() {
                #expect(entry.status.permissions == 0o600, "\(entry.name)")
            }
            #expect(try folder.entries().count == 3)
            try connection.close()
        }
    }

    @Test("R-05 a store is never made over another file")
    func newStoreReplacesNothing() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        write([7], to: folder.storePath)
        #expect(containerKind { try folder.createStore(applicationID: 1) } == .exists)
        #expect(read(folder.storePath) == [7])
        #expect(try folder.entries().count == 1)
    }

    @Test("R-05 where there is no store there is none, and a log alone is refused (R-03)")
    func missingStore() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        #expect(try folder.checkStore(applicationID: applicationID) == nil)
        for name in [ContainerName.log, ContainerName.journal] {
            write([1, 2, 3], to: "\(folder.path)/\(name)")
            let failure = check(folder)
            #expect(failure?.kind == .orphanedLog)
            #expect(failure?.reason == .databaseMissing)
            #expect(read("\(folder.path)/\(name)") == [1, 2, 3])
            try folder.remove(name)
        }
    }

    enum Odd: CaseIterable {
        case fifo, socket, folder, link, dangling, device
    }

    @Test(
        "R-05 what is no regular file is refused at once, at every name of the store",
        arguments: Odd.allCases)
    func oddFiles(odd: Odd) throws {
        let scratch = try Scratch()
        for name in [ContainerName.store, ContainerName.log, ContainerName.index] {
            let folder = try scratch.container(name)
            if name != ContainerName.store {
                try folder.createStore(applicationID: applicationID)
            }
            let path = "\(folder.path)/\(name)"
            let expected: ContainerError.Reason
            switch odd {
            case .fifo:
                try #require(mkfifo(path, 0o600) == 0)
                expected = .fifo
            case .socket:
                let short = try Scratch()
                try #require(scenestore_test_make_socket(short.file("s")) == 0)
                try #require(rename(short.file("s"), path) == 0)
                expected = .socket
            case .folder:
                try #require(mkdir(path, 0o700) == 0)
                expected = .folder
            case .link:
                write([1], to: "\(folder.path)/target")
                try #require(symlink("target", path) == 0)
                expected = .symbolicLink
            case .dangling:
                try #require(symlink("nowhere", path) == 0)
                expected = .danglingLink
            case .device:
                // Only root may make one; a link to one is refused as a link anyway.
                guard mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) == 0 else { return }
                expected = .device
            }
            let failure = check(folder)
            #expect(failure?.kind == .notAStore)
            #expect(failure?.reason == expected)
            #expect(failure?.file == name)
        }
    }

    @Test("R-05 an empty file, a sparse terabyte and junk are no stores")
    func noStores() throws {
        let scratch = try Scratch()
        let folder = try scratch.container()
        write([], to: folder.storePath)
        #expect(check(folder)?.reason == .empty)
        truncate(folder.storePath, 1 << 40)
        #expect(check(folder)?.reason == .tooLarge)
        truncate(folder.storePath, 1 << 20)
        #expect(check(folder)?.reason == .notSQLite)
        truncate(folder.storePath, 50)
        write(Array("SQLite format 3\0".utf8), to: folder.storePath)
        #expect(check(folder)?.reason == .notSQLite)
        try folder.remove(ContainerName.store)
        try folder.createStore(applicationID: applicationID)
        truncate(folder.storePath, 1 << 40)
        #expect(check(folder)?.reason == .tooLarge)
    }

    @Test("R-05 the header tells other applications, page sizes and encodings before SQLite opens")
    func foreignHeaders() throws {
        let scratch = try Scratch()
        func reason(_ name: String, _ sql: String) throws -> ContainerError.Reason? {
            let folder = try scratch.container(name)
            plainSQLite(folder.storePath, sql + "CREATE TABLE a (x);")
            return check(folder)?.reason
        }
        let mark = "PRAGMA application_id = \(applicationID);"
        #expect(try reason("1", "") == .otherApplication)
        #expect(try reason("2", "PRAGMA page_size = 65536;" + mark) == .pageSize)
        #expect(try reason("3", "PRAGMA encoding = 'UTF-16be';" + mark) == .encoding)
        #expect(try reason("4", mark) == nil)
        let folder = try scratch.container("5")
        try folder.createStore(applicationID: applicationID)
        write([9], to: folder.storePath, at: 21)
        #expect(check(folder)?.reason == .damagedHeader)
    }

    @Test("R-21 user_version is read from the file itself")
    func userVersion() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        #expect(file.header.userVersion == 0)
        let connection = try owner(folder, file)
        try connection.run("PRAGMA user_version = 12")
        let scan = try #require(try WALScan(folder))
        let page = try #require(scan.firstPage)
        #expect(try StoreHeader(page, expecting: applicationID).userVersion == 12)
        try connection.close()
        let later = try #require(try folder.checkStore(applicationID: applicationID))
        #expect(later.header.userVersion == 12)
    }

    @Test("R-05 a second hard link is a warning")
    func hardLink() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        link(folder.storePath, scratch.file("second"))
        let file = try #require(try folder.checkStore(applicationID: applicationID))
        #expect(file.warnings == [.hardLink])
    }

    @Test("S-01 a world-writable folder above without the sticky bit is a warning")
    func replaceable() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        for (mode, warnings) in [
            (0o777, [.replaceable]), (0o1777, []), (0o775, []), (0o722, [.replaceable]),
        ] as [(mode_t, Set<StoreFile.Warning>)] {
            chmod(scratch.path, mode)
            #expect(try folder.checkStore(applicationID: applicationID)?.warnings == warnings)
        }
        chmod(scratch.path, 0o700)
    }

    @Test("S-01 a folder that has other files keeps its permissions, and that is a warning")
    func shared() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        chmod(folder.path, 0o755)
        write(Array("theirs".utf8), to: scratch.file("container/index.html"))
        let opened = try ContainerFolder.open(folder.path, access: .owner)
        #expect(try System.status(at: folder.path).permissions == 0o755)
        #expect(try opened.checkStore(applicationID: applicationID)?.warnings == [.shared])
        let quarantine = try opened.folder(ContainerName.quarantine, createsMissing: true)
        chmod(quarantine.path, 0o755)
        write(Array("aside".utf8), to: scratch.file("container/quarantine/anything"))
        _ = try opened.folder(ContainerName.quarantine)
        #expect(try System.status(at: quarantine.path).permissions == 0o700)
        unlink(scratch.file("container/index.html"))
        let own = try ContainerFolder.open(folder.path, access: .owner)
        #expect(try System.status(at: folder.path).permissions == 0o700)
        #expect(try own.checkStore(applicationID: applicationID)?.warnings == [])
    }

    @Test("R-05 files that others may read are made private by an owner")
    func tightensFiles() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        chmod(folder.storePath, 0o644)
        let reader = try ContainerFolder.open(folder.path, access: .reader)
        #expect(try reader.checkStore(applicationID: applicationID)?.warnings == [])
        #expect(try System.status(at: folder.storePath).permissions == 0o644)
        let file = try folder.checkStore(applicationID: applicationID)
        #expect(file?.warnings == [.permissionsTightened])
        #expect(try System.status(at: folder.storePath).permissions == 0o600)
        chmod(folder.storePath, 0o666)
        #expect(
            error(ContainerError.self) {
                try reader.checkStore(applicationID: applicationID)
            }?.reason == .writableByOthers)
    }

    @Test("S-10 want of permission is told apart")
    func permission() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let (folder, _) = try scratch.store()
            chmod(folder.storePath, 0o000)
            if geteuid() == 0 {
                for path in [scratch.path, folder.path, folder.storePath] {
                    chown(path, 65_534, 65_534)
                }
                #expect(setuid(65_534) == 0)
            }
            let failure = error(ContainerError.self) {
                try folder.checkStore(applicationID: applicationID)
            }
            #expect(failure?.kind == .permission)
            chmod(folder.path, 0o500)
            #expect(containerKind { try OwnerLock.acquire(folder).release() } == .permission)
        }
    }

    @Test(
        "S-10 every system error that a user can act on has a kind",
        arguments: [
            (EACCES, ContainerError.Kind.permission), (EROFS, .readOnlyVolume),
            (ENOSPC, .diskFull), (EDQUOT, .diskFull), (ENOMEM, .outOfMemory),
            (EMFILE, .tooManyFiles), (ENFILE, .tooManyFiles), (ENOENT, .missing),
            (ENOTDIR, .notAFolder), (EEXIST, .exists), (ENOLCK, .locksUnsupported),
            (EIO, .ioError),
        ] as [(Int32, ContainerError.Kind)])
    func systemErrors(code: Int32, kind: ContainerError.Kind) {
        #expect(ContainerError(SystemError(code: code), "doing it").kind == kind)
    }
}
