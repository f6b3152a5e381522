import SceneStore

/// Finds a value by its key path, as errors and lint findings write it: `userInfo.tabs[3].link`,
/// `userInfo["a.b"]`.
struct KeyPath {
    /// One step down.
    enum Step: Equatable {
        case key(String)
        case index(Int)
    }

    let steps: [Step]

    /// Reads a path; nil when it is none.
    init?(_ text: String) {
        var steps: [Step] = []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            if rest.first == "[" {
                rest.removeFirst()
                guard let step = rest.first == "\"" ? Self.quoted(&rest) : Self.index(&rest),
                    rest.first == "]"
                else {
                    return nil
                }
                rest.removeFirst()
                steps.append(step)
            } else {
                if !steps.isEmpty {
                    guard rest.first == "." else {
                        return nil
                    }
                    rest.removeFirst()
                }
                let key = rest.prefix { $0 != "." && $0 != "[" }
                guard !key.isEmpty else {
                    return nil
                }
                rest = rest.dropFirst(key.count)
                steps.append(.key(String(key)))
            }
        }
        guard !steps.isEmpty else {
            return nil
        }
        self.steps = steps
    }

    private static func index(_ rest: inout Substring.UnicodeScalarView) -> Step? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return Int(String(digits)).map { .index($0) }
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> Step? {
        var key = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return .key(String(key))
            case "\\":
                guard let escaped = rest.popFirst() else {
                    return nil
                }
                key.append(escaped)
            default: key.append(scalar)
            }
        }
        return nil
    }

    /// A key as a path has it behind another one: `.key`, or `["a.b"]`.
    static func component(_ key: String) -> String {
        let isPlain =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || byte == 0x5F || byte == 0x2D
            }
        guard !isPlain else {
            return "." + key
        }
        var text = "[\""
        for scalar in key.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                text += "\\"
            }
            text.unicodeScalars.append(scalar)
        }
        return text + "\"]"
    }

    /// The paths of all values below one, the keys of each in order.
    static func all(in value: Value, below path: String = "") -> [String] {
        switch value {
        case .dictionary(let values):
            values.keys.sorted().flatMap { key -> [String] in
                let step = component(key)
                let own = path.isEmpty && step.hasPrefix(".") ? key : path + step
                return [own] + (values[key].map { all(in: $0, below: own) } ?? [])
            }
        case .array(let values):
            values.enumerated().flatMap { all(in: $1, below: "\(path)[\($0)]") }
        default: []
        }
    }

    /// The value at the path, or how far the path leads and what is there.
    func find(in root: Value) -> Result<Value, Missing> {
        var value = root
        for (depth, step) in steps.enumerated() {
            // No `nil` here: it would be the null value.
            var next: Value?
            switch (step, value) {
            case (.key(let key), .dictionary(let values)): next = values[key]
            case (.index(let index), .array(let values)) where values.indices.contains(index):
                next = values[index]
            default: break
            }
            guard let next else {
                return .failure(Missing(depth: depth, value: value))
            }
            value = next
        }
        return .success(value)
    }

    /// Where a path ends too early.
    struct Missing: Error {
        /// How many steps were found.
        var depth: Int
        /// What is there.
        var value: Value
    }
}
