import SceneStoreSQLite

/// What differs from run to run or from machine to machine, and means nothing: the salts of a
/// write-ahead log, with the checksums that depend on them, and the version of SQLite that wrote
/// the first page last.
extension StoreFixture {
    private static let salts: [UInt8] = [0x53, 0x43, 0x53, 0x45, 0x46, 0x49, 0x58, 0x54]
    /// 3.37.0, the oldest version that reads our files.
    private static let version: [UInt8] = [0x00, 0x2e, 0x57, 0x48]

    mutating func normalize() {
        for index in files.indices {
            switch files[index].name {
            case "scenes.sqlite": Self.pinVersion(&files[index].bytes, at: 0)
            case "scenes.sqlite-wal": Self.normalizeLog(&files[index].bytes)
            default: break
            }
        }
        // A log that nothing was written to holds a header at most.
        files.removeAll { $0.name == "scenes.sqlite-wal" && $0.bytes.count <= 32 }
    }

    private static func pinVersion(_ bytes: inout [UInt8], at start: Int) {
        guard start + 100 <= bytes.count else {
            return
        }
        bytes.replaceSubrange(start + 96..<start + 100, with: version)
    }

    /// Salts a log anew up to its last sound frame, and drops what is behind.
    private static func normalizeLog(_ bytes: inout [UInt8]) {
        guard let header = WALHeader(bytes) else {
            bytes = []
            return
        }
        let frameLength = 24 + header.pageSize
        var check = LogSums(bytes)
        check.add(bytes, 0..<24)
        bytes.replaceSubrange(16..<24, with: salts)
        var log = LogSums(bytes)
        log.add(bytes, 0..<24)
        LogSums.put(log.first, &bytes, 24)
        LogSums.put(log.second, &bytes, 28)
        var start = 32
        while start + frameLength <= bytes.count {
            let content = start + 24..<start + frameLength
            check.add(bytes, start..<start + 8)
            check.add(bytes, content)
            guard check.first == LogSums.word(bytes, start + 16),
                check.second == LogSums.word(bytes, start + 20),
                LogSums.word(bytes, start) != 0
            else {
                break
            }
            if LogSums.word(bytes, start) == 1 {
                pinVersion(&bytes, at: start + 24)
            }
            bytes.replaceSubrange(start + 8..<start + 16, with: salts)
            log.add(bytes, start..<start + 8)
            log.add(bytes, content)
            LogSums.put(log.first, &bytes, start + 16)
            LogSums.put(log.second, &bytes, start + 20)
            start += frameLength
        }
        bytes.removeSubrange(start...)
    }

    /// Cuts the last write of the log in half: the second half of the last frame is junk.
    mutating func tearLog() {
        guard let index = files.firstIndex(where: { $0.name == "scenes.sqlite-wal" }),
            let header = WALHeader(files[index].bytes)
        else {
            return
        }
        let count = files[index].bytes.count
        for offset in max(32, count - header.pageSize / 2)..<count {
            files[index].bytes[offset] = UInt8(truncatingIfNeeded: offset &* 167 &+ 13)
        }
    }
}

/// The running checksum of a write-ahead log (section 4 of SQLite's file format).
private struct LogSums {
    var first: UInt32 = 0
    var second: UInt32 = 0
    private let isBigEndian: Bool

    init(_ log: [UInt8]) {
        isBigEndian = Self.word(log, 0) & 1 == 1
    }

    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            first = first &+ next(bytes, offset) &+ second
            second = second &+ next(bytes, offset + 4) &+ first
            offset += 8
        }
    }

    private func next(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        let word = Self.word(bytes, offset)
        return isBigEndian ? word : word.byteSwapped
    }

    /// A word in the file's byte order; zero beyond the end.
    static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= bytes.count else {
            return 0
        }
        return UInt32(bytes[offset]) &<< 24 | UInt32(bytes[offset + 1]) &<< 16
            | UInt32(bytes[offset + 2]) &<< 8 | UInt32(bytes[offset + 3])
    }

    static func put(_ word: UInt32, _ bytes: inout [UInt8], _ offset: Int) {
        for index in 0..<4 where offset + index < bytes.count {
            bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * index))
        }
    }
}
