import SceneStore

/// Text that is equal only byte by byte, as a key.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(utf8: text)
    }
}

extension String {
    /// The text as something to compare with the scenario's own words: itself when it is ASCII
    /// and short, else empty, which none of them is.
    ///
    /// `==` and hashing bring text into a canonical form first, and what that costs grows with
    /// the square of the number of accents on one letter.
    var keyword: String {
        utf8.count <= 64 && utf8.allSatisfy { $0 < 0x80 } ? self : ""
    }

    /// The stretches between the occurrences of an ASCII byte, at least one.
    ///
    /// A `Character` that begins with the separator, such as a colon with an accent, separates
    /// as well.
    func parts(separatedBy separator: UInt8) -> [String] {
        utf8.split(separator: separator, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// What stands behind a prefix, compared byte by byte; nil when the text doesn't begin so.
    func dropping(prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else {
            return nil
        }
        return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}
