/// Writes and reads ZIP archives (PKWARE APPNOTE 6.3.4) of files in memory.
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
        var storedSize: UInt32
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
        let stored = Deflate.compressed(content)
        guard let size = UInt32(exactly: content.count), let offset = UInt32(exactly: bytes.count),
            UInt32(exactly: bytes.count + stored.count + 1_024) != nil, entries.count < 0xFFFF
        else {
            return false
        }
        let entry = Entry(
            name: Array(name.utf8), checksum: CRC32.checksum(of: content), size: size,
            storedSize: UInt32(truncatingIfNeeded: stored.count), offset: offset)
        append(0x0403_4B50 as UInt32)
        appendDescription(of: entry)
        bytes += entry.name
        bytes += stored
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
        append(8 as UInt16)
        append(time)
        append(date)
        append(entry.checksum)
        append(entry.storedSize)
        append(entry.size)
        append(UInt16(truncatingIfNeeded: entry.name.count))
        append(0 as UInt16)
    }

    /// The files of an archive by name, in their order, each with its time as ``init(time:)`` writes it;
    /// nil if the bytes are no archive, or if a file is damaged, or all are larger than a limit.
    ///
    /// - Parameter isWanted: Which files are read.
    static func files(
        in bytes: [UInt8], limit: Int, where isWanted: (String) -> Bool = { _ in true }
    ) -> [(name: String, content: [UInt8], time: Int)]? {
        func number(_ place: Int, _ count: Int) -> Int {
            guard place >= 0, place + count <= bytes.count else {
                return -1
            }
            return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) }
        }
        let last = bytes.count - 22
        guard
            let end = (max(0, last - 0xFFFF)..<max(1, last + 1)).last(where: {
                number($0, 4) == 0x0605_4B50
            })
        else {
            return nil
        }
        var files: [(name: String, content: [UInt8], time: Int)] = []
        var limit = limit
        var place = number(end + 16, 4)
        for _ in 0..<number(end + 10, 2) {
            let header = number(place + 42, 4)
            let (stored, size) = (number(place + 20, 4), number(place + 24, 4))
            let nameEnd = place + 46 + number(place + 28, 2)
            let start = header + 30 + number(header + 26, 2) + number(header + 28, 2)
            guard number(place, 4) == 0x0201_4B50, number(header, 4) == 0x0403_4B50,
                nameEnd <= bytes.count, start + stored <= bytes.count
            else {
                return nil
            }
            let name = String(decoding: bytes[(place + 46)..<nameEnd], as: UTF8.self)
            if isWanted(name) {
                let content = bytes[start..<(start + stored)]
                let expanded =
                    switch number(place + 10, 2) {
                    case 0: stored == size && size <= limit ? Array(content) : nil
                    case 8: Deflate.expanded(content, limit: min(size, limit))
                    default: nil as [UInt8]?
                    }
                guard let expanded, expanded.count == size,
                    Int(CRC32.checksum(of: expanded)) == number(place + 16, 4)
                else {
                    return nil
                }
                limit -= size
                files.append((name, expanded, number(place + 12, 4)))
            }
            place = nameEnd + number(place + 30, 2) + number(place + 32, 2)
        }
        return files
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
