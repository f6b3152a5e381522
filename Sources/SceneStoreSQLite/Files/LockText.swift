/// What stands in the lock file: five lines of 64 bytes, so that each is written in one piece.
///
/// The first is the owner's (`owner 4711 epoch 12 durable 345`, or
/// `released epoch 12 generation 345 at 1767225600000`), with a sum of it at the line's end, if there
/// is room, so that a damaged number is not believed (R-02). The second is for a contender
/// (`handover 4712`), the third names a database file whose pages were found
/// damaged (`damaged 66305 1234`: device and inode), until another file stands in its place, the
/// fourth the session that is being restored (`restoring 17 generation 4 sum 1234`), the fifth the
/// store that was opened last (`store 1234`, a hash of its identity, with a sum of the line). It comes
/// from a file, so nothing in it is trusted.
package struct LockText: Sendable {
    package var state: OwnerLock.State
    /// The generation of the owner's last durable commit, if it said so.
    package var durable: Int64?
    /// What the store held when it was released, if the owner said so.
    package var closing: OwnerLock.Closing?
    var request: Int32?
    /// The file that is damaged, if an owner said so.
    package var damaged: FileIdentity?
    /// The session that is being restored, if an owner said so.
    package var restoring: OwnerLock.Restoring?
    /// A hash of the identity of the store that was opened last, if an owner said so.
    package private(set) var store: UInt64?
    /// Whether something is there that no owner wrote.
    package private(set) var isJunk = false

    private static let lineLength = 64
    private static let sumLength = 6

    init(state: OwnerLock.State, durable: Int64? = nil, closing: OwnerLock.Closing? = nil) {
        self.state = state
        self.closing = closing
        self.durable = durable
    }

    init(_ descriptor: Int32) throws(SystemError) {
        let bytes = try System.read(descriptor, count: 5 * Self.lineLength, at: 0)
        func line(_ number: Int) -> ArraySlice<UInt8> {
            bytes.dropFirst(number * Self.lineLength).prefix(Self.lineLength)
        }
        state = .none
        let first = Self.proved(line(0)).map(Self.words) ?? []
        defer { isJunk = state == .none && !bytes.isEmpty }
        if first.count == 4 || first.count == 6, first[0] == "owner", first[2] == "epoch",
            let process = Int32(first[1]), process > 0, let epoch = Self.number(first[3])
        {
            state = .owned(process: process, epoch: epoch)
            if first.count == 6, first[4] == "durable", let number = Self.number(first[5]) {
                durable = number
            }
        } else if first.count == 3 || first.count == 7, first[0] == "released",
            first[1] == "epoch", let epoch = Self.number(first[2])
        {
            state = .released(epoch: epoch)
            if first.count == 7, first[3] == "generation", first[5] == "at",
                let generation = Self.number(first[4]), let time = Int64(first[6])
            {
                closing = (generation, time)
            }
        }
        let second = Self.words(line(1))
        if second.count == 2, second[0] == "handover", let process = Int32(second[1]), process > 0 {
            request = process
        }
        let third = Self.words(line(2))
        if third.count == 3, third[0] == "damaged", let device = UInt64(third[1]),
            let inode = UInt64(third[2])
        {
            damaged = FileIdentity(device: device, inode: inode)
        }
        let fourth = Self.words(line(3))
        if fourth.count == 6, fourth[0] == "restoring", fourth[2] == "generation",
            fourth[4] == "sum",
            let session = Int64(fourth[1]), let generation = Int64(fourth[3]),
            let sum = UInt64(fourth[5])
        {
            restoring = OwnerLock.Restoring(
                session: session, generation: generation, sum: sum)
        }
        let fifth = Self.proved(line(4)).map(Self.words) ?? []
        if fifth.count == 2, fifth[0] == "store" {
            store = UInt64(fifth[1])
        }
    }

    /// The epoch under which the owner writes, or the last one wrote.
    package var epoch: Int64? {
        switch state {
        case .none: nil
        case .owned(_, let epoch), .released(let epoch): epoch
        }
    }

    /// Whether it shows that a store was opened beside it: it names the epoch of an owner that wrote, or
    /// can't be read any more.
    var isUsed: Bool { isJunk || epoch ?? 0 > 0 }

    /// What an owner that died wrote down; nil when the last one released the lock.
    package var debt: OwnerLock.Debt? {
        switch state {
        case .none: OwnerLock.Debt(epoch: 0, isUnknown: true)
        case .released: nil
        case .owned(_, let epoch): OwnerLock.Debt(epoch: epoch, generation: durable)
        }
    }

    /// What the last owner wrote down when it let go properly; nil when it didn't.
    package var farewell: OwnerLock.Farewell? {
        if case .released(let epoch) = state { (epoch, closing) } else { nil }
    }

    var owner: OwnerLock.Owner {
        guard case .owned(let process, let epoch) = state else { return OwnerLock.Owner() }
        return OwnerLock.Owner(process: process, epoch: epoch)
    }

    func write(to descriptor: Int32) throws(SystemError) {
        let second = request.map { "handover \($0)" } ?? ""
        try System.write(firstLine + Self.line(second), to: descriptor, at: 0)
    }

    /// Writes the owner's line alone: a request that came meanwhile stays.
    func writeOwner(to descriptor: Int32) throws(SystemError) {
        try System.write(firstLine, to: descriptor, at: 0)
    }

    private var firstLine: [UInt8] {
        let (text, more): (String, String?) =
            switch state {
            case .none: ("", nil)
            case .owned(let process, let epoch):
                ("owner \(process) epoch \(epoch)", durable.map { " durable \($0)" })
            case .released(let epoch):
                (
                    "released epoch \(epoch)",
                    closing.map { " generation \($0.generation) at \($0.time)" }
                )
            }
        let longer = text + (more ?? "")
        // A number that does not fit says less than none.
        return Self.summed(Self.line(longer.utf8.count < Self.lineLength ? longer : text))
    }

    /// A number that a store can reach, and count on from: its own counters go twice as far (R-25).
    private static func number(_ word: String) -> Int64? {
        Int64(word).flatMap { (0...(1 << 53)).contains($0) ? $0 : nil }
    }

    /// Puts a sum over the line at its end, if there is room.
    private static func summed(_ line: [UInt8]) -> [UInt8] {
        let place = lineLength - 1 - sumLength
        guard line[place...].dropLast().allSatisfy({ $0 == 0x20 }) else { return line }
        return line[..<place] + sum(of: line[..<place]).utf8 + [0x0a]
    }

    /// A line without its sum; nil if that is another one.
    private static func proved(_ line: some Collection<UInt8>) -> [UInt8]? {
        let line = Array(line)
        let place = lineLength - 1 - sumLength
        // A line that was cut off may have lost what was durable.
        guard line.count == lineLength else { return nil }
        guard line[place] == UInt8(ascii: "#") else { return line }
        let found = line[place..<lineLength - 1]
        return found.elementsEqual(sum(of: line[..<place]).utf8) ? Array(line[..<place]) : nil
    }

    /// `#` and five hexadecimal digits.
    private static func sum(of bytes: ArraySlice<UInt8>) -> String {
        var hash: UInt32 = 0x811c_9dc5
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let text = String((hash ^ hash >> 20) & 0xf_ffff, radix: 16)
        return "#" + String(repeating: "0", count: sumLength - 1 - text.utf8.count) + text
    }

    static func writeStore(_ store: UInt64?, to descriptor: Int32) throws(SystemError) {
        try write(summed(line(store.map { "store \($0)" } ?? "")), as: 4, to: descriptor)
    }

    static func writeDamage(of file: FileIdentity, to descriptor: Int32) throws(SystemError) {
        try write(line("damaged \(file.device) \(file.inode)"), as: 2, to: descriptor)
    }

    static func writeRequest(_ process: Int32, to descriptor: Int32) throws(SystemError) {
        try write(line("handover \(process)"), as: 1, to: descriptor)
    }

    /// Writes the fourth line alone; false when it does not fit.
    static func write(
        _ restoring: OwnerLock.Restoring?, to descriptor: Int32
    ) throws(SystemError) -> Bool {
        // It is written twice for each window that comes back, so it is made on the stack.
        typealias Word = UInt64
        var words: (Word, Word, Word, Word, Word, Word, Word, Word) = (0, 0, 0, 0, 0, 0, 0, 0)
        assert(MemoryLayout.size(ofValue: words) == lineLength)
        return try withUnsafeMutableBytes(of: &words) { bytes throws(SystemError) in
            var line = LockLine(bytes.bindMemory(to: UInt8.self))
            if let restoring {
                line.append("restoring ", restoring.session)
                line.append(" generation ", restoring.generation)
                line.append(" sum ", restoring.sum)
            }
            guard line.end() else {
                return false
            }
            try System.write(
                UnsafeRawBufferPointer(bytes), to: descriptor, at: Int64(3 * lineLength))
            return true
        }
    }

    private static func write(
        _ line: [UInt8], as number: Int, to descriptor: Int32
    ) throws(SystemError) {
        try System.write(line, to: descriptor, at: Int64(number * lineLength))
    }

    private static func line(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8.prefix(lineLength - 1))
        bytes.append(contentsOf: repeatElement(0x20, count: lineLength - 1 - bytes.count))
        bytes.append(0x0a)
        return bytes
    }

    private static func words(_ line: some Sequence<UInt8>) -> [String] {
        line.split { $0 == 0x20 || $0 == 0x0a || $0 == 0 }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A line of the lock file that is put together of words and numbers, in memory that is as long.
private struct LockLine {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// How much there is of it, also what didn't fit.
    private var count = 0

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func append(_ byte: UInt8) {
        if count < bytes.count - 1 {
            bytes.initializeElement(at: count, to: byte)
        }
        count += 1
    }

    mutating func append(_ word: StaticString, _ number: some FixedWidthInteger) {
        word.withUTF8Buffer { $0.forEach { append($0) } }
        if number < 0 {
            append(UInt8(ascii: "-"))
        }
        let start = count
        var rest = UInt64(number.magnitude)
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if count < bytes.count {
            bytes[start..<count].reverse()
        }
    }

    /// Fills the line with blanks up to the newline; false if not everything fits.
    mutating func end() -> Bool {
        guard count < bytes.count else {
            return false
        }
        bytes[count...].update(repeating: 0x20)
        bytes[bytes.count - 1] = 0x0a
        return true
    }
}
