import SceneStore
import SceneStoreBenchmarkFloor

/// What this program does as its own child, so many times.
enum ProbeKind: String, CaseIterable {
    /// Unchanged saves in a process that may make no system call.
    case silentSaves = "silent-saves"
    case librarySaves = "library-saves"
    case floorSaves = "floor-saves"
    /// The floor, given the bytes.
    case floorReadySaves = "floor-ready-saves"
    /// Encoding the states that are saved, and nothing else.
    case libraryEncodeState = "library-encode-state"
    case libraryUnchanged = "library-unchanged"
    case floorUnchanged = "floor-unchanged"
    case librarySkeleton = "library-skeleton"
    case floorSkeleton = "floor-skeleton"
    /// A launch that connects all windows of a store, from opening it to closing it.
    case libraryRelaunch = "library-relaunch"
    case floorRelaunch = "floor-relaunch"
    case libraryEncode = "library-encode"
    case floorEncode = "floor-encode"
    case libraryDecode = "library-decode"
    /// The same, and only one value is asked for.
    case libraryDecodeOne = "library-decode-one"
    case floorDecode = "floor-decode"
    /// Many stores, open as ever and with their connections closed while idle.
    case openStores = "open-stores"
    case restingStores = "resting-stores"
    /// What breaks in an app of so many functions with scenes.
    case adopt
    /// Opening a store whose first page is lost.
    case recover
    /// Scenarios of so many windows or launches.
    case simulateWindows = "simulate-windows"
    case simulateLaunches = "simulate-launches"
    /// `saveState` of an app's window, whose state is there already, is made when it is asked for, or is
    /// the one that is stored.
    case publicSaves = "public-saves"
    case publicSavesMade = "public-saves-made"
    case publicUnchanged = "public-unchanged"
    /// What an app of so many connected windows does to one of them, and quitting with them.
    case closeBehind = "close-behind"
    case close
    case link
    case linkTo = "link-to"
    case newWindow = "new-window"
    case leave
    case acknowledge
    case connectNext = "connect-next"
    case quit
}

enum Probe {
    /// The status that says: not on this system.
    static let unsupported: Int32 = 77

    static func run(
        _ name: String, rounds: Int, sessions: Int, in directory: String?
    ) throws {
        guard let kind = ProbeKind(rawValue: name) else {
            throw BenchmarkFailure("there is no probe \(name)")
        }
        let folder = try BenchmarkFolder(in: directory)
        switch kind {
        case .silentSaves: try saveSilently(rounds, folder)
        case .librarySaves, .libraryUnchanged:
            try saveLibrary(rounds, folder, changes: kind == .librarySaves)
        case .floorSaves, .floorReadySaves, .floorUnchanged:
            try saveFloor(
                rounds, folder, changes: kind != .floorUnchanged,
                encodes: kind != .floorReadySaves)
        case .libraryEncodeState: try encodeStates(rounds)
        case .librarySkeleton, .floorSkeleton:
            try readSkeleton(rounds, sessions, folder, isFloor: kind == .floorSkeleton)
        case .libraryRelaunch, .floorRelaunch:
            try RelaunchProbe.run(rounds, sessions, folder, isFloor: kind == .floorRelaunch)
        case .libraryEncode, .floorEncode, .libraryDecode, .libraryDecodeOne, .floorDecode:
            try useCodec(kind, rounds)
        case .openStores: try ServersProbe.run(.standard, count: sessions, folder)
        case .restingStores: try ServersProbe.run(.atRest, count: sessions, folder)
        case .adopt: try AdoptProbe.run(functions: sessions)
        case .recover: try GrowthProbe.recover(sessions: sessions, folder)
        case .simulateWindows: try GrowthProbe.simulate(windows: sessions, folder)
        case .simulateLaunches: try GrowthProbe.simulate(launches: sessions, folder)
        case .publicSaves, .publicSavesMade, .publicUnchanged:
            try PublicProbe.save(kind, rounds, folder)
        case .closeBehind, .close, .link, .linkTo, .newWindow, .leave, .acknowledge, .connectNext,
            .quit:
            try PublicProbe.run(kind, rounds, of: sessions, folder)
        }
    }

    private static func saveSilently(_ rounds: Int, _ folder: BenchmarkFolder) throws {
        let side = try LibrarySide(container: try LibrarySide.make(sessions: 10, in: folder))
        let activity = try SampleState.activity(1)
        let save = [StateToSave(key: side.keys[0], activity: activity)]
        // Memory that these need is at hand afterwards.
        var written = 0
        for _ in 0..<100 {
            written += try side.store.save(save, context: LibrarySide.context).count
        }
        guard written == 1 else {
            throw BenchmarkFailure("an unchanged state was written")
        }
        try folder.removeAll()
        guard floor_forbid_system_calls() == 1 else {
            Terminal.exitAtOnce(unsupported)
        }
        for _ in 0..<rounds {
            written += try side.store.save(save, context: LibrarySide.context).count
        }
        // Nothing that would clean up may run any more.
        Terminal.exitAtOnce(written == 1 ? 0 : 3)
    }

    /// What is done before anything is counted: rings fill up, statements are prepared.
    private static let warmUp = 120

    private static func saveLibrary(
        _ rounds: Int, _ folder: BenchmarkFolder, changes: Bool
    ) throws {
        let states = try SampleStates(count: 64)
        let side = try LibrarySide(container: try LibrarySide.make(sessions: 10, in: folder))
        // As the floor's states they are there before anything is counted.
        let saves = (0..<warmUp + rounds).map { number in
            let index = changes ? number / 10 % states.count : 0
            return [side.toSave(states.activities[index], session: changes ? number % 10 : 0)]
        }
        func save(_ number: Int) throws {
            _ = try side.save(saves[number], durability: .normal)
        }
        for number in 0..<warmUp {
            try save(number)
        }
        try InstructionCount.counted {
            for number in warmUp..<warmUp + rounds {
                try save(number)
            }
        }
        try side.store.close()
    }

    private static func saveFloor(
        _ rounds: Int, _ folder: BenchmarkFolder, changes: Bool, encodes: Bool
    ) throws {
        let states = try SampleStates(count: 64)
        let container = try LibrarySide.make(sessions: 10, in: folder)
        let library = try LibrarySide(container: container)
        let keys = library.keys
        try library.store.close()
        let floor = try FloorSide(container: container)
        try floor.setDurable(false)
        func save(_ number: Int) throws {
            let index = changes ? number / 10 % states.count : 0
            var batch = [
                states.floorState(
                    index, session: keys[changes ? number % 10 : 0], encodes: encodes)
            ]
            _ = try floor.save(&batch)
        }
        for number in 0..<warmUp {
            try save(number)
        }
        try InstructionCount.counted {
            for number in warmUp..<warmUp + rounds {
                try save(number)
            }
        }
        try floor.close()
    }

    private static func encodeStates(_ rounds: Int) throws {
        let states = try SampleStates(count: 64)
        var bytes = 0
        try InstructionCount.counted {
            for number in 0..<rounds {
                bytes += try ValueCodec.encode(states.activities[number / 10 % 64]).count
            }
        }
        guard bytes > 0 else {
            throw BenchmarkFailure("the codec made nothing")
        }
    }

    private static func readSkeleton(
        _ rounds: Int, _ sessions: Int, _ folder: BenchmarkFolder, isFloor: Bool
    ) throws {
        let container = try Origins(folder: folder, states: 10).store(sessions: sessions)
        var count = 0
        if isFloor {
            let store = try FloorSide.open(container)
            func read() {
                let skeleton = floor_read_skeleton(store)
                count += skeleton.map { floor_skeleton_count($0) } ?? 0
                floor_skeleton_free(skeleton)
            }
            read()
            try InstructionCount.counted {
                for _ in 0..<rounds {
                    read()
                }
            }
            _ = floor_close(store)
        } else {
            let side = try LibrarySide(container: container)
            count += try side.store.openRecords().count
            try InstructionCount.counted {
                for _ in 0..<rounds {
                    count += try side.store.openRecords().count
                }
            }
            try side.store.close()
        }
        guard count == (rounds + 1) * sessions else {
            throw BenchmarkFailure("sessions are missing")
        }
    }

    private static func useCodec(_ kind: ProbeKind, _ rounds: Int) throws {
        let subject = try CodecSubject()
        var total = 0
        try InstructionCount.counted {
            for _ in 0..<rounds {
                switch kind {
                case .libraryEncode: total &+= try subject.encode()
                case .floorEncode: total &+= try subject.floorEncode()
                case .libraryDecode: total &+= try subject.decode()
                case .libraryDecodeOne: total &+= try subject.decodeOne()
                default: total &+= try subject.floorDecode()
                }
            }
        }
        guard total > 0 || rounds == 0 else {
            throw BenchmarkFailure("the codec made nothing")
        }
    }
}
