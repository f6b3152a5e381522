internal import SceneStoreCFaults

extension FaultDisk {
    /// Records every change from now on; an earlier recording is dropped.
    ///
    /// - Precondition: a memory disk.
    package func startTrace() {
        requireMemory()
        _ = ssf_disk_start_trace(pointer)
    }

    /// Notes a number in the recording, such as that of the save that was just acknowledged.
    package func mark(_ value: UInt64) {
        ssf_disk_mark(pointer, value)
    }

    /// Ends the recording and hands it over; nil when there was none.
    package func endTrace() -> Trace? {
        ssf_disk_end_trace(pointer).map(Trace.init(owning:))
    }

    /// A recording of changes to a disk, from which the disk can be cut at any of them.
    package final class Trace: Sendable {
        // A recording never changes and counts its walks atomically; for the address see the
        // disk's handle.
        private struct Handle: ~Copyable, Sendable {
            let address: UInt

            deinit {
                ssf_trace_release(OpaquePointer(bitPattern: address))
            }
        }

        private let handle: Handle

        /// The number of steps, marks included.
        package let count: Int

        init(owning pointer: OpaquePointer) {
            count = ssf_trace_count(pointer)
            handle = Handle(address: UInt(bitPattern: pointer))
        }

        /// Makes a replay of the recording. Each thread may have a separate replay.
        package func makeReplay() -> Replay {
            Replay(owning: ssf_replay_create(OpaquePointer(bitPattern: handle.address)))
        }

        /// Cuts the power at every step of the recording, several times each.
        ///
        /// `body` gets the same disk each time, under the same name, with other content. Close
        /// everything that you opened on it before `body` returns.
        ///
        /// - Parameters:
        ///   - seed: what the seed of each cut is made of.
        ///   - outcomes: how many cuts at each step.
        ///   - positions: which steps, by the number of steps before the cut; nil for all.
        ///   - mode: what becomes of unsynced writes.
        ///   - body: opens the disk and checks it; false ends the replay.
        /// - Returns: how many cuts were made.
        @discardableResult
        package func forEachPowerCut<Failure>(
            seed: UInt64,
            outcomes: Int,
            positions: Range<Int>? = nil,
            mode: PowerCutMode = .mixed,
            _ body: (PowerCut, FaultDisk) throws(Failure) -> Bool
        ) throws(Failure) -> Int {
            let disk = FaultDisk(seed: seed)
            var replay = makeReplay()
            var cuts = 0
            repeat {
                let position = replay.position
                let isWanted = positions?.contains(position) ?? true
                guard isWanted, !replay.isBeforeMark else {
                    continue
                }
                for outcome in 0..<outcomes {
                    let cut = PowerCut(
                        position: position,
                        outcome: outcome,
                        seed: ssf_cut_seed(seed, UInt64(position), UInt64(outcome)),
                        mark: replay.mark)
                    replay.powerCut(seed: cut.seed, mode: mode, into: disk)
                    cuts += 1
                    guard try body(cut, disk) else {
                        return cuts
                    }
                }
            } while replay.advance()
            return cuts
        }
    }

    /// One cut of many: enough to make it again.
    package struct PowerCut: Sendable, Hashable {
        /// The number of steps that came before it.
        package let position: Int
        /// The index of the outcome at that step.
        package let outcome: Int
        /// The seed of this outcome.
        package let seed: UInt64
        /// The last mark before it, 0 when there was none.
        package let mark: UInt64
    }

    /// A walk along a recording.
    package struct Replay: ~Copyable {
        private let pointer: OpaquePointer

        init(owning pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            ssf_replay_release(pointer)
        }

        /// The number of steps that were made.
        package var position: Int { ssf_replay_position(pointer) }

        /// The last mark that was passed, 0 when there was none.
        package var mark: UInt64 { ssf_replay_mark(pointer) }

        /// Whether the next step is a mark. A cut after the mark finds the same disk and more
        /// promises, so a cut before it would prove nothing new.
        package var isBeforeMark: Bool { ssf_replay_is_before_mark(pointer) }

        /// Makes one step; false at the end.
        package mutating func advance() -> Bool {
            ssf_replay_advance(pointer)
        }

        /// Returns a disk as a power cut at this step would leave it.
        package func powerCut(seed: UInt64, mode: PowerCutMode = .mixed) -> FaultDisk {
            FaultDisk(owning: ssf_replay_power_cut(pointer, seed, mode.rawValue), kind: .memory)
        }

        /// Replaces the content of `disk` with what a power cut at this step would leave.
        ///
        /// This saves registering a VFS, and allows many thousand cuts a second. Connections that
        /// are open on the disk become invalid.
        ///
        /// - Precondition: `disk` is a memory disk.
        package func powerCut(seed: UInt64, mode: PowerCutMode = .mixed, into disk: FaultDisk) {
            disk.requireMemory()
            _ = ssf_replay_power_cut_into(pointer, seed, mode.rawValue, disk.pointer)
        }
    }
}
