#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreTesting

/// What `doctor --fix` does to a container: what needs no decision, and can be undone where it changes
/// the store.
struct DoctorRepair {
    private let context: CommandContext
    private let invocation: Invocation

    init(_ context: CommandContext, _ invocation: Invocation) {
        self.context = context
        self.invocation = invocation
    }

    /// Makes the container's files private, and does what an idle owner would do.
    func fix(_ fixable: [DoctorFinding]) throws {
        let isOlder = fixable.contains { $0.code == .olderVersion }
        try context.confirm(
            "Fix \(NumberText.counted(fixable.count, "finding"))?\(isOlder ? " Older versions of the app may not read the store then, and that can't be undone." : "")",
            invocation)
        try makePrivate(context.storePath(invocation))
        let wantsOwner: (DoctorFinding) -> Bool = {
            ![.openContainer, .openFiles, .unwritable, .olderVersion].contains($0.code)
        }
        if isOlder {
            try migrate()
        }
        guard fixable.contains(where: wantsOwner) else {
            return
        }
        try context.change(
            invocation,
            prepare: { store in
                var change = try StoreChange(
                    reason: "doctor", path: context.storePath(invocation), in: store)
                // What ends an erasure removes every backup, and leaves nothing to undo it with.
                change.isUndoable = try !StoreCondition(of: store).erasurePending
                return change
            },
            act: { store in
                try ContainerExamination.removeLeftovers(of: store)
                try store.upkeep.performAll()
            })
    }

    /// Brings the schema up to date, and says which backup has the old one.
    private func migrate() throws {
        let location = SceneSessionStore.Location.container(path: context.storePath(invocation))
        func backups() throws -> Set<String> {
            Set(try ContainerExamination(of: location).backups.map(\.name))
        }
        let plan = try SceneSessionStore.migrationPlan(at: location)
        let before = try backups()
        try context.openEditor(invocation).close()
        try context.note("schema \(plan.from) -> \(plan.to); this can't be undone")
        for name in try backups().subtracting(before).sorted() where name.hasSuffix(".sqlite") {
            try context.note(
                TerminalText(
                    "the old schema: backups/\(name); for an older version of the app, move "
                        + "scenes.sqlite, scenes.sqlite-wal and scenes.sqlite-shm elsewhere "
                        + "while no app runs, and copy it to scenes.sqlite"))
        }
    }

    /// Takes the rights of other users away and gives this one its own: 0700 for the folders, 0600 for
    /// the files. Follows no link, and leaves what belongs to somebody else. Says how many it changed.
    private func makePrivate(_ path: String) throws {
        guard case .directory(let directory) = SceneSessionStore.Location.container(path: path)
        else {
            return
        }
        // What can't be read yet is not asked.
        func examine() throws -> ContainerExamination {
            try ContainerExamination(of: .directory(directory), access: .inspector)
        }
        let wasPrivate = (try? examine())?.permissions == 0o700
        var changed = wasPrivate ? -1 : 0
        func setMode(_ mode: Int, of path: String) throws {
            do {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: path)
                changed += 1
            } catch {
                throw CommandError.usage(
                    "the rights of \(path.quotedPath) can't be changed",
                    hint: "run the command as the user who owns it")
            }
        }
        try setMode(0o700, of: directory)
        let found = try examine()
        let label = StoreFixture.labelName
        let unwritable = Set(found.unwritable.map(\.path))
        for file in found.files
        where file.isOwnUsers
            && (file.permissions & 0o077 != 0
                || unwritable.contains("\(found.directory)/\(file.name)"))
        {
            if file.isRegular, file.name != label {
                try setMode(0o600, of: "\(directory)/\(file.name)")
            } else if file.isFolder, !found.strangers.contains(file.name) {
                try setMode(0o700, of: "\(directory)/\(file.name)")
            }
        }
        let inside = try examine()
        for (folder, files) in [("backups", inside.backups), ("quarantine", inside.quarantine)] {
            for file in files
            where file.isOwnUsers && file.isRegular && file.permissions & 0o077 != 0 {
                try setMode(0o600, of: "\(directory)/\(folder)/\(file.name)")
            }
        }
        if changed > 0 {
            let count = NumberText.counted(changed, "file or folder", "files and folders")
            try context.note("\(count) made private to this user, and writable")
        }
    }
}
