import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreLinks

extension CommandContext {
    /// Opens the store that a command is about and lets the body read it. No byte of the container
    /// changes, no file of it is made, and a running app waits for nothing (R-09).
    ///
    /// What is odd about the store is said on standard error afterwards; of long work a bar tells
    /// meanwhile, and Ctrl-C ends it.
    ///
    /// - Parameters:
    ///   - isStrict: Whether the store itself must open. Otherwise whatever is there is read, from a
    ///     copy when it must be, with a warning; see ``FoundStore``.
    func withStore<Result>(
        _ invocation: Invocation, saysFindings: Bool = true, isStrict: Bool = false,
        _ body: (SceneSessionStore) throws -> Result
    ) throws -> Result {
        try withFound(invocation, saysFindings: saysFindings, isStrict: isStrict) { found in
            try body(found.store)
        }
    }

    /// The same, for a command that also says how much of the store it reads. A store whose log is
    /// damaged is read as the launch would find it: salvaged (R-02).
    func withFound<Result>(
        _ invocation: Invocation, at given: String? = nil, saysFindings: Bool = true,
        isStrict: Bool = false,
        _ body: (FoundStore) throws -> Result
    ) throws -> Result {
        let bar = Progress(invocation.path.joined(separator: " "), invocation, self)
        defer { bar.finish() }
        let path = given ?? storePath(invocation)
        var found =
            isStrict
            ? FoundStore(store: try openStore(at: path, telling: bar))
            : try findStore(at: path, telling: bar)
        defer { found.close() }
        if let lost = found.lostCommits, !isStrict, !found.isNewer {
            let rest = try salvageStore(
                at: path, after: SceneStoreError(.corrupt, lost.message, path: lost.path),
                telling: bar)
            found.close()
            found = rest
        }
        let mark = output.mark
        do {
            return try read(found, at: path, bar, saysFindings, body)
        } catch let error as SceneStoreError where error.code == .corrupt && !isStrict {
            // A page that only this command came to: what it wrote so far is taken back.
            guard output.retract(to: mark) else {
                throw error
            }
            let rest = try salvageStore(at: path, after: error, telling: bar)
            defer { rest.close() }
            return try read(rest, at: path, bar, saysFindings, body)
        }
    }

    /// The same for a command that keeps what it reads: whatever is there in full, and nothing that
    /// only could be salvaged.
    func withFaithfulStore<Result>(
        _ invocation: Invocation, _ body: (SceneSessionStore) throws -> Result
    ) throws -> Result {
        let bar = Progress(invocation.path.joined(separator: " "), invocation, self)
        defer { bar.finish() }
        let path = storePath(invocation)
        let found: FoundStore
        if invocation.isGiven("output") {
            found = try findWhole(at: path, telling: bar)
        } else {
            found = FoundStore(store: try openStore(at: path, telling: bar))
        }
        defer { found.close() }
        return try read(found, at: path, bar, true) { found in try body(found.store) }
    }

    /// Opens what is at a path, when it is there in full: the store, or a copy of what only is in
    /// another place than a store should be, or belongs to somebody else.
    ///
    /// - Parameter migrates: Whether a migrated copy will do, too.
    func findWhole(
        at path: String, telling bar: Progress? = nil, revealing: Bool = true,
        migrates: Bool = false
    ) throws -> FoundStore {
        let place = StorePlace(path)
        if !place.isLooseFile {
            do {
                return FoundStore(
                    store: try openStore(at: place.path, telling: bar, revealing: revealing))
            } catch {
                let code = (error as? SceneStoreError)?.code
                let isOfPlace =
                    code == .permission || (error as? CommandError)?.status == .usage
                guard isOfPlace || migrates && code == .olderSchema else {
                    throw error
                }
            }
        }
        let found = try findStore(at: place.path, telling: bar, revealing: revealing)
        guard let damage = found.damage else {
            return found
        }
        found.close()
        throw damage
    }

    private func read<Result>(
        _ found: FoundStore, at path: String, _ bar: Progress, _ saysFindings: Bool,
        _ body: (FoundStore) throws -> Result
    ) throws -> Result {
        let result: Result
        do {
            result = try body(found)
        } catch var error as CommandError where error.status == .noStore {
            // What is missing may be what is damaged.
            let damage = found.store.openingDiagnostics + found.store.takeDiagnostics()
            let message =
                damage.first { $0.severity == .error }?.message ?? found.damage?.message
            error.hint =
                message.map {
                    "not all of the store can be read: \($0); \(advice("doctor", at: path)) names "
                        + "the damage"
                } ?? error.hint ?? listingSessions(at: path)
            throw error
        }
        bar.finish()
        for warning in found.warnings {
            try note("\("warning", .yellow): \(warning)")
        }
        if saysFindings {
            try say(found.store.ownDiagnostics + found.store.takeDiagnostics())
        }
        return result
    }

    /// Opens a store to read it; a missing one is named by its path.
    ///
    /// - Parameter readsNewer: Whether a newer version's store is read that asks to be refused (S-05).
    func openStore(
        at path: String, telling bar: Progress? = nil, limits: Limits = Limits(),
        revealing: Bool = true, readsNewer: Bool = false
    ) throws -> SceneSessionStore {
        var options = SceneSessionStore.Options()
        options.limits = limits
        options.revealsRedactedValues = revealing
        options.lenience = readsNewer ? [.newer] : []
        options.access = .reader
        options.workObserver = bar?.observer
        options.clock = clock.now
        do throws(SceneStoreError) {
            return try SceneSessionStore.open(at: .container(path: path), options: options)
        } catch {
            if let error = TemporaryFolderError(error) {
                throw error
            }
            let status = ExitStatus(errorCode: error.code.rawValue)
            try checkInterrupted(at: path, error)
            guard status == .noStore else {
                guard error.code == .corrupt, error.path == StorePlace.storeName else {
                    throw error
                }
                throw CommandError(
                    .damaged, error.message,
                    hint:
                        "the app's next launch recovers it; \(advice("repair", at: StorePlace(path).folder)) does it now"
                )
            }
            guard error.code != .missing else {
                if case .file = StorePlace(path).kind {
                    throw CommandError(
                        status, "'\(path.withoutLink)' holds an empty store: it has no tables",
                        hint: "if it was copied, its write-ahead log scenes.sqlite-wal is missing; "
                            + "copy both files while no app runs")
                }
                throw CommandError(
                    status, "there is no store at '\(path.withoutLink)'", hint: status.hint)
            }
            if let name = error.path, name != StorePlace.storeName {
                let file = "\(StorePlace(path).folder)/\(name)"
                throw CommandError.usage(
                    "\(file.quotedPath) is not a file",
                    hint: "put the file itself there, or move what is there elsewhere")
            }
            try refuseUnusable(path)
            throw CommandError(
                status, "'\(path.withoutLink)' is not a store: \(error.message)", hint: status.hint)
        }
    }

    /// Says what is in the place of a store's file that SQLite does not take: a link or a folder, or a
    /// store whose first page is destroyed.
    private func refuseUnusable(_ path: String) throws {
        let place = StorePlace(path)
        let file = place.file
        switch place.kind {
        case .link(let target):
            throw CommandError.usage(
                "\(file.quotedPath) is a symbolic link; SceneStore doesn't follow links",
                hint: "commands that read follow it; for the others, and for the app, move "
                    + "\(target.quotedPath) to its place")
        case .other:
            throw CommandError.usage("\(file.quotedPath) is not a file")
        case .file, .missing: break
        }
        guard !place.isLooseFile, place.salvageable() != nil else {
            return
        }
        throw CommandError(
            .damaged, "the first page of \(file.quotedPath) is destroyed",
            hint: "\(advice("repair", at: place.folder)) builds a sound store of the rest")
    }

    /// Says why there is no store where one was: a restore or repair was killed, or goes on.
    private func checkInterrupted(
        at path: String, _ error: SceneStoreError
    ) throws(CommandError) {
        guard [.missing, .corrupt, .orphanedWAL].contains(error.code),
            let found = try? ContainerExamination(of: .container(path: path)),
            found.store == nil, let name = found.interrupted.first
        else {
            return
        }
        if case .running = found.owner {
            throw CommandError(
                .busy, "a restore or repair of '\(path.withoutLink)' goes on",
                hint: "run the command again when it is done")
        }
        throw CommandError(
            .noStore,
            "a restore or repair was interrupted: the store of '\(path.withoutLink)' is "
                + "quarantine/\(name).sqlite",
            hint: "\(advice("doctor --fix", at: path)) puts it back; so does every command that "
                + "writes")
    }

    /// Says what was found, one line each, with what to do about it.
    func say(_ findings: [Diagnostic]) throws {
        for finding in findings {
            try note(finding.line)
        }
    }

    // MARK: - Files that a command is given

    /// Reads the manifest that a command judges a store by; one that cannot be read is wrong usage.
    func readManifest(_ path: String) throws -> SceneManifest {
        let bytes = try readFile(path)
        do throws(SceneStoreError) {
            return try SceneManifest(propertyList: bytes)
        } catch {
            throw CommandError.usage(
                "cannot read '\(path.withoutLink)' as an Info.plist: \(error.message)")
        }
    }

    /// Reads the association file that a command judges links by; one that can't be parsed is
    /// wrong usage.
    func readAssociation(_ path: String) throws -> AssociationFile {
        let bytes = try readFile(path)
        do throws(SceneStoreError) {
            return try AssociationFile(bytes)
        } catch {
            throw CommandError.usage(
                "cannot read '\(path.withoutLink)' as an association file: \(error.message)")
        }
    }

    /// The options of the app that launches next: those that the last launch declared, with the
    /// manifest that a command is given.
    func options(
        _ invocation: Invocation, rememberedBy store: SceneSessionStore
    ) throws -> SceneApplicationOptions {
        var options: SceneApplicationOptions
        if let file = invocation.text("manifest") {
            options = try .updated(to: readManifest(file), in: store)
        } else {
            options = try .remembered(by: store)
        }
        if invocation.declares("behaviour") {
            options.launchBehavior =
                SceneApplicationOptions.LaunchBehavior.named.first {
                    $0.key == invocation.text("behaviour")
                }?.value ?? .restore
        }
        return options
    }
}

extension SceneApplicationOptions {
    /// Those that the last launch declared, with another manifest, and a rename map if one is given.
    static func updated(
        to manifest: SceneManifest, renames: [String: String] = [:], in store: SceneSessionStore
    ) throws -> SceneApplicationOptions {
        var options = try SceneApplicationOptions(declaredIn: store) ?? SceneApplicationOptions()
        options.manifest = manifest
        if !renames.isEmpty {
            options.configurationRenames = renames
        }
        return options
    }
}

extension OptionDescription {
    /// The manifest that a store is judged by.
    static let manifest = value(
        "manifest", "FILE", .file(endings: ["plist"]),
        "The Info.plist of the app that launches next")
    /// How a launch begins.
    static let behaviour = value(
        "behaviour", "BEHAVIOUR",
        .choice(SceneApplicationOptions.LaunchBehavior.named.map(\.key)),
        "How the launch begins", default: "restore")
    /// Old configuration names to new ones.
    static let rename = value(
        "rename", "OLD:NEW", .text, "A configuration's old and new name, as in the rename map",
        isRepeatable: true)
}

extension Invocation {
    /// The rename map that `--rename OLD:NEW` gives.
    func renames() throws(CommandError) -> [String: String] {
        var renames: [String: String] = [:]
        for text in texts("rename") {
            let parts = text.utf8.split(
                separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let old = String(parts[0]), let new = String(parts[1]),
                !old.isEmpty, !new.isEmpty
            else {
                throw .usage("--rename must be OLD:NEW, not \(text.quotedForError)")
            }
            renames[old] = new
        }
        return renames
    }
}

extension Diagnostic {
    /// The finding for people, in a line.
    var line: TerminalText {
        var text: TerminalText = "\(severity.word, severity.style): \(message)"
        // A row's table is in the message.
        if let path, !message.contains("table \(path)") {
            text.append(" at \(path)")
        }
        if let sessionIdentifier {
            text.append(" (session \(sessionIdentifier.rawValue))")
        }
        if let fix {
            text.append("; \(fix)")
        }
        return text
    }
}

extension Diagnostic.Severity {
    var style: TerminalText.Style {
        switch self {
        case .note: .dim
        case .warning: .yellow
        case .error: .red
        }
    }
}

extension CanonicalJSON {
    /// A point in time, or null.
    static func time(_ time: Int64?) -> CanonicalJSON {
        time.map { .string(TimeText.iso8601($0)) } ?? .null
    }

    /// A count.
    static func count(_ number: Int) -> CanonicalJSON {
        .integer(Int64(number))
    }
}
