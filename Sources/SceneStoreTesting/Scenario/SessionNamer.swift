import SceneStore

/// Gives the sessions of a scenario their names, in the order in which they are created: A, B, …,
/// Z, AA, AB, …, or what `as=` says.
///
/// A name is never given twice, also when its session is gone.
package struct SessionNamer: Sendable {
    private var count = 0
    private var taken: Set<String> = []

    /// Makes a namer that has given no name yet.
    package init() {}

    /// The next letter. One that `as=` took already is passed over.
    package mutating func next() -> String {
        while true {
            let name = Self.letters(count)
            count += 1
            if taken.insert(name).inserted {
                return name
            }
        }
    }

    /// Takes a name of the scenario's own; false when a session has or had it.
    package mutating func take(_ name: String) -> Bool {
        taken.insert(name).inserted
    }

    /// Whether a session has or had the name.
    package func isTaken(_ name: String) -> Bool {
        taken.contains(name)
    }

    /// Whether a text can name a session: 1 to 64 letters, digits, `-`, `_` and `.` of ASCII.
    package static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// The letters of a number from 0: bijective numeration to the base 26.
    private static func letters(_ index: Int) -> String {
        var rest = index
        var letters: [UInt8] = []
        while true {
            letters.append(UInt8(ascii: "A") + UInt8(rest % 26))
            guard rest >= 26 else {
                return String(decoding: letters.reversed(), as: UTF8.self)
            }
            rest = rest / 26 - 1
        }
    }
}
