import SceneStoreValues

/// Finds, among many texts, all that another text begins with.
///
/// The texts lie sorted. The greatest one that is not above the text in question either is a
/// prefix of it, or begins with every text that is; so one binary search and a walk from each text
/// to the longest other one that it begins with find them all. Read from behind, it finds all that
/// a text ends with.
struct PrefixTable: Sendable {
    /// Longer texts are cut; the table only preselects.
    static let maximumBytes = 64

    private struct Entry: Sendable {
        var start: Int32
        var count: Int32
        /// The longest other entry that this one begins with, or -1.
        var shorter: Int32
        var firstValue: Int32
        var endValue: Int32
    }

    let isFolded: Bool
    let isDecoded: Bool
    /// Whether texts are read from their last byte to the first.
    let isReversed: Bool
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var values: [Int32] = []

    /// Makes a table; the values of equal texts must come in ascending order.
    init(
        _ pairs: [(text: ArraySlice<UInt8>, value: Int32)], isFolded: Bool, isDecoded: Bool,
        isReversed: Bool = false
    ) {
        self.isFolded = isFolded
        self.isDecoded = isDecoded
        self.isReversed = isReversed
        let texts =
            isReversed
            ? pairs.map { (text: Array($0.text.reversed())[...], value: $0.value) } : pairs
        let sorted = texts.sorted { left, right in
            left.text.elementsEqual(right.text)
                ? left.value < right.value : left.text.lexicographicallyPrecedes(right.text)
        }
        var chain: [Int32] = []
        for pair in sorted {
            if let last = entries.indices.last, text(of: last).elementsEqual(pair.text) {
                values.append(pair.value)
                entries[last].endValue += 1
                continue
            }
            while let top = chain.last, !pair.text.starts(with: text(of: Int(top))) {
                chain.removeLast()
            }
            let value = Int32(clamping: values.count)
            entries.append(
                Entry(
                    start: Int32(clamping: bytes.count), count: Int32(clamping: pair.text.count),
                    shorter: chain.last ?? -1, firstValue: value, endValue: value + 1))
            bytes += pair.text
            values.append(pair.value)
            chain.append(Int32(clamping: entries.count - 1))
        }
    }

    private func text(of index: Int) -> ArraySlice<UInt8> {
        let entry = entries[index]
        return bytes[Int(entry.start)..<Int(entry.start + entry.count)]
    }

    /// Calls with the values of each text that another text begins with, the longest first.
    @inline(__always)
    func forEachPrefix(
        of text: URLBytes, isASCII: Bool, work: inout Int,
        _ body: (ArraySlice<Int32>, inout Int) -> Void
    ) {
        if isFolded, !isASCII {
            CaseFolding.folded(text).withUnsafeBufferPointer {
                walk($0, work: &work, body)
            }
        } else {
            walk(text, work: &work, body)
        }
    }

    private func walk(
        _ text: URLBytes, work: inout Int, _ body: (ArraySlice<Int32>, inout Int) -> Void
    ) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low &+ high) / 2
            work &+= 1
            if isAbove(entries[middle], text) {
                high = middle
            } else {
                low = middle &+ 1
            }
        }
        var index = low &- 1
        while index >= 0 {
            let entry = entries[index]
            work &+= 1
            if isPrefix(entry, of: text) {
                body(values[Int(entry.firstValue)..<Int(entry.endValue)], &work)
            }
            index = Int(entry.shorter)
        }
    }

    @inline(__always)
    private func byte(_ text: URLBytes, _ index: Int) -> UInt8 {
        let place = isReversed ? text.count &- 1 &- index : index
        return isFolded ? URLByte.lowercased(text[place]) : text[place]
    }

    private func isAbove(_ entry: Entry, _ text: URLBytes) -> Bool {
        let start = Int(entry.start)
        let common = min(Int(entry.count), text.count)
        for index in 0..<common {
            let mine = bytes[start &+ index]
            let theirs = byte(text, index)
            if mine != theirs {
                return mine > theirs
            }
        }
        return Int(entry.count) > text.count
    }

    private func isPrefix(_ entry: Entry, of text: URLBytes) -> Bool {
        guard Int(entry.count) <= text.count else {
            return false
        }
        for index in 0..<Int(entry.count)
        where bytes[Int(entry.start) &+ index] != byte(text, index) {
            return false
        }
        return true
    }
}
