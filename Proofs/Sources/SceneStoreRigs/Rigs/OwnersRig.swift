import SceneStore
import SceneStoreCTestSupport
import SceneStoreSQLite
import SceneStoreTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// R-01, S-30, S-32, S-33: ten processes want one container.
///
/// One owns it at a time and the others are told which; no update is lost, and the owner never
/// hears that the store is busy. A stopped owner keeps its store. After a death exactly one
/// successor gets it, also while a child that the dead one forked lives on. One that let go of it
/// finds what others wrote meanwhile, and is refused while they have it.
///
/// Two controls must fail: processes that remove the lock's file, and processes that count on from
/// what they remember.
enum OwnersRig: Rig {
    static let watchdogSeconds: UInt32 = 600
    static let processes = 10
    static let updates: Int64 = 5

    static let unlocked = RigControl(
        number: 1, flaw: "the lock's file is removed", text: "a contender says: failed")
    static let remembering = RigControl(
        number: 2, flaw: "what others wrote is not read", text: "updates are there")

    static func jobs(_ plan: RigPlan) -> [Job] {
        let controls = [unlocked, remembering].map {
            Job(.owners, seed: plan.seed).with("turns", 4).with($0)
        }
        return controls
            + (0..<UInt64(plan.isLong ? 40 : 2)).map { round in
                Job(.owners, seed: plan.seed).with("round", round)
                    .with("turns", plan.isLong ? 8 : 4)
            }
    }

    /// What a contender does wrong, if anything.
    enum Mode: String {
        case turns, unlocked, remembering

        init(_ control: RigControl?) {
            switch control {
            case OwnersRig.unlocked: self = .unlocked
            case OwnersRig.remembering: self = .remembering
            default: self = .turns
            }
        }
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        let container = try RealContainer()
        if let control = job.control(of: [unlocked, remembering]) {
            var findings = RigFindings(control, report)
            do {
                try takeTurns(container, job, Mode(control), JobReport())
            } catch {
                findings.add("\(error)", replay: job)
            }
            return findings.finish(job)
        }
        do {
            try takeTurns(container, job, .turns, report)
            try outliveOwner(container, stopping: true, job, report)
            try outliveOwner(container, stopping: false, job, report)
            try letGo(container, report)
        } catch {
            report.violation("\(error)", replay: job)
        }
    }

    /// Ten processes count together, each in several turns as the owner.
    private static func takeTurns(
        _ container: RealContainer, _ job: Job, _ mode: Mode, _ report: JobReport
    ) throws {
        let store = try container.openStore()
        _ = try store.insertSession(
            identifier: "counter", configuration: StoreTruth.configuration)
        try store.close()
        let turns = job.int("turns")
        let children = try (0..<processes).map { _ in
            try contender(container, mode.rawValue, turns)
        }
        let known = Set(children.map(\.identifier))
        for child in children {
            child.closeInput()
        }
        for child in children {
            try follow(child, known, report)
        }
        let reader = try container.openStore()
        defer { reader.abandon() }
        let total = Int64(processes * turns) * updates
        let found = try number(in: reader)
        guard found == total else {
            throw StoreTruth.Wrong(description: "\(found) of \(total) updates are there")
        }
        report.count("updates", UInt64(total))
    }

    private static func contender(
        _ container: RealContainer, _ mode: String, _ turns: Int
    ) throws -> ChildProcess {
        try ChildProcess(["--job", "contender", container.path, mode, String(turns)])
    }

    /// Reads what a contender says until it ends.
    private static func follow(
        _ child: ChildProcess, _ known: Set<Int32>, _ report: JobReport
    ) throws {
        while let lines = child.lines(timeout: -1) {
            for line in lines {
                try take(line, known, report)
            }
        }
        let end = child.wait()
        guard end == .exited(0) else {
            throw StoreTruth.Wrong(description: "a contender ends with \(end)")
        }
    }

    private static func take(
        _ line: Substring, _ known: Set<Int32>, _ report: JobReport
    ) throws {
        let words = line.split(separator: " ")
        switch words.first {
        case "turn": report.count("turns")
        case "owned" where words.count == 2:
            // Between taking the lock and signing it an owner is still nameless.
            guard words[1] != "nil" else {
                report.count("refusals before the owner had signed")
                return
            }
            guard let process = Int32(words[1]), known.contains(process) else {
                throw StoreTruth.Wrong(description: "owned by \(words[1]), who is none of us")
            }
            report.count("refusals that name the owner")
        default:
            throw StoreTruth.Wrong(description: "a contender says: \(line)")
        }
    }

    private static func number(in store: SceneSessionStore) throws -> Int64 {
        guard let record = try store.record(identifier: "counter") else {
            throw StoreTruth.Wrong(description: "the counter is gone")
        }
        return try StoreTruth.number(
            try store.restorationActivity(key: record.key), of: "counter") ?? 0
    }

    // MARK: - Stopped, and dead with a living child

    private static func outliveOwner(
        _ container: RealContainer, stopping: Bool, _ job: Job, _ report: JobReport
    ) throws {
        let owner = try contender(container, stopping ? "hold" : "fork", 0)
        owner.closeInput()
        let forked = try firstNumber(of: owner, "holds")
        defer {
            if !stopping {
                kill(forked, SIGKILL)
            }
        }
        if stopping {
            owner.send(SIGSTOP)
        }
        for _ in 0..<3 {
            try expectRefusal(container, by: owner.identifier)
        }
        report.count("refusals by a \(stopping ? "stopped" : "forking") owner", 3)
        let heirs = try (0..<processes - 1).map { _ in try contender(container, "inherit", 0) }
        owner.send(SIGKILL)
        _ = owner.wait()
        if !stopping, kill(forked, 0) != 0 {
            throw StoreTruth.Wrong(description: "the forked child did not outlive its parent")
        }
        for heir in heirs {
            heir.closeInput()
        }
        // Each says what it got, and holds it until it is killed.
        var successors = 0
        for heir in heirs {
            var said: Substring?
            while said == nil, let lines = heir.lines(timeout: -1) {
                said = lines.first
            }
            switch said?.split(separator: " ").first {
            case "inherits": successors += 1
            case "owned": break
            default:
                throw StoreTruth.Wrong(description: "an heir says: \(said ?? "nothing")")
            }
        }
        for heir in heirs {
            heir.send(SIGKILL)
            _ = heir.wait()
        }
        guard successors == 1 else {
            throw StoreTruth.Wrong(description: "\(successors) successors of a dead owner")
        }
        report.count("single successors")
    }

    // MARK: - Letting go

    /// This process lets go of the container, another one counts on in it; a third holds it, then
    /// dies.
    private static func letGo(_ container: RealContainer, _ report: JobReport) throws {
        let store = try container.openStore()
        defer { store.abandon() }
        let before = try number(in: store)
        try store.suspend()
        let writer = try contender(container, Mode.turns.rawValue, 1)
        writer.closeInput()
        try follow(writer, [writer.identifier], report)
        guard try store.resume(), try number(in: store) == before + updates else {
            throw StoreTruth.Wrong(description: "what another process wrote meanwhile is not seen")
        }
        try store.suspend()
        guard try !store.resume() else {
            throw StoreTruth.Wrong(description: "a change is told twice")
        }
        try store.suspend()
        let holder = try contender(container, "hold", 0)
        holder.closeInput()
        _ = try firstNumber(of: holder, "holds")
        for _ in 0..<3 {
            var refusal: SceneStoreError?
            do throws(SceneStoreError) {
                try store.resume()
            } catch {
                refusal = error
            }
            guard refusal?.code == .owned, refusal?.ownerProcess == holder.identifier else {
                throw StoreTruth.Wrong(description: "a container was taken back from its owner")
            }
        }
        holder.send(SIGKILL)
        _ = holder.wait()
        guard try store.resume(), try number(in: store) == before + updates else {
            throw StoreTruth.Wrong(description: "a dead holder's container is not taken back")
        }
        report.count("containers let go and taken back", 3)
    }

    private static func firstNumber(of child: ChildProcess, _ word: String) throws -> Int32 {
        while let lines = child.lines(timeout: -1) {
            guard let words = lines.first?.split(separator: " ") else {
                continue
            }
            guard words.count == 2, words[0] == word, let number = Int32(words[1]) else {
                throw StoreTruth.Wrong(description: "an owner says: \(words)")
            }
            return number
        }
        throw StoreTruth.Wrong(description: "an owner ended with \(child.wait())")
    }

    private static func expectRefusal(_ container: RealContainer, by owner: Int32) throws {
        do throws(SceneStoreError) {
            let store = try container.openStore()
            store.abandon()
        } catch {
            guard error.code == .owned, error.ownerProcess == owner else {
                throw error
            }
            return
        }
        throw StoreTruth.Wrong(description: "a living owner was taken over")
    }
}

/// One of the ten.
enum Contender {
    static func run(_ words: [String]) -> Int32 {
        guard words.count == 3, let turns = Int(words[2]) else {
            return 2
        }
        do {
            if let mode = OwnersRig.Mode(rawValue: words[1]) {
                try takeTurns(words[0], turns, mode)
                return 0
            }
            switch words[1] {
            case "hold": try hold(words[0], forks: false)
            case "fork": try hold(words[0], forks: true)
            default: try inherit(words[0])
            }
            return 0
        } catch {
            Terminal.print("failed \(error)")
            return 1
        }
    }

    private static func open(
        _ path: String, timeout: Int = 0
    ) throws(SceneStoreError) -> SceneSessionStore {
        var options = SceneSessionStore.Options()
        let clock = VirtualClock()
        options.clock = { clock.now }
        options.ownerTimeout = timeout
        options.corruption = .fail
        return try SceneSessionStore.open(at: .directory(path), options: options)
    }

    private static func takeTurns(
        _ path: String, _ turns: Int, _ mode: OwnersRig.Mode
    ) throws {
        Terminal.waitForParent()
        let claim = path + ".claim"
        var done = 0
        var remembered: Int64 = 0
        while done < turns {
            if mode == .unlocked {
                unlink(path + "/" + ContainerName.lock)
            }
            let store: SceneSessionStore
            do throws(SceneStoreError) {
                store = try open(path)
            } catch {
                guard error.code == .owned else {
                    throw error
                }
                Terminal.print("owned \(error.ownerProcess.map { "\($0)" } ?? "nil")")
                usleep(1_000)
                continue
            }
            guard mkdir(claim, 0o700) == 0 else {
                throw StoreTruth.Wrong(description: "two owners at once")
            }
            guard let record = try store.record(identifier: "counter") else {
                throw StoreTruth.Wrong(description: "the counter is gone")
            }
            for _ in 0..<OwnersRig.updates {
                let number =
                    try StoreTruth.number(
                        try store.restorationActivity(key: record.key), of: "counter") ?? 0
                remembered = (mode == .remembering ? remembered : number) + 1
                try store.save([(record, remembered)])
            }
            rmdir(claim)
            // Half of them leave as if they had died.
            if done % 2 == 0 {
                try store.close()
            } else {
                store.abandon()
            }
            done += 1
            Terminal.print("turn \(done)")
        }
    }

    private static func hold(_ path: String, forks: Bool) throws {
        let store = try open(path)
        var process = Terminal.processIdentifier
        if forks {
            process = scenestore_test_fork(
                { _ in
                    // Outlives its parent, with every descriptor that it inherited.
                    sleep(60)
                    return 0
                }, nil)
        }
        Terminal.print("holds \(process)")
        sleep(300)
        store.abandon()
    }

    private static func inherit(_ path: String) throws {
        Terminal.waitForParent()
        do throws(SceneStoreError) {
            let store = try open(path)
            Terminal.print("inherits")
            sleep(300)
            store.abandon()
        } catch {
            guard error.code == .owned else {
                throw error
            }
            Terminal.print("owned")
            sleep(300)
        }
    }
}
