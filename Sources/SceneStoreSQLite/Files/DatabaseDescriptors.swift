import SceneStoreCSupport

/// Keeps other descriptors of a database file open while SQLite uses it in this process.
///
/// POSIX record locks, which SQLite takes, belong to the process and the file: closing *any*
/// descriptor of the file drops them all. Whoever looks at the file by itself therefore closes
/// its descriptor here, and it is really closed when SQLite's last handle is.
package enum DatabaseDescriptors {
    private struct Entry {
        let identity: FileIdentity
        var handles = 0
        var waiting: [Int32] = []
        let forkCount = scenestore_fork_count()
    }

    /// Few: a table would cost a process more to make than it ever saves.
    private static let entries = ThreadLock<[Entry]>([])

    /// A handle is about to be opened; false where this process must not: its parent had the
    /// file open when it forked, and SQLite in here still takes the parent's locks for its own.
    static func willOpen(_ identity: FileIdentity) -> Bool {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.identity == identity }) else {
                entries.append(Entry(identity: identity, handles: 1))
                return true
            }
            guard entries[place].forkCount == scenestore_fork_count() else { return false }
            entries[place].handles += 1
            return true
        }
    }

    /// A handle was closed, or could not be opened.
    static func didClose(_ identity: FileIdentity) {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.identity == identity }) else { return }
            entries[place].handles -= 1
            if entries[place].handles <= 0 {
                entries.remove(at: place).waiting.forEach(System.closeFile)
            }
        }
    }

    /// A descriptor of a file that waits to be closed, lent to who looks at the file next: so one waits
    /// at most, however often that is.
    static func lend(_ identity: FileIdentity) -> Int32? {
        entries.withLock { entries in
            entries.firstIndex { $0.identity == identity }.flatMap {
                entries[$0].waiting.popLast()
            }
        }
    }

    /// Closes a descriptor now, or when the file is no longer open in SQLite.
    static func close(_ descriptor: Int32, of identity: FileIdentity) {
        entries.withLock { entries in
            if let place = entries.firstIndex(where: { $0.identity == identity }) {
                entries[place].waiting.append(descriptor)
            } else {
                System.closeFile(descriptor)
            }
        }
    }

    /// Descriptors of a file that wait for SQLite to let go of it.
    package static func waitingCount(of identity: FileIdentity) -> Int {
        entries.withLock { $0.first { $0.identity == identity }?.waiting.count ?? 0 }
    }
}
