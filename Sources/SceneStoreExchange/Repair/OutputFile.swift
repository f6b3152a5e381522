import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues
import Synchronization

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
        do {
            _ = try write(to: path, replacing: replacing, protecting: location) { append in
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + 4 << 20)
                    try append(Array(bytes[start..<end]))
                    start = end
                    try work.say(stage, done: start)
                }
            }
        } catch {
            throw SceneStoreError(error, "writing a file")
        }
    }

    /// The same for bytes that come in pieces: a body appends them, and nothing stays if it throws.
    /// Returns how many there were, too.
    package static func write<Result>(
        to path: String, replacing: Bool, protecting location: SceneSessionStore.Location?,
        _ body: (_ append: @Sendable ([UInt8]) throws(SceneStoreError) -> Void) throws -> Result
    ) throws -> (bytes: Int, result: Result) {
        let file = try translating("writing a file") {
            var container: ContainerFolder?
            if case .directory(let directory)? = location {
                container = try ContainerFolder.open(directory, access: .inspector)
            }
            return Mutex<AtomicFile?>(
                try AtomicFile(path: path, replacing: replacing, protecting: container))
        }
        let count = Atomic<Int>(0)
        let result = try body { bytes throws(SceneStoreError) in
            try translating("writing a file") {
                try file.withLock { file in try file?.write(bytes) }
            }
            count.add(bytes.count, ordering: .relaxed)
        }
        try translating("writing a file") {
            try file.withLock { file in
                let whole = file.take()
                try whole?.commit()
            }
        }
        return (count.load(ordering: .relaxed), result)
    }
}
