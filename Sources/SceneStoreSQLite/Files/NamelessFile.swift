import Synchronization

/// A private file in the temporary folder that has no name, so that no death of the process leaves
/// its content there. Bytes are appended, and read as often as needed.
package final class NamelessFile: Sendable {
    let descriptor: Int32
    private let size = Atomic<Int>(0)

    /// The bytes that were appended.
    package var count: Int { size.load(ordering: .relaxed) }

    /// Makes an empty one; in the folder that `TMPDIR` names, unless another one is given.
    package init(in folder: String? = nil) throws(ContainerError) {
        do {
            descriptor = try Self.make(in: System.resolve(folder ?? System.temporaryFolder))
        } catch {
            // What the temporary folder lacks says nothing of the store, which isn't missing.
            var failure = ContainerError(
                error, "copying into the temporary folder, which TMPDIR names")
            if failure.kind == .missing || failure.kind == .notAFolder {
                failure.kind = .permission
            }
            throw failure
        }
    }

    deinit {
        System.closeFile(descriptor)
    }

    private static func make(in path: String) throws(SystemError) -> Int32 {
        let folder = try System.openFolder(path)
        defer { System.closeFile(folder) }
        var attempt = 0
        while true {
            let name = ".scenestore.\(System.processIdentifier).\(attempt).tmp"
            do throws(SystemError) {
                let file = try System.createFile(name, in: folder)
                do throws(SystemError) {
                    try System.remove(name, in: folder)
                } catch {
                    System.closeFile(file)
                    throw error
                }
                return file
            } catch {
                // Another thread's for this moment, or left empty by a process of the same number.
                attempt += 1
                guard error.exists, attempt < 1_000 else { throw error }
            }
        }
    }

    /// Appends bytes; for one caller at a time.
    package func append(_ bytes: [UInt8]) throws(ContainerError) {
        do {
            try System.write(bytes, to: descriptor, at: Int64(count))
        } catch {
            throw ContainerError(error, "writing a temporary file")
        }
        size.add(bytes.count, ordering: .relaxed)
    }

    /// Up to so many bytes; fewer at the end.
    package func read(_ count: Int, at offset: Int) throws(ContainerError) -> [UInt8] {
        do {
            return try System.read(descriptor, count: count, at: Int64(offset))
        } catch {
            throw ContainerError(error, "reading a temporary file")
        }
    }
}
