import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues
import Synchronization

/// The text of an export, read in pieces and as often as needed, so that one line of it is in memory
///
package struct ExportText: Sendable {
    /// Returns so many bytes from an offset; fewer at the end.
    package typealias Read =
        @Sendable (_ count: Int, _ offset: Int) throws(SceneStoreError) -> [UInt8]

    /// Its bytes.
    package let count: Int
    let read: Read
    /// The most that is read at once.
    static let pieceBytes = 64 << 10
    /// A line that describes an export is much shorter.
    private static let headerBytes = 1 << 20

    package init(count: Int, read: @escaping Read) {
        self.count = count
        self.read = read
    }

    /// A text that is in memory.
    init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { count, offset in
            Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
        }
    }

    /// A file that is read where it is.
    package init(file path: String) throws(SceneStoreError) {
        let file = try OpenFile(path)
        self.init(count: file.size) { count, offset throws(SceneStoreError) in
            try file.read(count, at: offset)
        }
    }

    private final class OpenFile: Sendable {
        let size: Int
        private let file: Mutex<RawFile>

        init(_ path: String) throws(SceneStoreError) {
            let file = try RawFile(path: path, followsLink: true)
            size = Int(clamping: file.size)
            self.file = Mutex(file)
        }

        func read(_ count: Int, at offset: Int) throws(SceneStoreError) -> [UInt8] {
            try file.withLock { file throws(SceneStoreError) in
                let bytes = file.bytes(count, at: Int64(offset))
                try file.checkReadable()
                return bytes
            }
        }
    }

    /// Copies a stream into a file without a name, so that it can be read again and stays as it is.
    ///
    /// What doesn't begin as an export does is refused before more of it is read, because a stream
    /// may have no end.
    ///
    /// - Parameter next: Returns the next piece; empty at the end.
    package init(copying next: () throws -> [UInt8]) throws {
        self = try Self.collecting { append in
            var header: [UInt8]? = []
            while case let piece = try next(), !piece.isEmpty {
                if var known = header {
                    known += piece.prefix(Self.headerBytes + 1)
                    let end = known.firstIndex(of: 0x0A)
                    header = end == nil && known.count <= Self.headerBytes ? known : nil
                    if header == nil {
                        try ImportReader.checkFormat(Array(known[..<(end ?? known.endIndex)]))
                    }
                }
                try append(piece)
            }
        }.text
    }

    /// Collects what a body appends in a file without a name.
    package static func collecting<Result>(
        _ body: (_ append: @Sendable ([UInt8]) throws(SceneStoreError) -> Void) throws -> Result
    ) throws -> (text: ExportText, result: Result) {
        let file = try translating("making a temporary file") { try CollectedFile() }
        let result = try body { bytes throws(SceneStoreError) in
            try translating("writing a temporary file") { try file.append(bytes) }
        }
        let text = ExportText(count: file.count) { count, offset throws(SceneStoreError) in
            try translating("reading a temporary file") { try file.read(count, at: offset) }
        }
        return (text, result)
    }

    /// Gives all of it to a body, in pieces.
    package func eachPiece(_ body: ([UInt8]) throws -> Void) throws {
        var offset = 0
        while offset < count, case let piece = try read(Self.pieceBytes, offset), !piece.isEmpty {
            try body(piece)
            offset += piece.count
        }
    }

    /// Gives each line to a body: its number, its bytes, and where the next one begins.
    func eachLine(
        limit: Int,
        _ body: (_ number: Int, _ line: [UInt8], _ end: Int) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        var line: [UInt8] = []
        var (number, offset) = (0, 0)
        while offset < count {
            let piece = try read(Self.pieceBytes, offset)
            guard !piece.isEmpty else {
                throw SceneStoreError(.ioError, "the import became shorter while it was read")
            }
            var start = piece.startIndex
            while start < piece.endIndex {
                let end = piece[start...].firstIndex(of: 0x0A)
                line += piece[start..<(end ?? piece.endIndex)]
                guard line.count <= limit else {
                    throw SceneStoreError(
                        .limitExceeded,
                        "line \(number + 1) of the import is longer than \(limit) bytes")
                }
                start = end.map { $0 + 1 } ?? piece.endIndex
                if end != nil || offset + start == count {
                    number += 1
                    try body(number, line, offset + start)
                    line.removeAll(keepingCapacity: line.count <= Self.pieceBytes)
                }
            }
            offset += piece.count
        }
    }
}

/// A file without a name to which bytes are appended, and that is read as often as needed.
private final class CollectedFile: Sendable {
    private let file: NamelessFile
    private let size = Atomic<Int>(0)

    /// The bytes that were appended.
    var count: Int { size.load(ordering: .relaxed) }

    init() throws(ContainerError) {
        file = try NamelessFile()
    }

    /// Appends bytes; for one caller at a time.
    func append(_ bytes: [UInt8]) throws(ContainerError) {
        try explaining("writing a temporary file") {
            try System.write(bytes, to: file.descriptor, at: Int64(count))
        }
        size.add(bytes.count, ordering: .relaxed)
    }

    /// Up to so many bytes; fewer at the end.
    func read(_ count: Int, at offset: Int) throws(ContainerError) -> [UInt8] {
        try explaining("reading a temporary file") {
            try System.read(file.descriptor, count: count, at: Int64(offset))
        }
    }
}
