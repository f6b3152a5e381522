import SceneStore
import SceneStoreSQLite

extension FuzzTarget {
    /// A store's files, damaged or forged, opened and read to the last row.
    ///
    /// The first byte says what the rest is: `R` the store's file itself; `B` and `W` changes to
    /// the bytes of a good store, with and without a log; `S` changes to its rows, sealed anew, as
    /// one would forge them who knows the format. The second byte says how it is opened.
    static let store = FuzzTarget(
        "store", maximumBytes: 4 << 10,
        line: TimeLine(baseNanoseconds: 4_000_000_000, nanosecondsPerByte: 1_000_000),
        grows: false, prepare: { _ = GoodStore.closed }
    ) { bytes in
        var input = FuzzInput(bytes)
        let kind = input.byte()
        let access = input.byte()
        let container = ScratchFolder.store.path + "/container"
        SmallFile.remove(container)
        SmallFile.makeFolder(container)
        switch kind {
        case UInt8(ascii: "R"):
            SmallFile.write(input.remaining(), to: container + "/" + ContainerName.store)
        case UInt8(ascii: "S"):
            GoodStore.closed.write(to: container)
            RowForgery(container)?.forge(&input)
        case UInt8(ascii: "W"):
            var files = GoodStore.killed
            files.change(&input)
            files.write(to: container)
        default:
            var files = GoodStore.closed
            files.change(&input)
            files.write(to: container)
        }
        StoreReading(container, access: access).read()
    }
}
