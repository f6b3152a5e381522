#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreTesting

/// The container that a fixture is made in, and what it is made of.
struct FixturePlace {
    private let context: CommandContext
    private let directory: String
    private let origin: StoreFixture.Origin

    init(_ context: CommandContext, _ directory: String, _ origin: StoreFixture.Origin) {
        self.context = context
        self.directory = directory
        self.origin = origin
    }

    /// Whether there is a store in a directory that is to be replaced; throws unless that is asked
    /// for, and nobody owns it.
    func holdsReplaceable(_ invocation: Invocation) throws -> Bool {
        let location = SceneSessionStore.Location.container(path: directory)
        guard let found = try? ContainerExamination(of: location),
            found.store != nil || !found.interrupted.isEmpty
        else {
            guard !FixtureFiles.holdsStore(directory) else {
                // Others may write into it, or it cannot be looked into.
                throw CommandError.usage("\(directory.quotedPath) cannot be replaced")
            }
            return false
        }
        guard invocation.flag("force") else {
            throw CommandError.usage(
                "there is a store in \(directory.quotedPath)",
                hint: "name another place, or replace it with --force")
        }
        if case .running(let process) = found.owner, !invocation.flag("dry-run"),
            invocation.duration("wait") == nil
        {
            throw SceneStoreError(
                .owned, "a living process owns the container", ownerProcess: process)
        }
        return true
    }

    /// Puts a fixture into a directory; false when that was only to be planned.
    func put(
        _ fixture: StoreFixture, _ invocation: Invocation, replaces: Bool
    ) throws -> Bool {
        if invocation.flag("dry-run") {
            try context.say(
                replaces ? "replace" : "make",
                replaces
                    ? "would replace \(try context.presentSessions(at: directory)) in \(directory)"
                    : "would make \(directory)",
                isDone: false, [("path", .string(directory))], invocation)
            return false
        }
        guard replaces else {
            try fixture.write(to: directory, origin: origin)
            return true
        }
        guard let store = fixture.files.first(where: { $0.name == "scenes.sqlite" }) else {
            throw CommandError(.answeredNo, "the scenario leaves no store to put there")
        }
        try context.finishInterrupted(invocation, at: directory)
        try context.confirm(
            "Replace \(try context.presentSessions(at: directory)) in \(directory) by a fixture?",
            invocation)
        let isUnused = try self.isUnused()
        let keepsOld = !invocation.flag("no-backup") && !isUnused
        let name = try StoreReplacement.replace(
            at: .container(path: directory), by: store.bytes,
            log: fixture.files.first { $0.name == "scenes.sqlite-wal" }?.bytes,
            options: context.editorOptions(invocation), keepsOld: keepsOld)
        try fixture.writeLabel(origin, to: directory)
        if let name {
            let file = "\(directory)/quarantine/\(name).sqlite"
            try context.note(
                TerminalText(
                    "the old store: quarantine/\(name).sqlite; 'scenestore restore "
                        + "\(CommandContext.quoted(file)) --to "
                        + "\(CommandContext.quoted(directory))' puts it back"))
        } else {
            try context.note(
                TerminalText(
                    isUnused
                        ? "the old store was an unused fixture, which 'fixture make' makes again"
                        : "the old store isn't kept; this can't be undone"))
        }
        return true
    }

    /// Whether a container is a fixture that can be made again: one that was used since cannot.
    private func isUnused() throws -> Bool {
        guard let origin = StoreFixture.origin(of: directory) else {
            return false
        }
        let fixture = try? FixturePlace(context, directory, origin).make(tellsFailure: false)
        try context.checkInterruption()
        return fixture?.differences(in: directory).isEmpty ?? false
    }

    /// Makes a fixture of what its label says.
    func make(tellsFailure: Bool = true) throws -> StoreFixture {
        switch origin {
        case .template(let template, let seed):
            return try StoreFixture(template, seed: seed)
        case .scenario(let path):
            let file = FixtureFiles.absolute(path, from: directory)
            let bytes = try context.readFile(file, limit: Scenario.maximumBytes)
            do {
                return try StoreFixture(
                    playing: Scenario(text: bytes, name: file),
                    failure: { text in
                        if tellsFailure {
                            try? context.errorOutput.write(verbatim: text)
                        }
                    },
                    beforeStep: context.checkInterruption)
            } catch let error as ScenarioError {
                throw CommandError.usage(error.description)
            }
        }
    }
}

/// Names and places of fixtures.
enum FixtureFiles {
    /// A container's name, after its scenario.
    static func name(ofScenario path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".scenario") ? String(file.dropLast(9)) : file + "-container"
    }

    static func holdsStore(_ directory: String) -> Bool {
        FileManager.default.fileExists(atPath: directory + "/scenes.sqlite")
    }

    /// The way from a directory to a file, both absolute; a file at the same place on another
    /// machine is found again.
    static func relative(_ file: String, to directory: String) -> String {
        let from = parts(directory)
        let to = parts(file)
        let shared = zip(from, to).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: from.count - shared)
        return (up + to.dropFirst(shared)).joined(separator: "/")
    }

    /// The file that a way from a directory leads to; the directory need not be there.
    static func absolute(_ path: String, from directory: String) -> String {
        "/" + parts(path.hasPrefix("/") ? path : directory + "/" + path).joined(separator: "/")
    }

    private static func parts(_ path: String) -> [String] {
        var result: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", !result.isEmpty {
                result.removeLast()
            } else if part != ".." {
                result.append(String(part))
            }
        }
        return result
    }
}
