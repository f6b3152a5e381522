import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Which windows count as those that were open when the last process that had any ended (L-48).
///
/// They are those of this process as soon as it makes a window of its own. What it found, and did not
/// connect by then, is left behind. A process that connects remembered windows alone leaves the
/// others as they were.
final class LastWindows {
    private let core: ApplicationCore
    /// The sessions as this process found them; nil for a launch that restores, which looks when it
    /// is asked.
    private var known: [Int64]?
    /// The other open sessions, where there may be several and each comes back by itself (L-11): they
    /// would, beside what this process leaves.
    private var others: [Int64] = []
    /// Whether what this process found is its to leave behind.
    private var mayLeave = false

    init(_ core: ApplicationCore) {
        self.core = core
    }

    /// The sessions, as they are stored now.
    func records() throws(SceneStoreError) -> [SessionRecord] {
        guard let known else {
            return try core.store.read { skeleton throws(SceneStoreError) in
                let launch = try skeleton.previousProcess().number
                return try skeleton.connected(atEndOf: launch - 1)
            }
        }
        return try known.map { key throws(SceneStoreError) in
            try core.store.record(key: key)
        }.compactMap(\.self)
    }

    /// A launch that leaves the remembered windows alone leaves alone what they were, too. It was
    /// noted already: as of this launch.
    func keep() throws(SceneStoreError) {
        let engine = core.engine
        let bringsAll =
            engine.rules.supportsMultipleScenes && engine.rules.reconnection != .foreground
        let (found, open) = try core.store.read { skeleton throws(SceneStoreError) in
            try (engine.lastSession(in: skeleton), bringsAll ? Array(skeleton.openRecords()) : [])
        }
        known = found.map(\.key)
        others = open.filter { $0.parkedCause == nil && $0.isRestorationEnabled }.map(\.key)
        mayLeave = true
    }

    /// A window of the app was made. From now on the windows of this process are the last ones, unless
    /// that one is not remembered.
    func noteMade(_ record: SessionRecord) {
        guard mayLeave, let known, record.isRestorationEnabled,
            core.engine.rules.isOfApplication(record.role)
        else {
            return
        }
        mayLeave = false
        let left = Set(known + others).filter { core.live[$0] == nil }.sorted()
        guard !left.isEmpty else {
            return
        }
        core.tolerating { () throws(SceneStoreError) in
            let marks = core.store.marks
            guard !core.engine.rules.supportsMultipleScenes else {
                return try marks.leaveBehind(left, as: .leftBehind)
            }
            let ofRole = try records().filter { $0.role == record.role && left.contains($0.key) }
            try marks.leaveBehind(ofRole.map(\.key), as: .displaced)
        }
    }
}
