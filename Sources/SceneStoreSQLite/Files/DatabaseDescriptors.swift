import SceneStoreCSupport
import Synchronization

/// Keeps other descriptors of a database file open while SQLite uses it in this process.
///
/// POSIX record locks, which SQLite takes, belong to the process and the file: closing *any*
/// descriptor of the file drops them all. Whoever looks at the file by itself therefore closes
/// its descriptor here, and it is really closed when SQLite's last handle is.
package enum DatabaseDescriptors {
    private struct Entry {
        var handles = 0
        var waiting: [Int32] = []
        let forkCount = scenestore_fork_count()
    }

    private static let entries = Mutex<[FileIdentity: Entry]>([:])

    /// A handle is about to be opened; false where this process must not: its parent had the
    /// file open when it forked, and SQLite in here still takes the parent's locks for its own.
    static func willOpen(_ identity: FileIdentity) -> Bool {
        entries.withLock { entries in
            let entry = entries[identity, default: Entry()]
            guard entry.forkCount == scenestore_fork_count() else { return false }
            entries[identity, default: entry].handles += 1
            return true
        }
    }

    /// A handle was closed, or could not be opened.
    static func didClose(_ identity: FileIdentity) {
        entries.withLock { entries in
            guard var entry = entries[identity] else { return }
            entry.handles -= 1
            if entry.handles > 0 {
                entries[identity] = entry
            } else {
                entries[identity] = nil
                for descriptor in entry.waiting { System.closeFile(descriptor) }
            }
        }
    }

    /// Closes a descriptor now, or when the file is no longer open in SQLite.
    static func close(_ descriptor: Int32, of identity: FileIdentity) {
        entries.withLock { entries in
            if entries[identity] == nil {
                System.closeFile(descriptor)
            } else {
                entries[identity]?.waiting.append(descriptor)
            }
        }
    }

    /// Descriptors of a file that wait for SQLite to let go of it.
    package static func waitingCount(of identity: FileIdentity) -> Int {
        entries.withLock { $0[identity]?.waiting.count ?? 0 }
    }
}
