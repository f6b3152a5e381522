import SceneStoreCSystemFaults

/// What this thread's calls to the system changed in files and folders, in order.
package enum SystemRecord {
    /// A name in a folder, which is known by its inode.
    package struct Entry: Hashable {
        package var folder: UInt64
        package var name: String
    }

    /// What one call changed. Files and folders are known by their inodes.
    package enum Change {
        case made(UInt64, Entry, isFolder: Bool)
        case written(UInt64, offset: Int, [UInt8])
        case resized(UInt64, Int)
        case synced(UInt64)
        case renamed(UInt64, from: Entry, to: Entry)
        case linked(UInt64, Entry)
        case removed(Entry)
    }

    /// How many changes were recorded so far.
    package static var position: Int { ssf_system_event_count() }

    /// Does something, and answers what it changed.
    package static func changes(of body: () throws -> Void) throws -> [Change] {
        ssf_system_record()
        defer { ssf_system_forget() }
        let result = Result { try body() }
        guard ssf_system_stop() else {
            throw FileTree.Failure(description: "a call could not be recorded")
        }
        try result.get()
        return (0..<ssf_system_event_count()).compactMap { index in
            ssf_system_event(index).map { change($0.pointee) }
        }
    }

    private static func change(_ event: ssf_event) -> Change {
        let entry = Entry(folder: event.folder, name: text(event.name))
        return switch Int(event.kind) {
        case Int(SSF_EVENT_MAKE): .made(event.file, entry, isFolder: false)
        case Int(SSF_EVENT_MAKE_FOLDER): .made(event.file, entry, isFolder: true)
        case Int(SSF_EVENT_WRITE):
            .written(
                event.file, offset: Int(event.offset),
                Array(UnsafeBufferPointer(start: event.bytes, count: event.count)))
        case Int(SSF_EVENT_TRUNCATE): .resized(event.file, Int(event.offset))
        case Int(SSF_EVENT_SYNC): .synced(event.file)
        case Int(SSF_EVENT_RENAME):
            .renamed(
                event.file, from: Entry(folder: event.from_folder, name: text(event.from_name)),
                to: entry)
        case Int(SSF_EVENT_LINK): .linked(event.file, entry)
        default: .removed(entry)
        }
    }

    private static func text(_ name: UnsafePointer<CChar>?) -> String {
        name.map { String(cString: $0) } ?? ""
    }
}
