import SceneStore
import enum SceneStoreSQLite.ContainerName
import enum SceneStoreSQLite.System

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a process with many open stores measures of itself, and tells in a line each.
///
/// Each store is opened, saves one state, does its idle work and stays open, one after the other, as
/// requests come to a server. Then each saves again, and all are closed.
final class ServersProbe {
    /// How the stores are opened.
    enum Kind: String, CaseIterable {
        case standard = "default"
        case atRest = "closesWhenIdle"

        var options: SceneSessionStore.Options {
            var options = LibrarySide.options
            options.closesWhenIdle = self == .atRest
            return options
        }
    }

    private let kind: Kind
    private let containers: [String]
    private let states: SampleStates
    private var stores: [SceneSessionStore] = []
    private let keys: [Int64]
    private var times: [String: [Double]] = [:]

    static func run(_ kind: Kind, count: Int, _ folder: BenchmarkFolder) throws {
        guard residentBytes() != nil, openDescriptors() != nil else {
            Terminal.exitAtOnce(Probe.unsupported)
        }
        raiseLimit()
        let probe = try ServersProbe(kind, count, folder)
        try probe.measure()
    }

    private init(_ kind: Kind, _ count: Int, _ folder: BenchmarkFolder) throws {
        self.kind = kind
        states = try SampleStates(count: 64)
        let origin = try LibrarySide.make(sessions: 10, in: folder)
        keys = try LibrarySide.keys(of: origin)
        // One more, with which everything is done once that is done once in a process.
        containers = try (0...count).map { _ in try folder.copyStore(of: origin) }
    }

    private func measure() throws {
        try use(containers[0])
        try stores.removeLast().close()
        times = [:]
        let memory = Self.residentBytes() ?? 0
        let descriptors = Self.openDescriptors() ?? 0
        var busy = 0
        for container in containers.dropFirst() {
            busy = max(busy, try use(container))
        }
        let count = Double(stores.count)
        Self.tell("memory", Double((Self.residentBytes() ?? 0) - memory) / count)
        Self.tell("descriptors", Double((Self.openDescriptors() ?? 0) - descriptors) / count)
        Self.tell("busy-descriptors", Double(busy))
        Self.tell("disk", Double(try bytes()) / count)
        for store in stores {
            try time("save-again") { try save(store, 1) }
            try time("idle-again") { try idle(store) }
        }
        for store in stores {
            try time("close") { try store.close() }
        }
        Self.tell("closed-disk", Double(try bytes()) / count)
        for (name, times) in times {
            Self.tell(name, Summary.median(times))
        }
    }

    /// Opens a store, saves and does idle work; answers the descriptors that were added before that.
    @discardableResult
    private func use(_ container: String) throws -> Int {
        let before = Self.openDescriptors() ?? 0
        var opened: SceneSessionStore?
        try time("open") {
            opened = try SceneSessionStore.open(at: .directory(container), options: kind.options)
        }
        guard let store = opened else {
            return 0
        }
        stores.append(store)
        try time("save") { try save(store, 0) }
        let busy = (Self.openDescriptors() ?? 0) - before
        try time("idle") { try idle(store) }
        return busy
    }

    private func save(_ store: SceneSessionStore, _ number: Int) throws {
        let state = StateToSave(key: keys[number], activity: states.activities[number])
        try store.save([state], context: LibrarySide.context)
    }

    private func idle(_ store: SceneSessionStore) throws {
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
    }

    private func time(_ name: String, _ body: () throws -> Void) throws {
        times[name, default: []].append(try Interleaving.time(body))
    }

    private static func tell(_ name: String, _ value: Double) {
        Terminal.print("\(name) \(value)")
    }

    /// What the files of all stores take.
    private func bytes() throws -> Int64 {
        var sum: Int64 = 0
        for container in containers.dropFirst() {
            for name in ContainerName.all {
                sum += (try? System.status(at: "\(container)/\(name)").size) ?? 0
            }
        }
        return sum
    }

    // MARK: - The process

    /// As many descriptors as the system allows without asking.
    private static func raiseLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else {
            return
        }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }

    /// The memory of this process that is in use, from Linux's `/proc`.
    private static func residentBytes() -> Int? {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return nil
        }
        defer { close(descriptor) }
        let words = Terminal.read(descriptor, limit: 256).split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]) else {
            return nil
        }
        return pages * Int(getpagesize())
    }

    private static func openDescriptors() -> Int? {
        guard let folder = opendir("/proc/self/fd") else {
            return nil
        }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil {
            count += 1
        }
        return count
    }
}
