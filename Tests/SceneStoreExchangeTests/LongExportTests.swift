import SceneStore
import SceneStoreFormats
import SceneStoreTestContainers
import Synchronization
import Testing

@testable import SceneStoreExchange

/// Exports of any length are written and read with one line of them in memory.
@Suite("Long exports")
struct LongExportTests {
    /// What was read of a text, and in how large pieces.
    private final class Counter: Sendable {
        private let counts = Mutex((largest: 0, total: 0))

        var largest: Int { counts.withLock { $0.largest } }
        var total: Int { counts.withLock { $0.total } }

        func add(_ count: Int) {
            counts.withLock {
                $0.largest = max($0.largest, count)
                $0.total += count
            }
        }
    }

    private static func text(_ bytes: [UInt8], _ counter: Counter) -> ExportText {
        let whole = ExportText(bytes)
        return ExportText(count: bytes.count) { count, offset throws(SceneStoreError) in
            counter.add(count)
            return try whole.read(count, offset)
        }
    }

    /// A store with so many sessions, each with two states of several kilobytes.
    private static func store(_ sessions: Int) throws -> (SceneSessionStore, TestContainer) {
        let container = TestContainer()
        let store = try container.open()
        for number in 0..<sessions {
            let record = try store.add("session-\(number)")
            for turn in 0..<2 {
                var state = activity(number)
                state.userInfo["text"] = .string(String(repeating: "\(turn)", count: 4_000))
                try store.save(record, state)
            }
        }
        return (store, container)
    }

    @Test(
        "S-63 R-42 of a long export the writer gives away, and the reader holds, one line at a time"
    )
    func onePieceAtATime() throws {
        let (store, container) = try Self.store(64)
        let written = Counter()
        let lines = Mutex<[[UInt8]]>([])
        try store.export { line throws(SceneStoreError) in
            written.add(line.count)
            lines.withLock { $0.append(line) }
        }
        let export = lines.withLock { $0 }
        #expect(export.count == 65)
        #expect(export.allSatisfy { $0.last == 0x0A && $0.count { $0 == 0x0A } == 1 })
        #expect(written.total > 64 * 8_000)
        #expect(written.largest < written.total / 32)
        #expect(try export.reduce([], +) == store.export())

        let read = Counter()
        let target = TestContainer()
        let other = try target.open()
        let text = Self.text(export.reduce([], +), read)
        #expect(try other.importing(text).sessions == 64)
        #expect(read.largest == ExportText.pieceBytes)
        // Once to be checked, once to be written.
        #expect(read.total < 2 * (written.total + ExportText.pieceBytes))
        #expect(try other.export() == store.export())
        withExtendedLifetime((container, target)) {}
    }

    @Test("R-42 lines are the same wherever pieces of the text begin")
    func pieces() throws {
        let piece = ExportText.pieceBytes
        for length in [piece - 1, piece, piece + 1] {
            let lines = [
                [UInt8](repeating: 0x61, count: length), [], [UInt8](repeating: 0x62, count: 3),
            ]
            for isEnded in [true, false] {
                let text = Array(lines.joined(separator: [0x0A])) + (isEnded ? [0x0A] : [])
                var found: [[UInt8]] = []
                var ends: [Int] = []
                try ExportText(text).eachLine(limit: length) { number, line, end in
                    #expect(number == found.count + 1)
                    found.append(line)
                    ends.append(end)
                }
                #expect(found == lines)
                #expect(ends == [length + 1, length + 2, text.count])
            }
        }
    }

    @Test("R-42 S-62 a line as long as the limit is read, and of a longer one no more than that")
    func longestLine() throws {
        let limit = 1 << 20
        let counter = Counter()
        // No memory has room for all of it.
        let endless = ExportText(count: .max) { count, _ in
            counter.add(count)
            return [UInt8](repeating: 0x20, count: count)
        }
        #expect(
            throws: SceneStoreError(
                .limitExceeded, "line 1 of the import is longer than 1048576 bytes")
        ) { try endless.eachLine(limit: limit) { _, _, _ in } }
        #expect(counter.total == limit + ExportText.pieceBytes)
        for (count, isRead) in [(limit, true), (limit + 1, false)] {
            let text = ExportText([UInt8](repeating: 0x20, count: count))
            var lines = 0
            let error = failure { try text.eachLine(limit: limit) { _, _, _ in lines += 1 } }
            #expect(error == (isRead ? nil : .limitExceeded))
            #expect(lines == (isRead ? 1 : 0))
        }
    }

    @Test("S-63 an export has no line that an import would refuse")
    func refusedLine() throws {
        let (store, container) = try Self.store(1)
        let line = try #require(try store.export().split(separator: 0x0A).last)
        let nodes = try CanonicalJSON(parsing: Array(line)).nodeCount
        func export(bytes: Int, nodes: Int) -> SceneStoreError.Code? {
            failure {
                _ = try store.read { db throws(SceneStoreError) in
                    var exporter = StoreExporter(db, .none)
                    exporter.lineLimits.bytes = bytes
                    exporter.lineLimits.nodes = nodes
                    return try exporter.written()
                }
            }
        }
        #expect(export(bytes: line.count, nodes: nodes) == nil)
        #expect(export(bytes: line.count - 1, nodes: nodes) == .limitExceeded)
        #expect(export(bytes: line.count, nodes: nodes - 1) == .limitExceeded)
        // Values are counted as the reader does.
        var limits = CanonicalJSON.ReadingLimits.exportLine
        limits.nodes = nodes
        _ = try CanonicalJSON(parsing: Array(line), limits: limits)
        limits.nodes -= 1
        #expect(
            failure { _ = try CanonicalJSON(parsing: Array(line), limits: limits) }
                == .limitExceeded)
        withExtendedLifetime(container) {}
    }

    @Test("R-42 an import that changes between its check and its write writes nothing")
    func changedText() throws {
        let (store, container) = try Self.store(2)
        let bytes = try store.export()
        let title = Array("\"number\":1".utf8)
        let start = try #require(
            bytes.indices.first { bytes[$0...].starts(with: title) })
        var changed = bytes
        changed[start + title.count - 1] = 0x37
        let reads = Counter()
        let (first, second) = (ExportText(bytes), ExportText(changed))
        let text = ExportText(count: bytes.count) { count, offset throws(SceneStoreError) in
            reads.add(1)
            return try (reads.total == 1 ? first : second).read(count, offset)
        }
        let target = TestContainer()
        let other = try target.open()
        #expect(failure { try other.importing(text) } == .importRefused)
        #expect(reads.total == 2)
        #expect(try other.openCount() == 0)
        withExtendedLifetime((container, target)) {}
    }

    @Test("R-42 a stream is copied, and refused at once if it isn't an export")
    func streams() throws {
        let (store, container) = try Self.store(3)
        let bytes = try store.export()
        var rest = bytes[...]
        let text = try ExportText {
            let piece = Array(rest.prefix(100))
            rest = rest.dropFirst(100)
            return piece
        }
        let target = TestContainer()
        let other = try target.open()
        #expect(try other.checkImport(text).sessions == 3)
        #expect(try other.importing(text).sessions == 3)
        var copied: [UInt8] = []
        try text.eachPiece { copied += $0 }
        #expect(copied == bytes)
        // Streams without an end.
        for (piece, code) in [
            ("y\n", "malformedJSON"), ("{\"format\":\"other\"}\n", "malformedValue"),
            (String(repeating: " ", count: 1 << 16), "malformedJSON"),
        ] {
            var pieces = 0
            #expect(
                failure {
                    _ = try ExportText {
                        pieces += 1
                        return pieces < 1_000 ? Array(piece.utf8) : []
                    }
                }?.rawValue == code)
            #expect(pieces < 20)
        }
        withExtendedLifetime((container, target)) {}
    }
}
