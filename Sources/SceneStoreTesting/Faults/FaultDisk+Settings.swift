internal import SceneStoreCFaults

extension FaultDisk {
    /// The properties of a disk.
    ///
    /// ```swift
    /// disk.configure { settings in
    ///     settings.sectorSize = .bytes512
    ///     settings.directoryDurability = .strict
    /// }
    /// ```
    public struct Settings: Sendable, Hashable {
        /// The part of a write that is kept or lost as one in a power cut.
        public enum SectorSize: UInt32, Sendable, Hashable {
            /// 512 bytes, the harshest.
            case bytes512 = 512
            /// 4096 bytes.
            case bytes4096 = 4096
        }

        /// The moments from which the creation, deletion or renaming of a file survives a power
        /// cut.
        public enum DirectoryDurability: Int32, Sendable, Hashable, CaseIterable {
            /// Syncing a new file makes its entry durable too; deleting and renaming need a sync of
            /// the directory.
            case ext4
            /// Every change needs a sync of the directory.
            case strict
            /// Every change is durable at once.
            case immediate
        }

        /// The unit that a power cut tears apart.
        public var sectorSize: SectorSize
        /// The moment from which changes of a directory are durable.
        public var directoryDurability: DirectoryDurability
        /// Whether a sync reports success and does nothing.
        public var liesAboutSync: Bool
        /// Whether a power cut spares the bytes next to those being written, as SQLite assumes on
        /// Linux.
        ///
        /// If it is false, a torn sector may be junk completely, and SQLite pads its log
        /// accordingly.
        public var hasPowersafeOverwrite: Bool
        /// Whether SQLite's busy waits advance a simulated clock and return at once. Switch it off
        /// when threads really wait for each other.
        public var simulatesSleep: Bool
        // A pass-through disk uses only this, and counts only how much its files grow from now on.
        /// The bytes that all files together may have, rounded down to 512; nil for no limit.
        ///
        /// A write past the limit is done in part and reported as `SQLITE_FULL`.
        public var capacity: UInt64?

        init(_ raw: ssf_settings) {
            sectorSize = SectorSize(rawValue: raw.sectorSize) ?? .bytes512
            directoryDurability = DirectoryDurability(rawValue: raw.directory) ?? .ext4
            liesAboutSync = raw.lies
            hasPowersafeOverwrite = raw.powersafeOverwrite
            simulatesSleep = raw.simulatesSleep
            capacity = raw.capacity == .max ? nil : raw.capacity
        }

        var raw: ssf_settings {
            ssf_settings(
                sectorSize: sectorSize.rawValue,
                directory: directoryDurability.rawValue,
                lies: liesAboutSync,
                powersafeOverwrite: hasPowersafeOverwrite,
                simulatesSleep: simulatesSleep,
                capacity: capacity ?? .max)
        }
    }
}
