import SceneStore
import Synchronization

/// Why nothing more can be written.
enum OutputError: Error, Equatable {
    /// The reader went away, as `head` does: the command ends in silence.
    case closed
    /// Ctrl-C was pressed while the reader kept everybody waiting.
    case interrupted
    /// The system's reason.
    case failed(String)
}

/// A stream of bytes out of the process, buffered.
final class Output: Sendable {
    /// Takes bytes: how many it took, or why not.
    typealias Sink = @Sendable (UnsafeRawBufferPointer) -> Result<Int, OutputError>

    /// Whether looks are written.
    let isColored: Bool
    /// The columns that running text is broken to; nil leaves it whole.
    let width: Int?
    private let sink: Sink
    private let capacity: Int
    private let buffer = Mutex<[UInt8]>([])
    private let sent = Mutex(0)

    init(
        isColored: Bool = false, width: Int? = nil, capacity: Int = 64 << 10,
        sink: @escaping Sink
    ) {
        self.isColored = isColored
        self.width = width
        self.capacity = capacity
        self.sink = sink
    }

    /// Writes a line for people.
    func line(_ text: TerminalText = "") throws(OutputError) {
        try append { buffer in
            buffer.append(contentsOf: text.rendered(colored: isColored).utf8)
            buffer.append(0x0A)
        }
    }

    /// Writes running text for people, broken between words.
    ///
    /// - Parameter indent: The columns before each line but the first.
    func prose(_ text: TerminalText, indent: Int = 0) throws(OutputError) {
        try line(width.map { text.wrapped(to: $0, indent: indent) } ?? text)
    }

    /// Writes a value as one line of JSON.
    func json(_ value: CanonicalJSON) throws(OutputError) {
        try append { buffer in
            value.append(to: &buffer)
            buffer.append(0x0A)
        }
    }

    /// Writes text that holds nothing foreign, as it is: help, scripts, whole documents that were
    /// escaped for their format.
    func write(verbatim text: String) throws(OutputError) {
        try append { $0.append(contentsOf: text.utf8) }
    }

    /// Writes bytes that were escaped for their format.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        try append { $0.append(contentsOf: bytes) }
    }

    /// Lets the closure append to the buffer itself; for rows in great number.
    func append(_ body: (inout [UInt8]) -> Void) throws(OutputError) {
        try buffer.withLock { buffer throws(OutputError) in
            body(&buffer)
            if buffer.count >= capacity {
                try send(&buffer)
            }
        }
    }

    /// A place in what was written.
    struct Mark {
        fileprivate var sent: Int
        fileprivate var count: Int
    }

    /// Where the next byte goes.
    var mark: Mark {
        Mark(sent: sent.withLock { $0 }, count: buffer.withLock { $0.count })
    }

    /// Takes back what was written since a place; false when some of it was handed over already.
    func retract(to mark: Mark) -> Bool {
        guard mark.sent == sent.withLock({ $0 }) else {
            return false
        }
        buffer.withLock { $0.removeSubrange(min(mark.count, $0.count)...) }
        return true
    }

    /// Hands over everything.
    func flush() throws(OutputError) {
        try buffer.withLock { buffer throws(OutputError) in try send(&buffer) }
    }

    private func send(_ buffer: inout [UInt8]) throws(OutputError) {
        var start = 0
        var failure: OutputError?
        buffer.withUnsafeBytes { bytes in
            while start < bytes.count, failure == nil {
                switch sink(UnsafeRawBufferPointer(rebasing: bytes[start...])) {
                case .success(let count):
                    start += count
                    sent.withLock { $0 += count }
                case .failure(let error): failure = error
                }
            }
        }
        // After a failure the rest is dropped, so that the farewell does not try again.
        buffer.removeAll(keepingCapacity: true)
        if let failure {
            throw failure
        }
    }
}
