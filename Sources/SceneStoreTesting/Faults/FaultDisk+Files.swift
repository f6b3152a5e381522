internal import SceneStoreCFaults

/// The files of a memory disk, from outside SQLite: for damage and for copies. All of these need a
/// memory disk; none is counted or fails.
extension FaultDisk {
    /// The largest file that a memory disk takes: 1 GiB.
    package static let fileSizeLimit = 1 << 30

    /// The names of all files, oldest first; temporary files have none.
    package var files: [String] {
        requireMemory()
        var names: [String] = []
        while let name = ssf_disk_file_name(pointer, names.count) {
            names.append(String(cString: name))
            ssf_free(name)
        }
        return names
    }

    /// Returns the size of a file in bytes, or nil if it doesn't exist.
    package func fileSize(_ name: String) -> UInt64? {
        requireMemory()
        var size: UInt64 = 0
        return ssf_disk_file_size(pointer, name, &size) ? size : nil
    }

    /// Returns a file's bytes as a reader would see them now, or nil if it doesn't exist.
    package func exportFile(_ name: String) -> [UInt8]? {
        requireMemory()
        var size: UInt64 = 0
        guard ssf_disk_file_size(pointer, name, &size) else {
            return nil
        }
        let length = Int(size)
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = ssf_disk_export(pointer, name, buffer.baseAddress, length)
        }
    }

    /// Returns a number that almost certainly differs whenever a file's bytes differ.
    ///
    /// Returns nil if the file doesn't exist. It costs almost nothing for content that copies of a
    /// disk share.
    package func fileDigest(_ name: String) -> UInt64? {
        requireMemory()
        var digest: UInt64 = 0
        return ssf_disk_digest(pointer, name, &digest) ? digest : nil
    }

    /// Makes or replaces a file, durable at once, also under an open connection.
    ///
    /// - Precondition: at most ``fileSizeLimit`` bytes.
    package func importFile(_ name: String, bytes: [UInt8]) {
        requireMemory()
        precondition(bytes.count <= Self.fileSizeLimit, "a file may have 1 GiB at most")
        _ = ssf_disk_import(pointer, name, bytes, bytes.count)
    }

    /// Flips bits of one byte, durable at once; false when the file has no such byte.
    @discardableResult
    package func damageFile(_ name: String, at offset: Int, mask: UInt8 = 0xff) -> Bool {
        guard var bytes = exportFile(name), bytes.indices.contains(offset) else {
            return false
        }
        bytes[offset] ^= mask
        importFile(name, bytes: bytes)
        return true
    }

    /// Cuts a file off, durable at once; false when it is not longer than that.
    @discardableResult
    package func shortenFile(_ name: String, to size: Int) -> Bool {
        guard size >= 0, let bytes = exportFile(name), size < bytes.count else {
            return false
        }
        importFile(name, bytes: Array(bytes.prefix(size)))
        return true
    }
}
