import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

enum BackupCommand {
    /// `backup`.
    static let command = Command(
        CommandDescription(
            name: "backup", group: .keepSafe,
            summary: "Copy a store into one file, even while the app runs",
            discussion: """
                The copy is consistent and has a checksum beside it (FILE.xxh64, for 'xxhsum -c'). \
                Without -o it goes into the container's folder backups/, where it stays. An \
                existing file is overwritten only with --force.

                The store is checked first. A damaged store is copied, too, and the exit status is \
                5. If SQLite can't read the store, the command copies the store's bytes to FILE \
                and those of its write-ahead log to FILE-wal. 'salvage FILE' reads both. Without \
                -o the name of such a copy begins with 'damaged-'.

                A store of an older or newer version is copied as it is, with a warning. If commits \
                are lost with the write-ahead log, the copy is sound without them, and the exit \
                status is 5.
                """,
            options: [
                .output("The file", endings: ["sqlite"]), .force, .json,
            ],
            examples: [
                ExampleDescription("backup", "A backup in the container"),
                ExampleDescription("backup -o windows.sqlite", "A backup somewhere else"),
            ])
    ) { invocation, context in
        if !invocation.isGiven("output") {
            try context.refuseUnpacked()
        }
        let copy = try context.copyStore(invocation)
        if invocation.format == .json {
            try context.output.json([
                "path": .string(copy.backup.path), "bytes": .integer(copy.backup.byteCount),
                "checksum": .string(copy.backup.checksum), "damaged": .boolean(copy.isDamaged),
            ])
        } else {
            try context.output.line(
                "\(copy.backup.checksum)  \(copy.backup.path)  \(NumberText.bytes(copy.backup.byteCount))"
            )
        }
        if let remark = copy.remark {
            try context.note("\("warning", .yellow): \(remark)")
        }
        return copy.isDamaged ? .damaged : .done
    }
}

/// A copy of a store, and what is to be said of it.
private struct StoreCopy {
    var backup: StoreBackup
    var isDamaged = false
    var remark: TerminalText?
}

extension CommandContext {
    /// Copies the store that the command is about, whatever its state is.
    fileprivate func copyStore(_ invocation: Invocation) throws -> StoreCopy {
        do {
            return try copySound(invocation)
        } catch let error as SceneStoreError {
            switch error.code {
            case .olderSchema, .newerSchema:
                let age = error.code == .olderSchema ? "an older" : "a newer"
                return StoreCopy(
                    backup: try copyAsIs(invocation),
                    remark: "\(age) version wrote the store, and the copy is as it is")
            case .corrupt, .notAStore, .schemaTampered, .changedMigration, .damagedRow, .ioError:
                return try copyDamaged(invocation, error.message)
            default: throw error
            }
        } catch let error as CommandError where error.status == .damaged {
            return try copyDamaged(invocation, error.message)
        }
    }

    /// Copies what SQLite reads.
    private func copySound(_ invocation: Invocation) throws -> StoreCopy {
        try withFaithfulStore(invocation) { store in
            let findings = try store.verify().findings.filter { $0.severity >= .warning }
            let damage = findings.first { $0.code != .lostCommits }?.message
            let made: StoreBackup? =
                if let path = invocation.text("output") {
                    try writing(to: path) {
                        try store.copy(
                            to: absolutePath(path), replacing: invocation.flag("force"))
                    }
                } else {
                    try store.backUp(before: nil)
                }
            guard let backup = made else {
                throw CommandError(.noStore, "the store has no container")
            }
            let remark: TerminalText? = damage.map {
                "the store is damaged (\($0)), and so is the backup: 'restore' refuses it, 'salvage' reads it"
            }
            return StoreCopy(backup: backup, isDamaged: !findings.isEmpty, remark: remark)
        }
    }

    /// Copies a store with a schema that this version doesn't open.
    private func copyAsIs(_ invocation: Invocation) throws -> StoreBackup {
        let place = StorePlace(storePath(invocation))
        guard !place.isLooseFile else {
            return try copyBytes(of: place, invocation)
        }
        let location = SceneSessionStore.Location.container(path: place.path)
        func copy(to path: String?) throws -> StoreBackup {
            try StoreBackup.copy(
                of: location, to: path, replacing: invocation.flag("force"), now: clock.now())
        }
        guard let path = invocation.text("output") else {
            return try copy(to: nil)
        }
        return try writing(to: path) { try copy(to: absolutePath(path)) }
    }

    private func copyDamaged(_ invocation: Invocation, _ reason: String) throws -> StoreCopy {
        let backup = try copyBytes(of: StorePlace(storePath(invocation)), invocation)
        return StoreCopy(
            backup: backup, isDamaged: true,
            remark:
                "the store is damaged (\(reason)), and its bytes were copied: 'scenestore salvage \(Self.quoted(backup.path)) -o DIR' reads them"
        )
    }

    private func copyBytes(
        of place: StorePlace, _ invocation: Invocation
    ) throws -> StoreBackup {
        func copy(to path: String?) throws -> StoreBackup {
            try StoreBackup.copyBytes(
                of: place.file, in: place.isLooseFile ? nil : place.folder, to: path,
                replacing: invocation.flag("force"), now: clock.now())
        }
        guard let path = invocation.text("output") else {
            return try copy(to: nil)
        }
        return try writing(to: path) { try copy(to: absolutePath(path)) }
    }
}
