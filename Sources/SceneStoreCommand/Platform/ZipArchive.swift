/// Writes a ZIP archive (PKWARE APPNOTE 6.3.4) of files in memory, stored and not compressed.
struct ZipArchive {
    private var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    /// The time of all files, in the format of MS-DOS: two seconds at a time, from 1980.
    private let time: UInt16
    private let date: UInt16

    private struct Entry {
        var name: [UInt8]
        var checksum: UInt32
        var size: UInt32
        var offset: UInt32
    }

    /// Begins an archive whose files are of a time, in milliseconds since 1970.
    init(time milliseconds: Int64) {
        let text = TimeText.iso8601(milliseconds)
        let numbers = text.split(whereSeparator: { !$0.isNumber }).prefix(6).map {
            UInt16($0) ?? 0
        }
        guard numbers.count == 6, (1980...2107).contains(numbers[0]) else {
            time = 0
            date = 1 << 5 | 1
            return
        }
        date = (numbers[0] - 1980) << 9 | numbers[1] << 5 | numbers[2]
        time = numbers[3] << 11 | numbers[4] << 5 | numbers[5] / 2
    }

    /// Adds a file; false when the archive would become larger than this format can say.
    mutating func add(_ name: String, _ content: [UInt8]) -> Bool {
        guard let size = UInt32(exactly: content.count), let offset = UInt32(exactly: bytes.count),
            UInt32(exactly: bytes.count + content.count + 1_024) != nil, entries.count < 0xFFFF
        else {
            return false
        }
        let entry = Entry(
            name: Array(name.utf8), checksum: CRC32.checksum(of: content), size: size,
            offset: offset)
        append(0x0403_4B50 as UInt32)
        appendDescription(of: entry)
        bytes += entry.name
        bytes += content
        entries.append(entry)
        return true
    }

    /// The whole archive.
    func finished() -> [UInt8] {
        var archive = self
        let start = UInt32(truncatingIfNeeded: bytes.count)
        for entry in entries {
            archive.append(0x0201_4B50 as UInt32)
            // Made on Unix, so that the mode below is read as one.
            archive.append(0x031E as UInt16)
            archive.appendDescription(of: entry)
            for _ in 0..<3 {
                archive.append(0 as UInt16)
            }
            archive.append((0o100600 as UInt32) << 16)
            archive.append(entry.offset)
            archive.bytes += entry.name
        }
        let size = UInt32(truncatingIfNeeded: archive.bytes.count) - start
        archive.append(0x0605_4B50 as UInt32)
        archive.append(0 as UInt32)
        archive.append(UInt16(truncatingIfNeeded: entries.count))
        archive.append(UInt16(truncatingIfNeeded: entries.count))
        archive.append(size)
        archive.append(start)
        archive.append(0 as UInt16)
        return archive.bytes
    }

    /// What the local and the central header share.
    private mutating func appendDescription(of entry: Entry) {
        append(20 as UInt16)
        // Names are UTF-8.
        append(0x0800 as UInt16)
        append(0 as UInt16)
        append(time)
        append(date)
        append(entry.checksum)
        append(entry.size)
        append(entry.size)
        append(UInt16(truncatingIfNeeded: entry.name.count))
        append(0 as UInt16)
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// The checksum of ZIP archives (ISO 3309).
enum CRC32 {
    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { number in
        (0..<8).reduce(number) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    static func checksum(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
        }
    }
}
