#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreTesting

/// A scenario played by an app without scenes and by one with them, side by side (L-66).
struct BesideSimulation {
    private let context: CommandContext
    private let isJSON: Bool
    private let file: String
    private let scenario: Scenario
    private let texts: [String]

    init(_ invocation: Invocation, _ context: CommandContext, file: String) throws {
        for option in ["store", "profile", "processes", "keep", "in-place", "why"]
        where invocation.isGiven(option) {
            throw CommandError.usage("--beside and --\(option) exclude each other")
        }
        self.context = context
        self.file = file
        isJSON = invocation.format == .json
        scenario = try context.scenario(file)
        let text = String(
            decoding: try context.readFile(file, limit: Scenario.maximumBytes), as: UTF8.self)
        texts = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map {
            String($0.drop(while: \.isWhitespace))
        }
    }

    /// What an app gets at each step, and the steps that it can't take.
    private struct Course {
        var calls: [[String]]
        var failures: [Int: ScenarioError] = [:]
    }

    /// Plays both and writes what they get.
    func run() throws {
        let without = try course(.application)
        let with = try course(.scene)
        for (step, error) in with.failures.sorted(by: { $0.key < $1.key })
        where without.failures[step] != nil {
            throw CommandError.usage(error.description)
        }
        if isJSON {
            return try writeJSON(without.calls, with.calls)
        }
        var table = try CallTable(of: "Step", context)
        for (index, step) in scenario.steps.enumerated()
        where !without.calls[index].isEmpty || !with.calls[index].isEmpty {
            try table.append(
                text(of: step), without: without.calls[index], with: with.calls[index])
        }
        try table.finish()
    }

    private func text(of step: ScenarioStep) -> String {
        texts.indices.contains(step.line - 1) ? texts[step.line - 1] : ""
    }

    private func course(_ profile: Scenario.Profile) throws -> Course {
        let folder = try PrivateFolder.make()
        defer { PrivateFolder.remove(folder) }
        var course = Course(calls: scenario.steps.map { _ in [] })
        var step = -1
        let player: ScenarioPlayer
        do {
            player = try ScenarioPlayer(
                scenario, container: folder, profile: profile,
                output: ScenarioPlayer.Output { line in
                    if let call = line.observedCall, course.calls.indices.contains(step) {
                        course.calls[step].append(call.description)
                    }
                } failure: { _ in
                })
        } catch let error as ScenarioError {
            throw CommandError.usage(error.description)
        }
        player.beforeStep = {
            try context.checkInterruption()
            step += 1
        }
        while true {
            do {
                _ = try player.play()
                return course
            } catch let error as ScenarioError {
                // An app without scenes has no windows to close; the play goes on behind the step.
                course.failures[step] = error
            }
        }
    }

    private func writeJSON(_ without: [[String]], _ with: [[String]]) throws {
        for (index, step) in scenario.steps.enumerated()
        where !without[index].isEmpty || !with[index].isEmpty {
            let line: CanonicalJSON = [
                "line": .integer(Int64(step.line)), "step": .string(text(of: step)),
                "withScenes": .array(with[index].map { .string($0) }),
                "withoutScenes": .array(without[index].map { .string($0) }),
            ]
            try context.output.json(line)
        }
    }
}
