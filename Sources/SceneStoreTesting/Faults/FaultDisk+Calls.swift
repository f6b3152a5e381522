internal import SceneStoreCFaults

/// What a store does to files without SQLite, such as writing a backup: a temporary file is written,
/// synced and renamed, and the directory is synced.
extension FaultDisk {
    /// Writes bytes into a file, which is created when it is not there. The disk counts this call,
    /// and ``program`` can make it fail, as if SQLite had made the call.
    ///
    /// - Returns: SQLite's extended result code, 0 when all was written.
    package func write(_ bytes: [UInt8], to name: String, at offset: UInt64 = 0) -> Int32 {
        ssf_disk_write(pointer, name, offset, bytes, bytes.count)
    }

    /// Changes a file's size; counted, and can fail.
    ///
    /// - Returns: SQLite's extended result code, 0 when it was done.
    package func truncate(_ name: String, to size: UInt64) -> Int32 {
        ssf_disk_truncate(pointer, name, size)
    }

    /// Makes a file's bytes durable; counted, and can fail.
    ///
    /// ``Settings-swift.struct/directoryDurability`` determines whether its name becomes durable,
    /// too.
    ///
    /// - Returns: SQLite's extended result code, 0 when it was done.
    package func sync(_ name: String) -> Int32 {
        ssf_disk_sync(pointer, name)
    }

    /// Unlinks a file; returns false if there is none.
    ///
    /// ``Settings-swift.struct/directoryDurability`` determines whether that survives a power cut.
    @discardableResult
    package func removeFile(_ name: String) -> Bool {
        requireMemory()
        return ssf_disk_remove(pointer, name)
    }

    /// Renames a file, replacing any file of the new name; returns false if there is none.
    @discardableResult
    package func renameFile(_ name: String, to other: String) -> Bool {
        requireMemory()
        return ssf_disk_rename(pointer, name, other)
    }

    /// Makes the creations, deletions and renames in the directory of `name` durable.
    ///
    /// It does what `fsync` on the directory does; nil is all directories.
    package func syncDirectory(of name: String? = nil) {
        requireMemory()
        _ = ssf_disk_sync_directory(pointer, name)
    }
}
