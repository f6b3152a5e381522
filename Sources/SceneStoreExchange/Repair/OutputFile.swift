import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A file that somebody names for what a store gives out.
package enum OutputFile {
    /// Writes bytes into a new file: whole, private and on the disk when this returns, or not at
    /// all. One of the store's own files is refused.
    package static func write(
        _ bytes: [UInt8], to path: String, replacing: Bool,
        protecting location: SceneSessionStore.Location?,
        observer: WorkObserver? = nil
    ) throws(SceneStoreError) {
        let work = WorkTeller(observer: observer)
        let stage = WorkProgress("writing", .bytes, total: bytes.count)
        try translating("writing a file") {
            var container: ContainerFolder?
            if case .directory(let directory)? = location {
                container = try ContainerFolder.open(directory, access: .inspector)
            }
            var file = try AtomicFile(
                path: path, replacing: replacing, protecting: container)
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + 4 << 20)
                try file.write(Array(bytes[start..<end]))
                start = end
                try work.say(stage, done: start)
            }
            try file.commit()
        }
    }
}
