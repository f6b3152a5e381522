import SceneStoreStorage
import SceneStoreValues

/// A cell of a leaf of a table's tree, and the record in it: section 1.6 and 2 of
/// <https://www.sqlite.org/fileformat2.html>, read without trusting a byte.
struct LeafCell {
    var id: Int64
    /// Bytes of the whole record.
    var size: Int
    /// Where its beginning lies in the page.
    var local: Range<Int>
    /// The first page of the rest, 0 when there is none.
    var overflow: UInt32

    /// The longest record that is looked at: SQLite's limit in our connections.
    static let maximumSize = 64 << 20

    /// The offsets of a page at which a record of ours may begin: behind the record's length, its
    /// number and its header's length stands the type of the row's number, NULL. Almost no byte
    /// of a text passes, so few cells are read in vain.
    ///
    /// Looks at every byte of a damaged file, so it reads memory without a collection's steps.
    static func offsets(in page: [UInt8]) -> [Int] {
        page.withUnsafeBufferPointer { buffer in
            var offsets: [Int] = []
            guard let bytes = buffer.baseAddress else {
                return offsets
            }
            let count = buffer.count
            var offset = 0
            while offset < count - 4 {
                var position = offset
                var numbers = 0
                while numbers < 3 {
                    let last = position + 8
                    while position < last, position < count, bytes[position] >= 0x80 {
                        position += 1
                    }
                    position += 1
                    numbers += 1
                }
                if position < count, bytes[position] == 0 {
                    offsets.append(offset)
                }
                offset += 1
            }
            return offsets
        }
    }

    /// Reads the cell at an offset of a page; nil when none begins there.
    init?(_ page: [UInt8], at offset: Int) {
        var position = offset
        guard let size = page.varint(at: &position), let id = page.varint(at: &position),
            size >= 2, size <= UInt64(Self.maximumSize)
        else {
            return nil
        }
        let total = Int(size)
        let usable = page.count
        let most = usable - 35
        var kept = total
        if total > most {
            let least = (usable - 12) * 32 / 255 - 23
            let wanted = least + (total - least) % (usable - 4)
            kept = wanted <= most ? wanted : least
        }
        let end = position + kept
        guard end + (kept < total ? 4 : 0) <= usable else {
            return nil
        }
        self.id = Int64(bitPattern: id)
        self.size = total
        local = position..<end
        overflow = kept < total ? page.bigEndian32(at: end) : 0
    }

    /// The whole record, or nil when a page of it is missing. `page` gives the pages of the rest.
    func record(_ first: [UInt8], _ page: (UInt32) -> [UInt8]?) -> ArraySlice<UInt8>? {
        guard local.count < size else {
            return first[local]
        }
        var record = Array(first[local])
        record.reserveCapacity(size)
        var next = overflow
        // The record grows with each page, so a chain that turns back on itself ends too.
        while record.count < size {
            guard next > 0, let content = page(next), content.count > 4 else {
                return nil
            }
            record.append(contentsOf: content[4...].prefix(size - record.count))
            next = content.bigEndian32(at: 0)
        }
        return record[...]
    }
}

/// The columns of a record.
struct RecordHeader {
    struct Column {
        /// SQLite's serial type.
        var type: UInt64
        /// Where the content lies in the record.
        var range: Range<Int>
    }

    private(set) var columns: [Column] = []

    /// Reads the header of a record of which at least the header is there; `size` is the length
    /// of the whole record. Nil when it is none, or not one of our tables'.
    init?(_ bytes: ArraySlice<UInt8>, size: Int, isOfIndex: Bool = false) {
        let start = bytes.startIndex
        var position = start
        // Ours are short, and those of tables begin with the row's number, which is stored as NULL.
        guard let length = bytes.varint(at: &position), length >= 3, length <= 200,
            Int(length) <= bytes.count, Int(length) <= size,
            // The length may have the header's last byte.
            isOfIndex || bytes[position...].first == 0
        else {
            return nil
        }
        let headerEnd = start + Int(length)
        var offset = Int(length)
        columns.reserveCapacity(min(Int(length) - 1, TableDescription.mostColumns))
        while position < headerEnd {
            guard columns.count < TableDescription.mostColumns,
                let type = bytes.varint(at: &position),
                let count = Self.length(of: type), count <= size - offset
            else {
                return nil
            }
            columns.append(Column(type: type, range: offset..<offset + count))
            offset += count
        }
        guard position == headerEnd, offset == size else {
            return nil
        }
    }

    private static func length(of type: UInt64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 10, 11: nil
        default: type < UInt64(LeafCell.maximumSize) * 2 + 14 ? Int((type - 12) / 2) : nil
        }
    }

    /// A column's value; nil for a floating point number and for text that is not UTF-8. The
    /// record begins at the slice's beginning.
    func value(_ index: Int, in record: ArraySlice<UInt8>) -> ColumnValue? {
        let (type, range) = (columns[index].type, columns[index].range)
        guard range.upperBound <= record.count else {
            return nil
        }
        let start = record.startIndex
        let content = record[start + range.lowerBound..<start + range.upperBound]
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 1...6:
            var number: Int64 = content.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
            for byte in content {
                number = number << 8 | Int64(byte)
            }
            return .integer(number)
        case 7: return nil
        case _ where type % 2 == 0: return .blob(Array(content))
        default: return String(validating: content, as: UTF8.self).map { .text($0) }
        }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// SQLite's variable-length number; moves the position behind it. Nil where it is cut off.
    func varint(at position: inout Int) -> UInt64? {
        var result: UInt64 = 0
        for index in 0..<9 {
            guard position >= startIndex, position < endIndex else {
                return nil
            }
            let byte = self[position]
            position += 1
            if index == 8 {
                return result << 8 | UInt64(byte)
            }
            result = result << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 {
                return result
            }
        }
        return result
    }
}
