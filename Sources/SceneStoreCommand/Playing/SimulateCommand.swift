#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreTesting

enum SimulateCommand {
    /// `simulate FILE…`.
    static let command = Command(
        CommandDescription(
            name: "simulate", group: .ask,
            summary: "Play launch histories and print every callback",
            discussion: """
                A scenario is a script, one step a line: launch, new-scene, background, kill, … It \
                is played by the real engine on a real store; the transcript shows each callback \
                an app would get, in order.

                An 'expect' step that is not met prints a difference and makes the exit status 1. \
                The same scenario prints the same bytes on every run and machine.

                With --store the scenario continues a store, whose sessions are A, B, … in the \
                order in which they were created. It plays on a copy; --in-place plays on the \
                store itself, after a question and a backup. If there is no store yet, the command \
                makes one. The scenario begins at the time of the store's last entry. 'plan' shows \
                a launch at the present time. Its result can differ, because a process that died \
                may by now count as one that ran for a long time.

                With --beside application the command plays the scenario twice, with an app \
                without scenes and with one that has them, each on a new store. A line for each \
                step shows what both get. 'expect' steps are not checked. A step that only one of \
                the two has, such as new-scene, shows nothing for the other.

                A scenario that continues a store and has no 'manifest' step uses what the app's \
                last launch declared: its manifest, and options such as how many sessions \
                reconnect. A 'policy' step overrides those options. If the store remembers no \
                manifest, every configuration counts as current, and nothing is discarded.
                """,
            arguments: [
                ArgumentDescription(
                    "FILE", .file(endings: ["scenario"]), "A scenario", count: .oneOrMore)
            ],
            options: [
                .json,
                .flag("why", "Print the reason of each decision"),
                .flag("keep", "Keep the store, or the copy, and print where it is"),
                .flag("in-place", "Play on the store itself, not on a copy"),
                .flag("processes", "Run each launch in a separate process; kill is SIGKILL"),
                .value(
                    "profile", "PROFILE", .choice(["scene", "application"]),
                    "Overrides the scenario's 'app lifecycle='"),
                .value(
                    "beside", "PROFILE", .choice(["application"]),
                    "Print two columns: without scenes, and with them"),
            ] + OptionDescription.writing,
            examples: [
                ExampleDescription(
                    "simulate Examples/Scenarios/two-windows.scenario",
                    "The life of two windows, over five launches"),
                ExampleDescription(
                    "simulate Examples/Scenarios/cold-link.scenario --why",
                    "Where the link that launched an app is delivered, and why"),
                ExampleDescription(
                    "simulate Examples/Scenarios/warm-link.scenario --beside application",
                    "What the app gets of a link, without scenes and with them"),
                ExampleDescription(
                    "simulate crash.scenario --store container --in-place --yes",
                    "Plays on the store itself, after a backup"),
            ])
    ) { invocation, context in
        let files = invocation.arguments("FILE")
        if invocation.isGiven("beside") {
            for file in files {
                try BesideSimulation(invocation, context, file: file).run()
            }
            return .done
        }
        let stage = try SimulationStage(invocation, context)
        guard try stage.prepare(scenarios: files.count) else {
            return .done
        }
        defer { stage.strike() }
        var worst = ExitStatus.done
        do {
            for file in files {
                let status = try Simulation(
                    invocation, context, file: file, container: stage.container(for: file),
                    keepsBackups: stage.keepsBackups
                ).run()
                if status.rawValue > worst.rawValue {
                    worst = status
                }
            }
        } catch {
            try stage.end()
            throw error
        }
        try stage.say()
        return worst
    }

    /// `__play FILE`: one process of a scenario, for `simulate --processes`.
    static let play = Command(
        CommandDescription(
            name: "__play", group: .ask,
            summary: "Play one process of a scenario",
            arguments: [ArgumentDescription("FILE", .file(), "The scenario")],
            options: [
                .json,
                .flag("why", "Print the reason of each decision"),
                .value("profile", "PROFILE", .choice(["scene", "application"]), "The profile"),
                .value("state", "FILE", .file(), "Where the player's state is"),
            ],
            examples: [ExampleDescription("__play a.scenario", "Used by simulate")],
            isHidden: true)
    ) { invocation, context in
        try Simulation(
            invocation, context, file: invocation.requiredArgument("FILE"),
            container: context.storePath(invocation)
        ).playOneProcess()
    }
}

/// A child has said what is wrong with the scenario.
private struct ChildHasReported: Error {}

/// One scenario played by the command.
private struct Simulation {
    let invocation: Invocation
    let context: CommandContext
    let file: String
    let container: String
    /// Whether an undo needs what is in the container's folders.
    let keepsBackups: Bool

    init(
        _ invocation: Invocation, _ context: CommandContext, file: String, container: String,
        keepsBackups: Bool = false
    ) {
        self.invocation = invocation
        self.context = context
        self.file = file
        self.container = container
        self.keepsBackups = keepsBackups
    }

    private var profile: Scenario.Profile? {
        invocation.text("profile").flatMap(Scenario.Profile.init(rawValue:))
    }

    private var output: ScenarioPlayer.Output {
        let isJSON = invocation.format == .json
        let explains = invocation.flag("why")
        return ScenarioPlayer.Output { line in
            // An output that fails is noticed when the command flushes it at its end.
            if isJSON {
                try? context.output.write(verbatim: line.json + "\n")
            } else {
                try? context.output.write(verbatim: line.text(explaining: explains))
            }
        } failure: { text in
            try? context.output.flush()
            try? context.errorOutput.write(verbatim: text)
            try? context.errorOutput.flush()
        }
    }

    func run() throws -> ExitStatus {
        let scenario = try context.scenario(file)
        do {
            let player = try ScenarioPlayer(
                scenario, container: container, profile: profile, output: output,
                processRunner: invocation.flag("processes") ? runProcess(container) : nil)
            player.beforeStep = context.checkInterruption
            player.keepsBackups = keepsBackups
            if let options = player.continuedOptions {
                try context.note(
                    "the scenario names no manifest: it uses the manifest that the store remembers, and reconnect=\(options.reconnection.word), as the last launch declared"
                )
            }
            if player.assumesManifest {
                try context.note(
                    TerminalText(
                        "the scenario names no manifest, and the store remembers none: every "
                            + "configuration counts as current, and nothing is discarded"))
            }
            return try player.play() ? .done : .answeredNo
        } catch let error as ScenarioError {
            throw CommandError.usage(error.description)
        } catch is ChildHasReported {
            return .usage
        }
    }

    // MARK: Processes

    /// Hands each launch to a child, and reads the player's state when it has ended.
    private func runProcess(_ container: String) -> ScenarioPlayer.ProcessRunner {
        { state in
            let folder = try PrivateFolder.make()
            defer { PrivateFolder.remove(folder) }
            let path = "\(folder)/state.json"
            try state.encoded().write(to: URL(filePath: path))
            try context.output.flush()
            var words = ["__play", file, "--state", path, "--store", container]
            if invocation.format == .json {
                words.append("--json")
            }
            if invocation.flag("why") {
                words.append("--why")
            }
            if let profile {
                words += ["--profile", profile.rawValue]
            }
            let end = ChildProcess.run(words)
            let answer = try PlayerState(decoding: Data(contentsOf: URL(filePath: path)))
            switch end {
            case .exited(ExitStatus.interrupted.rawValue): throw Interrupted()
            case .exited(ExitStatus.usage.rawValue):
                throw ChildHasReported()
            case .exited(0), .exited(1), .signaled(9):
                guard answer.step > state.step else {
                    throw CommandError(.internalError, "a process of the scenario got nowhere")
                }
                return answer
            default:
                throw CommandError(
                    .internalError, "a process of the scenario ended unexpectedly")
            }
        }
    }

    /// The child's side: plays from the launch to the process's end and dies as it says.
    func playOneProcess() throws -> ExitStatus {
        guard let path = invocation.text("state") else {
            throw CommandError.usage("__play needs --state")
        }
        let state = try PlayerState(decoding: Data(contentsOf: URL(filePath: path)))
        do {
            let player = try ScenarioPlayer(
                context.scenario(file), container: container, profile: profile, state: state,
                output: output,
                processEnder: { state, how in
                    try? context.output.flush()
                    try? state.encoded().write(to: URL(filePath: path))
                    if how != .quit {
                        ChildProcess.dieWithoutAWord()
                    }
                })
            player.beforeStep = context.checkInterruption
            return try player.play() ? .done : .answeredNo
        } catch let error as ScenarioError {
            throw CommandError.usage(error.description)
        }
    }
}

extension CommandContext {
    /// Reads a scenario.
    func scenario(_ file: String) throws -> Scenario {
        let bytes = try readFile(file, limit: Scenario.maximumBytes)
        do throws(ScenarioError) {
            return try Scenario(text: bytes, name: file)
        } catch {
            throw CommandError.usage(error.description)
        }
    }
}
