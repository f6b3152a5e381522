/// The 32 bytes at the beginning of a write-ahead log, proved by their checksum.
///
/// The format is section 4 of <https://www.sqlite.org/fileformat2.html>.
package struct WALHeader: Hashable, Sendable {
    static let length = 32
    static let frameHeaderLength = 24

    package var pageSize: Int
    /// Change whenever the log is begun anew; every frame repeats them.
    package var salts: UInt64
    package var checksum: WALChecksum

    /// Nil when the bytes are no header.
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.length))
        guard bytes.count == Self.length else { return nil }
        let words = bytes.withUnsafeBytes { buffer in (0..<8).map { buffer.bigEndian(at: 4 * $0) } }
        let (magic, size) = (words[0], Int(words[2]))
        guard magic & ~1 == 0x377f_0682, words[1] == 3_007_000,
            (512...65_536).contains(size), size & (size - 1) == 0
        else { return nil }
        var checksum = WALChecksum(isBigEndian: magic & 1 == 1)
        bytes.prefix(24).withUnsafeBytes { checksum.add($0) }
        guard checksum.first == words[6], checksum.second == words[7] else { return nil }
        pageSize = size
        salts = UInt64(words[4]) << 32 | UInt64(words[5])
        self.checksum = checksum
    }
}

/// The running checksum of a log, over words of either byte order.
package struct WALChecksum: Hashable, Sendable {
    var isBigEndian: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    /// Adds bytes, a multiple of eight of them.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var first = first
        var second = second
        var offset = 0
        while offset + 8 <= bytes.count {
            var left = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            var right = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            left = isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)
            right = isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)
            first = first &+ left &+ second
            second = second &+ right &+ first
            offset += 8
        }
        self.first = first
        self.second = second
    }

    /// The checksum after a frame, or nil when the frame does not bear it.
    package func after(_ frame: [UInt8]) -> WALChecksum? {
        frame.withUnsafeBytes { buffer in
            guard buffer.bigEndian(at: 0) != 0 else { return nil }
            var sum = self
            sum.add(UnsafeRawBufferPointer(rebasing: buffer[0..<8]))
            sum.add(UnsafeRawBufferPointer(rebasing: buffer[WALHeader.frameHeaderLength...]))
            guard sum.first == buffer.bigEndian(at: 16), sum.second == buffer.bigEndian(at: 20)
            else { return nil }
            return sum
        }
    }
}

/// What a log holds, read before SQLite reads, and perhaps silently shortens, it.
package struct WALScan: Hashable, Sendable {
    package var header: WALHeader
    /// Frames from the beginning whose checksums hold.
    package var validFrames = 0
    /// Commits among them; SQLite shows the state of the last one.
    package var commits = 0
    /// Frames up to the last of those commits.
    package var committedFrames = 0
    /// Commit frames of the same log behind the first bad frame: two or more of them mean that
    /// commits were lost; fewer are a torn end.
    package var commitsBehind = 0
    /// The database header as the last commit that wrote it left it, or nil.
    package var firstPage: [UInt8]?

    /// Reads the log of a container; nil without one or with an unreadable header.
    package init?(_ container: ContainerFolder) throws(ContainerError) {
        guard let status = try container.status(of: ContainerName.log),
            status.kind == .regular
        else { return nil }
        do {
            let file = try container.openForReading(ContainerName.log)
            defer { System.closeFile(file) }
            let bytes = try System.read(file, count: WALHeader.length, at: 0)
            guard let header = WALHeader(bytes) else { return nil }
            self.init(header)
            try scan(file)
        } catch {
            throw ContainerError(error, "reading the log", file: ContainerName.log)
        }
    }

    /// Whether the log's index, which a clean close removes, names frames that no log has, and that were
    /// not copied into the file. A power cut may leave an older index, or none.
    ///
    /// The index is in the byte order of the machine (section 2 of <https://www.sqlite.org/walformat.html>).
    package static func lacksFrames(
        _ scan: WALScan?, in container: ContainerFolder
    ) throws(ContainerError) -> Bool {
        guard try container.status(of: ContainerName.index)?.kind == .regular else { return false }
        let index = try container.contents(of: ContainerName.index, limit: 100)
        guard index.count == 100, index[..<48] == index[48..<96] else { return false }
        return index.withUnsafeBytes { bytes in
            let frames = bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
            let copied = bytes.loadUnaligned(fromByteOffset: 96, as: UInt32.self)
            guard let scan, scan.header.salts == bytes.salts(at: 32) else { return frames > copied }
            return Int(frames) > max(Int(copied), scan.validFrames)
        }
    }

    fileprivate init(_ header: WALHeader) {
        self.header = header
    }

    /// Reads the frames; a closure is told of the valid ones: which page each has, where its bytes
    /// are, and the pages of the database where it commits, else 0.
    fileprivate mutating func scan(
        _ file: Int32, _ found: (UInt32, Int64, UInt32) -> Void = { _, _, _ in }
    ) throws(SystemError) {
        let frameLength = WALHeader.frameHeaderLength + header.pageSize
        var frame = [UInt8](repeating: 0, count: frameLength)
        var offset = Int64(WALHeader.length)
        var checksum: WALChecksum? = header.checksum
        var pendingFirstPage: [UInt8]?
        // A sparse log of a terabyte holds nothing behind its first empty stretch.
        var unprovedFrames = 0
        while unprovedFrames < 65_536 {
            let count = try System.read(file, into: &frame, at: offset)
            guard count == frameLength else { return }
            offset += Int64(frameLength)
            let (page, size, salts) = frame.withUnsafeBytes {
                ($0.bigEndian(at: 0), $0.bigEndian(at: 4), $0.salts(at: 8))
            }
            let isCommit = size != 0
            if salts != header.salts {
                checksum = nil
                unprovedFrames += 1
                continue
            }
            if let next = checksum?.after(frame) {
                checksum = next
                validFrames += 1
                found(page, offset - Int64(header.pageSize), size)
                if page == 1 {
                    pendingFirstPage = Array(
                        frame[WALHeader.frameHeaderLength...].prefix(StoreHeader.length))
                }
                if isCommit {
                    commits += 1
                    committedFrames = validFrames
                    firstPage = pendingFirstPage ?? firstPage
                    pendingFirstPage = nil
                }
            } else {
                // The rest can't be proved by the running sum; the salts still name its log.
                if isCommit, checksum == nil { commitsBehind += 1 }
                checksum = nil
                unprovedFrames += 1
            }
        }
    }
}

/// The pages that a log has committed, as SQLite would recover them.
final class WALPages {
    private let file: Int32
    private let pageSize: Int
    /// Where the newest committed bytes of each page are in the log.
    private var places: [UInt32: Int64] = [:]
    /// The pages of the database after the last commit; nil when there is none.
    private var count: UInt32?

    /// Reads the log of a container; nil with an unreadable header.
    init?(_ container: ContainerFolder) throws {
        let bytes = try container.contents(of: ContainerName.log, limit: WALHeader.length)
        guard let header = WALHeader(bytes) else { return nil }
        pageSize = header.pageSize
        file = try container.openForReading(ContainerName.log)
        var begun: [UInt32: Int64] = [:]
        var scan = WALScan(header)
        try scan.scan(file) { page, place, size in
            begun[page] = place
            if size != 0 {
                places.merge(begun) { $1 }
                begun.removeAll(keepingCapacity: true)
                count = size
            }
        }
    }

    deinit {
        System.closeFile(file)
    }

    /// Writes the pages over those of a database of so many bytes, which gets its new size.
    func write(to target: Int32, over size: Int64) throws(SystemError) {
        guard let count else { return }
        // Pages that no commit has written are free ones. A log that claims absurdly many of them is
        // believed as far as these, and the database is damaged then.
        let plausible = (size / Int64(pageSize)) + Int64(places.count) + 65_536
        let length = min(Int64(count), plausible) * Int64(pageSize)
        let zeros = [UInt8](repeating: 0, count: pageSize)
        // Written, so that no byte of the copy is a hole, which a full disk could not fill later.
        for offset in stride(from: size, to: length, by: pageSize) {
            try System.write(zeros, to: target, at: offset)
        }
        try System.truncate(target, to: length)
        for (page, place) in places where Int64(page) * Int64(pageSize) <= length {
            try System.write(
                System.read(file, count: pageSize, at: place), to: target,
                at: Int64(page - 1) * Int64(pageSize))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// A word of the file's byte order; zero beyond the end.
    fileprivate func bigEndian(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The two words that tell a log from others.
    fileprivate func salts(at offset: Int) -> UInt64 {
        UInt64(bigEndian(at: offset)) << 32 | UInt64(bigEndian(at: offset + 4))
    }
}
