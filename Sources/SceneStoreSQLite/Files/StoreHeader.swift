/// The first hundred bytes of a database file, as far as they tell ours from others.
///
/// While a log exists its copy of the first page may be newer: see ``WALScan/firstPage``.
package struct StoreHeader: Hashable, Sendable {
    static let length = 100

    package var userVersion: Int32

    /// Reads a header. `expected` is the `application_id` of our files.
    package init(
        _ bytes: some RandomAccessCollection<UInt8>, expecting expected: Int32
    ) throws(ContainerError) {
        let bytes = Array(bytes.prefix(Self.length))
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else {
            throw Self.refused("not an SQLite file", .notSQLite)
        }
        func word(_ offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        userVersion = Int32(bitPattern: word(60))
        if Int32(bitPattern: word(68)) != expected {
            // Whoever writes a header writes its change counter twice, and SQLite's version.
            guard word(24) == word(92), word(96) != 0 else {
                throw Self.refused("an SQLite file whose header is damaged", .damagedHeader)
            }
            throw Self.refused("an SQLite file of another application", .otherApplication)
        }
        guard (1...2).contains(bytes[18]), (1...2).contains(bytes[19]),
            bytes[21] == 64, bytes[22] == 32, bytes[23] == 32
        else {
            throw Self.refused("an SQLite file whose header is damaged", .damagedHeader)
        }
        guard Int(bytes[16]) << 8 | Int(bytes[17]) == Int(storePageSize) else {
            throw Self.refused("an SQLite file with pages of another size", .pageSize)
        }
        // 1 is UTF-8.
        guard word(56) == 1 else {
            throw Self.refused("an SQLite file whose text is not UTF-8", .encoding)
        }
    }

    package static let magic = Array("SQLite format 3\0".utf8)

    private static func refused(
        _ message: String, _ reason: ContainerError.Reason
    ) -> ContainerError {
        ContainerError(.notAStore, message, reason: reason)
    }

    /// Whether a page behind the first one looks like one of a table or an index, by the eight bytes
    /// that it begins with (section 1.6 of <https://www.sqlite.org/fileformat2.html>).
    static func isTree(_ page: some RandomAccessCollection<UInt8>) -> Bool {
        let bytes = Array(page.prefix(8))
        guard bytes.count == 8 else {
            return false
        }
        let cells = Int(bytes[3]) << 8 | Int(bytes[4])
        let content = Int(bytes[5]) << 8 | Int(bytes[6])
        let header: Int
        switch bytes[0] {
        case 2, 5: header = 12
        case 10, 13: header = 8
        default: return false
        }
        return header + 2 * cells <= content && content <= Int(storePageSize)
    }

    /// The one page of an empty database with our settings, in log mode.
    ///
    /// A new store begins as this page, written whole under another name and then renamed: at the
    /// store's own name there is never an empty or half-made file, whenever the power fails. The
    /// layout is section 1.3 of <https://www.sqlite.org/fileformat2.html>.
    package static func emptyStore(applicationID: Int32) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: Int(storePageSize))
        func put(_ value: UInt32, at offset: Int) {
            for index in 0..<4 {
                page[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
            }
        }
        page.replaceSubrange(0..<16, with: magic)
        page[16] = UInt8(storePageSize >> 8)
        page[18] = 2
        page[19] = 2
        page[21] = 64
        page[22] = 32
        page[23] = 32
        put(1, at: 24)  // change counter
        put(1, at: 28)  // pages
        put(4, at: 44)  // schema format
        put(1, at: 56)  // UTF-8
        put(UInt32(bitPattern: applicationID), at: 68)
        put(1, at: 92)  // the change counter for which the page count holds
        put(3_037_000, at: 96)  // the oldest SQLite that reads our files
        page[100] = 0x0d  // a table leaf without cells
        page[105] = UInt8(storePageSize >> 8)  // its content area begins at the page's end
        return page
    }
}
