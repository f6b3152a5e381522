/// Gives every distinct text a number, so that texts are compared once and as integers.
struct SymbolTable {
    /// Texts beyond these are all the unknown symbol, which equals nothing that is looked for.
    static let maximumSymbols = 4_000_000
    static let unknown: Int32 = -1

    private var bytes: [UInt8] = []
    private var starts: [Int32] = [0]
    private var slots: [Int32]
    private var hashes: [UInt32] = []

    init() {
        slots = [Int32](repeating: -1, count: 1 << 15)
        for word in Word.allCases {
            let symbol = symbol(of: word.text)
            precondition(symbol == word.id, "a word stands twice")
        }
    }

    var count: Int { hashes.count }

    /// The text of a symbol; empty for the unknown one.
    func text(_ symbol: Int32) -> String {
        guard symbol >= 0, Int(symbol) < count else {
            return ""
        }
        let index = Int(symbol)
        return String(
            decoding: bytes[Int(starts[index])..<Int(starts[index + 1])], as: UTF8.self)
    }

    /// The symbol of a text that has one already.
    func known(_ text: String) -> Int32? {
        let bytes = Array(text.utf8)
        let hash = Self.hash(bytes[...])
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let found = slots[slot]
            if hashes[Int(found)] == hash, isSymbol(Int(found), bytes[...]) {
                return found
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    mutating func symbol(of text: String) -> Int32 {
        let bytes = Array(text.utf8)
        return symbol(of: bytes[...])
    }

    mutating func symbol(of text: ArraySlice<UInt8>) -> Int32 {
        let hash = Self.hash(text)
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let found = slots[slot]
            if hashes[Int(found)] == hash, isSymbol(Int(found), text) {
                return found
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        guard count < Self.maximumSymbols, bytes.count + text.count < Int(Int32.max) else {
            return Self.unknown
        }
        let number = Int32(count)
        slots[slot] = number
        append(text, hash: hash)
        if count * 2 > slots.count {
            grow()
        }
        return number
    }

    private mutating func append(_ text: ArraySlice<UInt8>, hash: UInt32) {
        bytes += text
        starts.append(Int32(bytes.count))
        hashes.append(hash)
    }

    private func isSymbol(_ index: Int, _ text: ArraySlice<UInt8>) -> Bool {
        let start = Int(starts[index])
        guard Int(starts[index + 1]) - start == text.count else {
            return false
        }
        var place = start
        for byte in text {
            if bytes[place] != byte {
                return false
            }
            place += 1
        }
        return true
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for index in hashes.indices {
            var slot = Int(hashes[index]) & (slots.count - 1)
            while slots[slot] >= 0 {
                slot = (slot + 1) & (slots.count - 1)
            }
            slots[slot] = Int32(index)
        }
    }

    /// FNV-1a.
    private static func hash(_ text: ArraySlice<UInt8>) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for byte in text {
            hash = (hash ^ UInt32(byte)) &* 16_777_619
        }
        return hash
    }
}
