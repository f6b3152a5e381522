internal import SceneStoreCFaults

extension FaultDisk {
    /// The effects of a power cut on writes that were not synced.
    public enum PowerCutMode: Int32, Sendable, Hashable, CaseIterable {
        /// The seed chooses one of the others; the right one for long runs.
        case mixed
        /// Each sector of each write is kept or lost.
        case subset
        /// The same, and some sectors are half new, zero or junk.
        case torn
        /// Sectors were written in another order until the power was cut.
        ///
        /// An older version may have replaced a newer one.
        case reordered
        /// Everything was written in order up to some moment, the last write in part.
        case prefix
        /// Only what was synced is left.
        case loseAll
        /// Everything that was written is left, as after an orderly shutdown.
        case keepAll
    }

    /// Returns a new disk as a power cut now would leave it; this disk continues.
    ///
    /// Synced writes are kept. The same disk, seed and mode give the same result.
    ///
    /// - Precondition: a memory disk.
    package func powerCut(seed: UInt64, mode: PowerCutMode = .mixed) -> FaultDisk {
        requireMemory()
        return FaultDisk(owning: ssf_disk_power_cut(pointer, seed, mode.rawValue), kind: .memory)
    }

    /// Cuts the power and boots again, under the same ``vfsName``.
    ///
    /// Connections that were open are dead: their calls fail with an I/O error and change nothing.
    /// They should still be closed.
    ///
    /// - Precondition: a memory disk.
    package func reboot(seed: UInt64, mode: PowerCutMode = .mixed) {
        requireMemory()
        _ = ssf_disk_reboot(pointer, seed, mode.rawValue)
    }

    /// Kills the process that has the files open, as SIGKILL does.
    ///
    /// Connections are dead, locks and shared memory are gone, and writes are still in the kernel's
    /// cache.
    ///
    /// - Precondition: a memory disk.
    package func crash() {
        requireMemory()
        _ = ssf_disk_crash(pointer)
    }

    /// Drops clean pages from the kernel's cache, as `posix_fadvise(POSIX_FADV_DONTNEED)` does.
    ///
    /// Pages that a failed sync has forgotten are then lost visibly.
    ///
    /// - Precondition: a memory disk.
    package func dropCache() {
        requireMemory()
        _ = ssf_disk_drop_cache(pointer)
    }

    /// Returns a disk with the same files, caches and unsynced changes, and no open file.
    ///
    /// - Precondition: a memory disk.
    package func copy() -> FaultDisk {
        requireMemory()
        return FaultDisk(owning: ssf_disk_copy(pointer), kind: .memory)
    }

    /// Prepares this process for a rig.
    ///
    /// It switches off SQLite's memory statistics, whose lock keeps cores from working in parallel,
    /// and seeds SQLite's own random numbers, so that even the salts of write-ahead logs are the
    /// same in each run.
    ///
    /// Use it only for rigs and tests in a separate process: it is process-global, and nothing may
    /// have used SQLite before.
    ///
    /// - Returns: whether SQLite agreed.
    package static func configureRigProcess(seed: UInt32) -> Bool {
        ssf_configure_for_rigs() == 0 && ssf_seed_sqlite(seed) == 0
    }
}
