import SceneStore

/// Runs the store against power cuts, failing disks, kills, rivals and damage, and counts what it
/// got wrong.
///
///     Scripts/rigs.sh quick              # all of them, as every CI run does
///     Scripts/rigs.sh long --seed 7      # as many rounds as the contract asks for
///     Scripts/rigs.sh R-60 R-63          # some of them
///
/// Each rig prints one line. A violation prints the command that replays it.
@main
enum SceneStoreRigs {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if let role = words.first, role.hasPrefix("--job") {
            ChildMain.run(words.dropFirst())
        }
        do {
            let options = try RigOptions(words)
            if options.showsHelp {
                Terminal.print(RigOptions.help)
                return
            }
            Terminal.exit(run(options) ? 0 : 1)
        } catch {
            Terminal.complain("SceneStoreRigs: \(error)")
            Terminal.exit(2)
        }
    }

    /// Whether every promise was kept.
    private static func run(_ options: RigOptions) -> Bool {
        var isSound = true
        let clock = ContinuousClock()
        let start = clock.now
        for kind in options.rigs {
            let begin = clock.now
            let jobs = kind.rig.jobs(RigPlan(isLong: options.isLong, seed: options.seed))
            let result = JobPool(width: options.width, seconds: kind.rig.watchdogSeconds).run(jobs)
            let seconds = begin.duration(to: clock.now).inSeconds
            Terminal.print(result.line(kind, seed: options.seed, seconds: seconds))
            for violation in result.violations.prefix(20) {
                Terminal.complain("  \(violation)")
            }
            isSound = isSound && result.violations.isEmpty
        }
        let seconds = start.duration(to: clock.now).inSeconds
        Terminal.print(
            "\(isSound ? "no violation" : "VIOLATED") in \(Terminal.decimal(seconds)) s")
        return isSound
    }
}

/// The rigs, by the numbers of the reliability contract.
enum RigKind: String, CaseIterable {
    case powerCuts = "R-60"
    case sweep = "R-61"
    case kills = "R-62"
    case owners = "R-01"
    case damage = "R-63"

    var title: String {
        switch self {
        case .powerCuts: "power cuts"
        case .sweep: "failing calls"
        case .kills: "kills beside a reader"
        case .owners: "ten processes"
        case .damage: "damage"
        }
    }

    var rig: any Rig.Type {
        switch self {
        case .powerCuts: PowerCutRig.self
        case .sweep: SweepRig.self
        case .kills: KillRig.self
        case .owners: OwnersRig.self
        case .damage: DamageRig.self
        }
    }
}

/// How much is asked of the rigs.
struct RigPlan {
    var isLong: Bool
    var seed: UInt64
}

/// One way to ill-treat a store.
protocol Rig {
    /// After how many seconds a child that does not end counts as hung.
    static var watchdogSeconds: UInt32 { get }

    /// The pieces of work, each for a process of its own.
    static func jobs(_ plan: RigPlan) -> [Job]

    /// Does one piece.
    static func run(_ job: Job, _ report: JobReport) throws
}

extension Duration {
    /// Seconds and their fraction.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
