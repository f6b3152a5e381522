/// A place in a tree of values, written as people read it: `userInfo.tabs[3].link`.
package struct KeyPathText {
    /// One step down.
    package enum Step {
        case key(String)
        case index(Int)
        /// Into a set, whose elements have no place.
        case element
    }

    /// The text of a root and the steps from it, outermost first.
    package static func text(root: String, steps: some Sequence<Step>) -> String {
        var text = root
        for step in steps {
            append(step, to: &text)
        }
        return text
    }

    /// The text of a path one step longer.
    package static func text(_ path: String, _ step: Step) -> String {
        var text = path
        append(step, to: &text)
        return text
    }

    private static func append(_ step: Step, to text: inout String) {
        switch step {
        case .index(let index): text += "[\(index)]"
        case .element: text += "[*]"
        case .key(let key) where isPlain(key):
            if !text.isEmpty {
                text += "."
            }
            text += key
        case .key(let key):
            text += "[\""
            for scalar in key.unicodeScalars.prefix(longest) {
                if scalar == "\"" || scalar == "\\" {
                    text += "\\"
                }
                text.unicodeScalars.append(scalar)
            }
            text += key.unicodeScalars.count > longest ? "…\"]" : "\"]"
        }
    }

    /// Scalars of a key that are shown.
    private static let longest = 64

    /// Whether a key can stand behind a dot without being mistaken for something else.
    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= longest
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
