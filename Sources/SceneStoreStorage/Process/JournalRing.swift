import SceneStoreSQLite
import SceneStoreValues

/// Where the journal's entries lie: entry `serial`, of which the first is 1, in place
/// `(serial - 1) % capacity + 1`, over the one that lay there before.
package struct JournalRing {
    /// The entry that was written last; 0 when there is none.
    package let newest: Int64
    private let capacity: Int64

    package init(count: Int64, capacity: Int) {
        newest = max(count, 0)
        self.capacity = Int64(max(capacity, 1))
    }

    /// The oldest entry that is not written over.
    package var oldest: Int64 { max(newest - capacity, 0) + 1 }

    package func place(of serial: Int64) -> Int64 { (serial - 1) % capacity + 1 }

    /// The entry that lies in a place; 0 or less where none does.
    package func serial(at place: Int64) -> Int64 {
        let last = self.place(of: max(newest, 1))
        return newest - last + place - (place > last ? capacity : 0)
    }

    /// The places of some entries, in their order: two ranges where the ring begins anew between
    /// them.
    package func places(from first: Int64, through last: Int64) -> [(first: Int64, last: Int64)] {
        guard first <= last else {
            return []
        }
        let (start, end) = (place(of: first), place(of: last))
        guard start > end else {
            return [(start, end)]
        }
        return [(start, capacity), (1, end)]
    }
}
