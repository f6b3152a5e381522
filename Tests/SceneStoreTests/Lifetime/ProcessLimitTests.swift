import Foundation
import SceneStoreRecovery
import SceneStoreStorage
import SceneStoreValues
import Testing

@testable import SceneStore
@testable import SceneStoreTesting

#if canImport(Glibc)
    import Glibc

    /// What the system grants a process ends while the app runs: no window is lost (L-17).
    @Suite("Limits of the process")
    struct ProcessLimitTests {
        /// Sets how much the process may have of something, from now on.
        private static func limit(_ resource: __rlimit_resource, to amount: Int) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
            limit.rlim_cur = rlim_t(amount)
            setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        }

        private static func type(_ text: String, _ running: SceneApplication) throws {
            let (scene, note) = try #require(running.firstNote)
            note.text = text
            try running.saveState(of: [scene.identifier])
        }

        private static func size(_ device: SimulatedDevice) throws -> Int {
            try ["scenes.sqlite", "scenes.sqlite-wal"].map { name in
                let path = device.containerPath + "/" + name
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                return (attributes[.size] as? NSNumber)?.intValue ?? 0
            }.max() ?? 0
        }

        private static func device() throws -> SimulatedDevice {
            var options = SceneApplicationOptions(manifest: .notes)
            options.persistsInbox = true
            return try SimulatedDevice(storage: .temporaryDirectory, options: options)
        }

        /// The process dies, and the next one has all that the windows did.
        private static func expectAll(after device: SimulatedDevice) throws {
            device.kill()
            let again = try device.launch { NotesApp() }
            #expect(again.firstNote?.note.text == "second")
            #expect(try again.recentlyClosedGroups().flatMap(\.sessions).count == 1)
            #expect(try again.waitingPayloads().count == 1)
            #expect(try again.store.verify(.full).findings.isEmpty)
        }

        @Test("L-17 R-04 beyond the size that files may have windows go on, until they may")
        func fileSize() async {
            await #expect(processExitsWith: .success) {
                signal(SIGXFSZ, SIG_IGN)
                let device = try Self.device()
                let running = try device.launch { NotesApp() }
                try Self.type("first", running)
                let first = try #require(running.connectedScenes.first)
                // Not even a frame of the log can be written again.
                Self.limit(RLIMIT_FSIZE, to: 512)
                try device.openWindow()
                #expect(throws: SceneStoreError(.diskFull, "")) {
                    try Self.type("second", running)
                }
                try running.closeWindow(of: first.identifier)
                try running.receive(.urls([OpenURLContext(url: "notes://later")]))
                #expect(device.diagnostics.map(\.code) == [.writeRefused])
                #expect(running.storeRefusal?.code == .diskFull)
                #expect(running.openSessions.count == 1)
                _ = try running.performIdleWork()
                #expect(running.storeRefusal != nil)

                Self.limit(RLIMIT_FSIZE, to: Int(Int32.max))
                _ = try running.performIdleWork()
                #expect(running.storeRefusal == nil)
                try Self.expectAll(after: device)
            }
        }

        @Test("L-17 R-04 the log of a file that was deleted stays until a new file is written")
        func deletedFile() async {
            await #expect(processExitsWith: .success) {
                signal(SIGXFSZ, SIG_IGN)
                let device = try Self.device()
                let running = try device.launch { NotesApp() }
                try Self.type("first", running)
                try FileManager.default.removeItem(atPath: device.containerPath + "/scenes.sqlite")
                #expect(throws: SceneStoreError(.moved, "")) {
                    try Self.type("second", running)
                }
                let log = device.containerPath + "/scenes.sqlite-wal"
                let bytes = FileManager.default.contents(atPath: log)
                Self.limit(RLIMIT_FSIZE, to: 4_096)
                #expect(throws: SceneStoreError(.diskFull, "")) { try running.reopenStore() }
                #expect(FileManager.default.contents(atPath: log) == bytes)
                Self.limit(RLIMIT_FSIZE, to: Int(Int32.max))
                try running.reopenStore()
                #expect(running.storeRefusal == nil)
                device.kill()
                #expect(try device.launch { NotesApp() }.firstNote?.note.text == "second")
            }
        }

        @Test("L-17 R-04 where the log alone meets the size that files may have, it begins anew")
        func logSize() async {
            await #expect(processExitsWith: .success) {
                signal(SIGXFSZ, SIG_IGN)
                let device = try Self.device()
                let running = try device.launch { NotesApp() }
                try Self.type("first", running)
                let first = try #require(running.connectedScenes.first)
                // What is in the files may be written again; nothing may be added.
                Self.limit(RLIMIT_FSIZE, to: try Self.size(device))
                try device.openWindow()
                #expect(device.diagnostics.map(\.code) == [.writeRefused])
                // As on a full disk, the checkpoint makes room.
                try Self.type("second", running)
                #expect(running.storeRefusal == nil)
                Self.limit(RLIMIT_FSIZE, to: Int(Int32.max))
                try running.closeWindow(of: first.identifier)
                try running.receive(.urls([OpenURLContext(url: "notes://later")]))
                try Self.expectAll(after: device)
            }
        }

        @Test("R-04 who leaves the signal as it is ends at such a write; what was stored stays")
        func fileSizeSignal() async throws {
            let device = try Self.device()
            let path = device.containerPath
            await #expect(processExitsWith: .signal(SIGXFSZ)) { [path = path as String] in
                // Threads of a pool block signals, an app's main thread does not.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGXFSZ)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                signal(SIGXFSZ, SIG_DFL)
                let options = SceneApplicationOptions(manifest: .notes)
                let device = try SimulatedDevice(storage: .directory(path), options: options)
                let running = try device.launch { NotesApp() }
                try Self.type("first", running)
                Self.limit(RLIMIT_FSIZE, to: try Self.size(device))
                try Self.type("second", running)
            }
            let again = try device.launch { NotesApp() }
            #expect(again.firstNote?.note.text == "first")
            #expect(try again.store.verify(.full).findings.isEmpty)
        }

        /// Runs a body while the process can open no file.
        private static func withoutDescriptors(_ body: () throws -> Void) throws {
            var taken: [Int32] = []
            limit(RLIMIT_NOFILE, to: 256)
            while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
            defer { for descriptor in taken { close(descriptor) } }
            try body()
        }

        @Test("L-17 R-04 an open store needs no other descriptor for whatever its windows do")
        func descriptors() async {
            await #expect(processExitsWith: .success) {
                let device = try Self.device()
                let running = try device.launch { NotesApp() }
                try Self.type("first", running)
                try Self.withoutDescriptors {
                    let first = try #require(running.connectedScenes.first)
                    try device.openWindow()
                    try Self.type("second", running)
                    try running.closeWindow(of: first.identifier)
                    try running.receive(.urls([OpenURLContext(url: "notes://later")]))
                    _ = try running.performIdleWork()
                    #expect(running.storeRefusal == nil)
                    #expect(device.diagnostics.isEmpty)
                }
                try Self.expectAll(after: device)
            }
        }

        @Test("S-26 R-04 a store at rest that can open no file says so, and loses nothing")
        func descriptorsAtRest() async {
            await #expect(processExitsWith: .success) {
                let device = try Self.device()
                device.storeOptions.closesWhenIdle = true
                let running = try device.launch { NotesApp() }
                try Self.type("first", running)
                device.wait(milliseconds: 3_600_000)
                #expect(running.store.isAtRest)
                let (scene, note) = try #require(running.firstNote)
                try Self.withoutDescriptors {
                    #expect(throws: SceneStoreError(.tooManyFiles, "")) {
                        try Self.type("second", running)
                    }
                    #expect(throws: SceneStoreError(.tooManyFiles, "")) {
                        try device.openWindow()
                    }
                    #expect(throws: SceneStoreError(.tooManyFiles, "")) {
                        try running.receive(.urls([OpenURLContext(url: "notes://later")]))
                    }
                    #expect(running.connectedScenes.map(\.identifier) == [scene.identifier])
                    // An autosave meets the same, and is tried again by itself.
                    note.text = "third"
                    running.scene(for: scene.identifier)?.setNeedsSave()
                    device.wait(milliseconds: 10_000)
                    #expect(running.store.isAtRest)
                }
                device.wait(milliseconds: 60_000)
                try running.receive(.urls([OpenURLContext(url: "notes://later")]))
                device.kill()
                let again = try device.launch { NotesApp() }
                #expect(again.firstNote?.note.text == "third")
                #expect(try again.waitingPayloads().count == 1)
                #expect(try again.store.verify(.full).findings.isEmpty)
            }
        }
    }
#endif
