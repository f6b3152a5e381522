/// The numbers of the chosen sessions by identifier. The identifiers themselves are in the rows:
/// here are only their hashes, because a dictionary of 100 000 texts takes longer to fill and to
/// free than to ask.
struct SessionNames {
    /// By hash; of several identifiers of one hash the later ones have the keys behind it.
    private var numbers: [Int: Int64] = [:]

    mutating func reserveCapacity(_ count: Int) {
        numbers.reserveCapacity(count)
    }

    /// The key that an identifier has or would have, and the number of the session that has it.
    func place(of identifier: String, in sessions: RowTable) -> (key: Int, number: Int64?) {
        var identifier = identifier
        return identifier.withUTF8 { bytes in
            // Seeded by the process, so that a file can't choose texts of one hash.
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            var key = hasher.finalize()
            while let number = numbers[key] {
                // By its bytes, as SQLite compares.
                var known = sessions[number]?.identifier ?? ""
                if known.withUTF8({ $0.elementsEqual(bytes) }) {
                    return (key, number)
                }
                key &+= 1
            }
            return (key, nil)
        }
    }

    /// Notes the number of the session that has the identifier of a key.
    mutating func note(_ number: Int64, at key: Int) {
        numbers[key] = number
    }
}
