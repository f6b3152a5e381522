import SceneStore
import SceneStoreExchange

/// The folders of a container: backups, and what was set aside.
extension Doctor {
    mutating func lookAtFolders(_ examination: ContainerExamination) {
        let backups = examination.backups.filter { $0.name.hasSuffix(".sqlite") }
        let bytes = examination.backups.reduce(0) { $0 &+ $1.bytes }
        good(
            backups.isEmpty
                ? "no backups"
                : "\(NumberText.counted(backups.count, "backup")), \(NumberText.bytes(bytes)), the "
                    + "newest made "
                    + TimeText.relative(
                        backups.map(\.modifiedAt).max() ?? 0, to: context.clock.now()))
        // What commands and apps make by themselves is few.
        let manual = backups.filter { $0.name.hasPrefix("manual-") }
        let size = manual.reduce(0) { $0 &+ $1.bytes }
        if size > max(10 * (examination.store?.bytes ?? 0), 64 << 20) {
            attend(
                .manyBackups,
                "\(NumberText.counted(manual.count, "backup")) made by 'scenestore backup' since "
                    + "\(TimeText.date(manual.map(\.modifiedAt).min() ?? 0)), "
                    + "\(NumberText.bytes(size)), more than ten times the store; nothing removes them",
                fix:
                    "delete old manual-… files in backups/ with their .xxh64, and keep the newest, "
                    + "\(manual.max { $0.modifiedAt < $1.modifiedAt }?.name ?? ""): the store itself has "
                    + "every open window; let a job write its backups elsewhere with -o")
        }
        for name in examination.blockedFolders {
            bad(
                .blockedFolder,
                "\(name) is not a folder, so no command can write the store or make a backup in it",
                fix: "move \(context.quoted(path: "\(directory)/\(name)")) elsewhere")
        }
        lookAtWriting(examination)
        if let room = context.volumeRoom(examination.directory), room.hasNoEntry {
            bad(.unwritable, room.message, fix: VolumeRoom.remedy)
        }
        for name in examination.interrupted where !isRunning(examination) {
            bad(
                .interruptedReplacement,
                examination.store == nil
                    ? "a restore or repair was interrupted: the store is quarantine/\(name).sqlite"
                    : "a restore or repair was interrupted at its last step",
                fix: examination.store == nil
                    ? "\(advice("doctor --fix")) puts it back" : advice("doctor --fix"))
        }
    }

    /// A store that can't be written loses what happens in the app when the app ends.
    mutating func lookAtWriting(_ examination: ContainerExamination) {
        let unwritable = examination.unwritable
        guard !unwritable.isEmpty else {
            return
        }
        let names = unwritable.map {
            $0.path == examination.directory
                ? "the container" : String($0.path.dropFirst(examination.directory.count + 1))
        }
        bad(
            .unwritable, "this user can't read and write \(names.listed(with: "and"))",
            fix: unwritable.allSatisfy(\.isMode)
                ? advice("doctor --fix") : "make the volume writable")
    }

    /// Whose folder it is decides what helps against one that can't be looked into.
    func openContainerFix() -> String {
        let found = try? ContainerExamination(of: location, access: .inspector)
        guard found?.isOwnUsers ?? true else {
            return "run scenestore as that user, or give the container to this one: "
                + "'chown -R USER \(CommandContext.quoted(directory))'"
        }
        return "see who wrote into it, then \(advice("doctor --fix"))"
    }

    /// What was set aside goes when nothing of it is missed, and never while the store itself is
    /// not in order: then it may be all that there is.
    mutating func lookAtQuarantine(_ examination: ContainerExamination) {
        let all = examination.quarantine.filter { file in
            !examination.interrupted.contains { file.name.hasPrefix($0 + ".") }
        }
        // Records that can't be read keep nothing: nothing is undone by them.
        let operations = try? StoreOperations(of: location)
        let needed = operations?.neededInQuarantine(now: context.clock.now()) ?? []
        let files = all.filter { file in !needed.contains { file.name.hasPrefix($0 + ".") } }
        if files.count < all.count {
            let count = NumberText.counted(all.count - files.count, "file")
            good("\(count) in quarantine for \(advice("undo"))")
        }
        guard !files.isEmpty else {
            return
        }
        let bytes = files.reduce(0) { $0 &+ $1.bytes }
        let newest = files.map(\.modifiedAt).max() ?? 0
        let isSound = !findings.contains { $0.mark == .bad }
        attend(
            .filesSetAside,
            "\(NumberText.counted(files.count, "file")) in quarantine, "
                + "\(NumberText.bytes(bytes)), the newest from "
                + TimeText.relative(newest, to: context.clock.now()),
            fix: (newestStore(files).map {
                "\(advice("salvage", of: "quarantine/\($0)")) reads the newest"
            } ?? "look at them")
                + (isSound ? ", then remove them" : "; keep them until the store is in order"))
    }

    /// Backups of another store, or newer ones of this, are what is left if a file was put in its place;
    /// what a command put there, `undo` knows, and it counts as opened later than each backup. What a
    /// salvage rebuilt is the same store under another identity, and its journal names the one that it
    /// had.
    mutating func lookForOtherStores(than store: SceneSessionStore, _ basics: StoreBasics) {
        guard !place.isLooseFile else {
            return
        }
        for path in backups.prefix(Self.examinedBackups) {
            guard let other = try? context.findStore(at: path, telling: bar) else {
                continue
            }
            defer { other.close() }
            guard let row = try? StoreBasics(reading: other.store) else {
                continue
            }
            let isOther = !StoreBasics.isSame(store, other.store)
            guard isOther || row.ownerEpoch > basics.ownerEpoch && !isFound(.rolledBack) else {
                continue
            }
            let name = path.split(separator: "/").last ?? ""
            let sessions = NumberText.counted(row.openSessions, "open session")
            attend(
                .rolledBack,
                isOther
                    ? "\(name) is a backup of another store, \(row.uuid.prefix(8)), which had "
                        + "\(sessions); this store is \(basics.uuid.prefix(8)), made at "
                        + "\(TimeText.spoken(basics.createdAt)), and was put in its place"
                    : "\(name) is a newer backup of this store, with \(sessions); an older file "
                        + "was put in the store's place",
                fix: "if that was not meant, " + restoringAdvice(of: path, kind: "that backup"))
        }
    }

    /// Copies of this store among what isn't the store's: a sync tool makes one when two machines
    /// have written it, and the windows of one of them are in no other file. Answers their names.
    mutating func lookAtCopies(_ examination: ContainerExamination) -> Set<String> {
        let strangers = Set(examination.strangers)
        let files = examination.files.filter { file in
            file.isRegular && strangers.contains(file.name)
                && (try? context.reading("\(directory)/\(file.name)") { try $1() })?
                    .starts(with: "SQLite format 3\0".utf8) == true
        }
        guard !files.isEmpty, let own = try? context.findStore(at: directory, telling: bar) else {
            return []
        }
        defer { own.close() }
        return Set(
            files.prefix(Self.examinedBackups).map(\.name).filter {
                lookAtCopy($0, of: own.store)
            })
    }

    private mutating func lookAtCopy(_ name: String, of store: SceneSessionStore) -> Bool {
        let path = "\(directory)/\(name)"
        guard let found = try? context.findStore(at: path, telling: bar) else {
            return false
        }
        defer { found.close() }
        guard let own = try? StoreBasics(reading: store),
            let other = try? StoreBasics(reading: found.store),
            StoreBasics.isSame(store, found.store),
            let records = try? found.store.openRecords()
        else {
            return false
        }
        let pairs = records.map { ($0, (try? store.record(identifier: $0.identifier)) ?? nil) }
        let open = pairs.filter { $1?.isOpen != true }.map(\.0)
        let hasNewer = pairs.contains { $0.savedAt ?? 0 > $1?.savedAt ?? 0 }
        let closed = ((try? found.store.discards.recentlyClosed()) ?? []).map(\.record).filter {
            ((try? store.record(identifier: $0.identifier)) ?? nil)?.isOpen == true
        }
        func listed(_ records: [SessionRecord]) -> String {
            let shown = records.prefix(CauseGroup<SessionRecord>.few).map { record in
                let name = try? found.store.name(of: record)
                return context.terminal.isOutputTerminal ? name?.quoted ?? "" : record.identifier
            }
            return (shown + (records.count > shown.count ? ["others"] : [])).listed(with: "and")
        }
        let used = (try? found.store.launches.records(limit: 1))?.first
            .map { ", last used at \(TimeText.spoken($0.endedAt ?? $0.startedAt))" }
        attend(
            .strangers,
            "\(name) is another copy of this store, as a sync tool makes when two machines write it: "
                + "generation \(other.generation) (this one: \(own.generation))\(used ?? ""), "
                + "\(NumberText.counted(other.openSessions, "open session"))"
                + (open.isEmpty
                    ? ", all open here, too" + (hasNewer ? "" : ", and none saved later there")
                    : ", \(NumberText.grouped(open.count)) of them not open here: \(listed(open))")
                + (closed.isEmpty ? "" : "; closed there, and open here: \(listed(closed))"),
            fix: open.isEmpty && !hasNewer
                ? "move the copy elsewhere"
                : "don't delete it; "
                    + advice("import \(context.quoted(path: path)) --conflict newest")
                    + " brings its sessions in and keeps of each the version used last; then move the "
                    + "copy elsewhere")
        return true
    }

    /// How many backups, or copies, are opened to be looked at.
    private static let examinedBackups = 5

    /// The newest file of a folder that holds a store.
    private func newestStore(_ files: [ContainerExamination.File]) -> String? {
        files.filter {
            $0.name.hasSuffix(".sqlite") && !$0.name.hasPrefix(StoreBackup.damagedKind)
        }.max { $0.modifiedAt < $1.modifiedAt }?.name
    }

    // MARK: - What to do

    /// A command line of this tool, in quotes, that is about this store wherever it is typed.
    ///
    /// `salvage` takes the file itself.
    func advice(_ command: String, of file: String? = nil) -> String {
        let name = command.prefix { $0 != " " }
        guard namesPath else {
            return name == "salvage"
                ? "'scenestore salvage FILE -o DIR'" : "'scenestore \(name)'"
        }
        guard name != "salvage" else {
            let path = file.map { "\(directory)/\($0)" } ?? place.file
            return "'scenestore salvage \(context.quoted(path: path)) -o DIR'"
        }
        return context.advice(command, at: place.path)
    }

    /// The restoring of the newest backup that lies in the container.
    var restoringAdvice: String {
        newestBackup.map { restoringAdvice(of: $0) } ?? "restore a backup, if there is one"
    }

    /// The path of the newest backup.
    var newestBackup: String? { backups.first }

    /// The paths of the backups, newest first.
    private var backups: [String] {
        (try? ContainerExamination(of: location).newestBackups()) ?? []
    }

    /// What restores a backup, and when the app last used the store that it is of.
    func restoringAdvice(of backup: String, kind: String = "the newest backup") -> String {
        var used = ""
        if let found = try? context.findStore(at: backup, telling: bar) {
            defer { found.close() }
            if let last = (try? found.store.launches.records(limit: 1))?.first {
                used = ", last used at \(TimeText.spoken(last.endedAt ?? last.startedAt)),"
            }
        }
        return advice("restore \(context.quoted(path: backup))")
            + " puts \(kind)\(used) in its place"
    }

    /// What keeps a store from being opened, and what to do about it.
    func refusal(of code: SceneStoreError.Code) -> (DoctorCode, String?)? {
        switch code {
        case .corrupt, .notAStore:
            (.unreadable, place.isLooseFile ? advice("salvage") : advice("repair"))
        case .ioError: (.unreadable, "check the disk; \(advice("salvage")) reads what is readable")
        case .damagedRow:
            (.unreadable, place.isLooseFile ? advice("salvage") : advice("repair"))
        case .changedMigration: (.foreignSchema, advice("salvage"))
        case .schemaTampered: (.foreignSchema, advice("repair"))
        case .newerSchema: (.newerVersion, "use a newer scenestore")
        case .olderSchema: (.olderVersion, advice("doctor --fix"))
        case .orphanedWAL:
            (
                .orphanedLog,
                "put scenes.sqlite back, or \(restoringAdvice); if there is neither, "
                    + "\(advice("repair")) builds a store from that log"
            )
        case .permission: (.openFiles, "chmod 600 the file, after a look at who wrote it")
        default: nil
        }
    }
}
