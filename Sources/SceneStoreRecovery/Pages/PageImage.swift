import SceneStoreStorage
import SceneStoreSQLite
import SceneStoreValues

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where the bytes of a page lie.
package struct PagePlace: Hashable, Sendable {
    /// Whether in the log or in the main file.
    var isInLog: Bool
    package var offset: Int64
}

/// A frame of a write-ahead log, as far as its header says.
package struct LogFrame: Sendable {
    package var page: UInt32
    package var place: PagePlace
    /// Whether the running checksum proves it.
    var isProved: Bool
    /// How many commits end before it.
    var commit: Int
}

/// The pages of a damaged database: the main file with the log laid over it, and everything that
/// lies below.
///
/// What counts as committed goes further than SQLite does: behind a frame that is damaged, frames
/// of the same log up to its last commit still tell what was written. Their rows prove
/// themselves.
package struct PageImage {
    package static let pageSize = Int(storePageSize)
    private static let frameHeader = 24
    private static let logHeader = 32

    package let main: RawFile?
    package let log: RawFile?
    /// Pages of the main file, whole ones or the last part of one.
    let mainPages: UInt32
    /// Committed frames in their order.
    package private(set) var frames: [LogFrame] = []
    /// Commits behind the first damaged frame.
    package private(set) var commitsBehind = 0
    /// The newest committed frame of each page.
    package private(set) var newest: [UInt32: PagePlace] = [:]

    package init(main: RawFile?, log: RawFile?) {
        self.main = main
        self.log = log
        let size = main?.size ?? 0
        mainPages = UInt32(clamping: (size + storePageSize - 1) / storePageSize)
        readLog()
        noteNewest()
    }

    private mutating func noteNewest() {
        newest = [:]
        for frame in frames {
            newest[frame.page] = frame.place
        }
    }

    /// Leaves out the commits that some frames belong to: another store's, whose pages hide this one's.
    mutating func leaveOutCommits(of places: [Int]) {
        let commits = Set(places.map { frames[$0].commit })
        frames.removeAll { commits.contains($0.commit) }
        noteNewest()
    }

    /// The current content of a page, filled up with zeros where the file ends early; nil when
    /// there is none.
    package func page(_ number: UInt32) -> [UInt8]? {
        if let place = newest[number] {
            return bytes(at: place)
        }
        guard number >= 1, number <= mainPages else {
            return nil
        }
        return bytes(at: PagePlace(isInLog: false, offset: Int64(number - 1) * storePageSize))
    }

    package func bytes(at place: PagePlace) -> [UInt8]? {
        guard let file = place.isInLog ? log : main else {
            return nil
        }
        var bytes = file.bytes(Self.pageSize, at: place.offset)
        guard !bytes.isEmpty else {
            return nil
        }
        if bytes.count < Self.pageSize {
            bytes.append(contentsOf: repeatElement(0, count: Self.pageSize - bytes.count))
        }
        return bytes
    }

    // MARK: - The log

    /// Reads the frame headers; the format is section 4 of
    /// <https://www.sqlite.org/fileformat2.html>.
    private mutating func readLog() {
        guard let log, log.size > Int64(Self.logHeader) else {
            return
        }
        let header = WALHeader(log.bytes(Self.logHeader, at: 0))
        let length = Self.frameHeader + Self.pageSize
        var sum = header?.checksum
        var salts = header?.salts
        var offset = Int64(Self.logHeader)
        var found: [LogFrame] = []
        var committed = 0
        var commit = 0
        var isDamaged = header == nil
        var unproved = 0
        while offset + Int64(length) <= log.size, unproved < 65_536 {
            let start = log.nextData(from: offset)
            if start > offset {
                // A hole proves nothing and is no frame.
                let skipped = (start - offset) / Int64(length)
                if skipped > 0 {
                    offset += skipped * Int64(length)
                    sum = nil
                    isDamaged = true
                    continue
                }
            }
            let frame = log.bytes(length, at: offset)
            guard frame.count == length else {
                break
            }
            let place = PagePlace(isInLog: true, offset: offset + Int64(Self.frameHeader))
            offset += Int64(length)
            let page = frame.bigEndian32(at: 0)
            let own = UInt64(frame.bigEndian32(at: 8)) << 32 | UInt64(frame.bigEndian32(at: 12))
            if salts == nil, page > 0 {
                // The header is gone: the first frame names the log.
                salts = own
            }
            guard own == salts, page > 0, page < UInt32(Int32.max) else {
                sum = nil
                isDamaged = true
                unproved += 1
                continue
            }
            // As ``WALScan`` counts: the first bad frame lies not behind itself.
            let isBehind = isDamaged
            sum = sum?.after(frame)
            let isProved = sum != nil
            if !isProved {
                isDamaged = true
                unproved += 1
            }
            found.append(
                LogFrame(page: page, place: place, isProved: isProved, commit: commit))
            if frame.bigEndian32(at: 4) != 0 {
                committed = found.count
                commit += 1
                if isBehind {
                    commitsBehind += 1
                }
            }
        }
        frames = Array(found.prefix(committed))
    }
}

extension [UInt8] {
    /// A number of the file's byte order; zero beyond the end.
    func bigEndian32(at offset: Int) -> UInt32 {
        guard offset >= 0, offset <= count - 4 else {
            return 0
        }
        return UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16
            | UInt32(self[offset + 2]) << 8 | UInt32(self[offset + 3])
    }

    /// A number of the file's byte order; zero beyond the end.
    func bigEndian16(at offset: Int) -> Int {
        guard offset >= 0, offset <= count - 2 else {
            return 0
        }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }
}

extension RawFile {
    /// Where the next stored bytes begin, so that the holes of a sparse file cost nothing.
    func nextData(from offset: Int64) -> Int64 {
        #if os(Linux)
            // Glibc hides the name without _GNU_SOURCE.
            let seekData: Int32 = 3
        #elseif canImport(Darwin)
            let seekData = SEEK_DATA
        #else
            return offset
        #endif
        let found = lseek(descriptor, off_t(offset), seekData)
        if found >= 0 {
            return Int64(found)
        }
        return errno == ENXIO ? size : offset
    }
}
