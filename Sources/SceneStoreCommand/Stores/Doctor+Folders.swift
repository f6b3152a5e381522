import SceneStore
import SceneStoreExchange

/// The folders of a container: backups, and what was set aside.
extension Doctor {
    mutating func lookAtFolders(_ examination: ContainerExamination) {
        let backups = examination.backups.filter { $0.name.hasSuffix(".sqlite") }
        let bytes = examination.backups.reduce(0) { $0 &+ $1.bytes }
        good(
            backups.isEmpty
                ? "no backups; 'scenestore backup' makes one"
                : "\(NumberText.counted(backups.count, "backup")), \(NumberText.bytes(bytes))")
        for name in examination.interrupted where !isRunning(examination) {
            bad(
                .interruptedReplacement,
                examination.store == nil
                    ? "a restore or repair was interrupted: the store is quarantine/\(name).sqlite"
                    : "a restore or repair was interrupted at its last step",
                fix: examination.store == nil
                    ? "scenestore doctor --fix puts it back" : "scenestore doctor --fix")
        }
    }

    /// What was set aside goes when nothing of it is missed, and never while the store itself is
    /// not in order: then it may be all that there is.
    mutating func lookAtQuarantine(_ examination: ContainerExamination) {
        let files = examination.quarantine.filter { file in
            !examination.interrupted.contains { file.name.hasPrefix($0 + ".") }
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
            fix: "scenestore salvage \(examination.directory)/quarantine/FILE -o DIR"
                + (isSound ? ", then remove them" : "; keep them until the store is in order"))
    }
}
