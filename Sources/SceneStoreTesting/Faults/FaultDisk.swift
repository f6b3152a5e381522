internal import SceneStoreCFaults
import Synchronization

// A named VFS. A memory disk holds its files together with what a power cut would leave of them. A
// pass-through disk works on real files with SQLite's default VFS. Each disk registers its VFS under
// a unique name, until it is released, so it must outlive the connections that use it.
//
// The store opens its database with `disk.vfsName`. On a memory disk no POSIX call sees the files:
// checks of owner, mode and links, the owner's lock, the scan of the log and `rename` are skipped, or
// done by `exportFile`, `write`, `sync` and `renameFile`. Names are flat strings; names with the same
// text before the last `/` share a directory. A store that syncs its directory after creating the
// database calls `syncDirectory`, because SQLite does so for new journals only. The shared memory of
// the log is no file. Time doesn't advance, and busy waits take none.

/// The disk in memory of a ``SimulatedDevice``: it fails on purpose, and counts.
///
/// ```swift
/// let disk = try #require(device.disk)
/// disk.program = [FaultDisk.Fault([.open, .write], files: [.writeAheadLog], effect: .short)]
/// let syncs = try disk.counting { try device.moveToBackground() }.syncs
/// disk.configure { $0.liesAboutSync = true }
/// try device.cutPower(seed: 1, mode: .loseAll)
/// ```
///
/// ## Topics
/// ### Making things fail
/// - ``program``
/// - ``Fault``
/// - ``Settings-swift.struct``
/// - ``powerOff(atOperation:)``
/// ### Watching
/// - ``counters``
/// - ``counting(_:)``
public final class FaultDisk: Sendable {
    /// The places where the files of a disk are.
    package enum Kind: Sendable, Hashable {
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
    package let kind: Kind

    /// The name to give to `sqlite3_open_v2`, or to `vfs=` in a `file:` URI.
    package let vfsName: String

    /// Makes an empty disk and registers its VFS.
    ///
    /// The random numbers of the VFS are drawn from the seed. Power cuts have seeds
    ///   of their own.
    package convenience init(seed: UInt64, kind: Kind = .memory) {
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
    package static let programLimit = 16

    /// The faults to come. Setting them restarts their counting, and an empty programme ends it.
    ///
    /// If several faults match one operation, the first of them decides.
    ///
    /// - Precondition: at most 16 faults.
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
    package var firedFaults: UInt64 {
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
