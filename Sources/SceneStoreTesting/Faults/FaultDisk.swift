internal import SceneStoreCFaults
import Synchronization

/// A disk for SQLite that fails on purpose: a named VFS with counters and a programme of faults.
///
/// A ``Kind/memory`` disk holds its files in memory, together with what a power cut would leave of
/// them. Use it for power-cut rigs. A ``Kind/passThrough`` disk works on real files with SQLite's
/// default VFS and fails only where the programme requests it. Any number of disks may exist at the
/// same time. Each registers its VFS under a unique name, until the disk is released.
///
/// ```swift
/// let disk = FaultDisk(seed: 1, kind: .memory)
/// let fault = FaultDisk.Fault([.read], files: [.mainDatabase], at: 2, effect: .short)
/// disk.program = [fault]  // the second read; SQLite opens the disk as `disk.vfsName`
/// let written = disk.counting { _ = disk.write([1, 2, 3], to: "notes") }.bytesWritten  // 3
/// disk.reboot(seed: 1, mode: .loseAll)  // nothing was synced
/// ```
///
/// ## Running a store on a memory disk
///
/// The store opens its database by `sqlite3_open_v2(…, disk.vfsName)` and does nothing to the file
/// by any other way:
///
/// - No POSIX call sees these files. Checks of type, owner, mode and links, the creation of the
///   container, the owner lock, the scan of the write-ahead log and quarantine by `rename` are
///   skipped, or done by ``exportFile(_:)``, ``write(_:to:at:)``, ``sync(_:)`` and
///   ``renameFile(_:to:)``.
/// - Names are flat strings. Names with the same text before the last `/` share a directory.
///   Directories need not be created.
/// - A store that syncs its directory after creating the database calls ``syncDirectory(of:)``
///   where it would call `fsync` on the directory. SQLite itself does so for new journals only.
/// - Where the store would drop the kernel's cache after an unclean exit, it calls
///   ``dropCache()``.
/// - The shared memory of write-ahead logging is not a file, so ``files`` has no `-shm`.
/// - Time doesn't advance. Busy waits take no time (see ``Settings-swift.struct/simulatesSleep``).
///
/// The disk must outlive the connections that use it.
///
/// ## Topics
/// ### Making things fail
/// - ``program``
/// - ``Fault``
/// - ``Settings-swift.struct``
/// - ``powerOff(atOperation:)``
/// ### Power cuts and kills
/// - ``powerCut(seed:mode:)``
/// - ``reboot(seed:mode:)``
/// - ``crash()``
/// - ``startTrace()``
/// ### Watching
/// - ``counters``
/// - ``files``
public final class FaultDisk: Sendable {
    /// The places where the files of a disk are.
    public enum Kind: Sendable, Hashable {
        /// In memory, with a durable and a cached side.
        case memory
        /// The files are where SQLite's default VFS has them.
        case passThrough
    }

    // The disk in C has a lock of its own and may be used from any thread. Pointers are never
    // Sendable, so what is kept is its address.
    struct Handle: ~Copyable, Sendable {
        let address: UInt

        deinit {
            ssf_disk_release(OpaquePointer(bitPattern: address))
        }
    }

    private let handle: Handle
    private let faults = Mutex<[Fault]>([])

    var pointer: OpaquePointer? { OpaquePointer(bitPattern: handle.address) }

    /// The place of the files.
    public let kind: Kind

    /// The name to give to `sqlite3_open_v2`, or to `vfs=` in a `file:` URI.
    public let vfsName: String

    /// Makes an empty disk and registers its VFS.
    ///
    /// The random numbers of the VFS are drawn from the seed. Power cuts have seeds
    ///   of their own.
    public convenience init(seed: UInt64, kind: Kind = .memory) {
        self.init(owning: ssf_disk_create(seed, kind == .memory), kind: kind)
    }

    // Takes over a disk that C made; NULL means that SQLite could not even be initialised.
    init(owning pointer: OpaquePointer?, kind: Kind) {
        guard let pointer else {
            preconditionFailure("SQLite could not be initialised")
        }
        self.kind = kind
        vfsName = String(cString: ssf_disk_name(pointer))
        handle = Handle(address: UInt(bitPattern: pointer))
    }

    func requireMemory(_ function: StaticString = #function) {
        precondition(kind == .memory, "\(function) needs a memory disk")
    }

    // MARK: Settings and programme

    /// The properties of the disk.
    public var settings: Settings {
        get {
            Settings(ssf_disk_settings(pointer))
        }
        set {
            ssf_disk_set_settings(pointer, newValue.raw)
        }
    }

    /// Changes the settings in one step.
    public func configure(_ change: (inout Settings) -> Void) {
        var settings = self.settings
        change(&settings)
        self.settings = settings
    }

    /// The most faults that a programme may have.
    public static let programLimit = 16

    /// The faults to come. Setting them restarts their counting, and an empty programme ends it.
    ///
    /// If several faults match one operation, the first of them decides.
    ///
    /// - Precondition: at most ``programLimit`` faults.
    public var program: [Fault] {
        get {
            faults.withLock { $0 }
        }
        set {
            precondition(newValue.count <= Self.programLimit, "too many faults in one programme")
            let raw = newValue.map(\.raw)
            faults.withLock { faults in
                faults = newValue
                _ = ssf_disk_set_program(pointer, raw, raw.count)
            }
        }
    }

    /// The number of operations that were hit since the programme was set; 0 ends a sweep.
    public var firedFaults: UInt64 {
        ssf_disk_fired(pointer)
    }

    /// Makes every operation from the n-th on fail, until the disk is rebooted.
    ///
    /// The count is ``Counters/operations``; nil switches the power on again.
    public func powerOff(atOperation operation: UInt64?) {
        ssf_disk_power_off_at(pointer, operation ?? 0)
    }

    // MARK: Counters

    /// The operations that were requested so far.
    public var counters: Counters {
        Counters(
            values: [UInt64](unsafeUninitializedCapacity: Counters.valueCount) { buffer, count in
                buffer.initialize(repeating: 0)
                if let values = buffer.baseAddress {
                    ssf_disk_counters(pointer, values, Counters.valueCount)
                }
                count = Counters.valueCount
            })
    }

    /// Returns the operations of the disk while `body` runs, by any thread.
    public func counting<Failure>(
        _ body: () throws(Failure) -> Void
    ) throws(Failure) -> Counters {
        let before = counters
        try body()
        return counters - before
    }
}
