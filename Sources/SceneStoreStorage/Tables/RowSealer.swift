import SceneStoreValues

/// Computes the checksums of rows: XXH64 over the columns, seeded by the store's UUID and
/// the table.
///
/// Numbers are eight bytes, the least significant first; texts are their length and their UTF-8;
/// a column that may be NULL has a mark before it. One buffer serves all rows.
///
/// Behind what was given there is always room for ``slack`` bytes, more than the numbers of any row
/// take: only a text or a blob has to look whether it fits.
package final class RowSealer {
    private static let slack = 1_024
    private var base: UnsafeMutableRawPointer
    private var capacity = 2 * slack
    private var count = 0
    private let seeds: [UInt64]

    package init(uuid: [UInt8]) {
        base = .allocate(byteCount: capacity, alignment: 8)
        seeds = [0] + StoreTable.allCases.map { ContentHash.hash(uuid, seed: $0.rawValue) }
    }

    deinit {
        base.deallocate()
    }

    /// Begins with a row.
    @inline(__always)
    package func begin() {
        count = 0
    }

    /// The checksum of what was added since the beginning.
    @inline(__always)
    package func end(_ table: StoreTable) -> Int64 {
        Int64(
            bitPattern: ContentHash.hash(
                UnsafeRawBufferPointer(start: base, count: count),
                seed: seeds[Int(table.rawValue)]))
    }

    @inline(__always)
    package func add(_ number: Int64) {
        assert(count &+ 8 <= capacity)
        // Copied, because a debug build stores through generic calls.
        var bytes = number.littleEndian
        (base + count).copyMemory(from: &bytes, byteCount: 8)
        count &+= 8
    }

    @inline(__always)
    package func add(_ flag: Bool) {
        add(flag ? 1 : 0 as Int64)
    }

    /// A number that may be absent: a mark, and the number or a zero.
    @inline(__always)
    package func add(_ number: Int64?) {
        add(number != nil)
        add(number ?? 0)
    }

    package func add(_ text: String) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            add(UnsafeRawBufferPointer($0))
        }
        if isDone == nil {
            add(Array(text.utf8))
        }
    }

    @inline(__always)
    package func add(_ identifier: IdentifierText) {
        switch identifier.storage {
        case .short(let short):
            withUnsafeBytes(of: short) { bytes in
                let capacity = IdentifierText.Short.capacity
                let count = min(Int(bytes[capacity]), capacity)
                add(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        case .long(let text): add(text)
        }
    }

    package func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { add($0) }
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        add(Int64(bytes.count))
        if count &+ bytes.count &+ Self.slack > capacity {
            grow(bytes.count)
        }
        if let start = bytes.baseAddress {
            (base + count).copyMemory(from: start, byteCount: bytes.count)
        }
        count &+= bytes.count
    }

    private func grow(_ extra: Int) {
        capacity = max(capacity * 2, count + extra + Self.slack)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
    }
}
