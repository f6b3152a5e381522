/// Writes JSON, a line for each object of an array.
struct JSONText {
    private(set) var text = ""
    private var needsComma = false

    mutating func begin() {
        separate()
        text += "{"
        needsComma = false
    }

    mutating func end() {
        text += "}"
        needsComma = true
    }

    mutating func beginArray(_ key: String) {
        name(key)
        text += "["
        needsComma = false
    }

    mutating func endArray() {
        text += "\n]"
        needsComma = true
    }

    mutating func add(_ key: String, _ value: String) {
        name(key)
        quote(value)
    }

    mutating func add(_ key: String, _ value: Bool) {
        name(key)
        text += value ? "true" : "false"
    }

    mutating func add(_ key: String, _ value: Int) {
        name(key)
        text += "\(value)"
    }

    mutating func add(_ key: String, _ value: Summary) {
        name(key)
        text += "{\"median\":\(value.median),\"low\":\(value.low),\"high\":\(value.high)}"
    }

    private mutating func name(_ key: String) {
        separate()
        quote(key)
        text += ":"
        needsComma = true
    }

    private mutating func separate() {
        if needsComma {
            text += ","
        }
        if text.hasSuffix("[") || text.hasSuffix("},") {
            text += "\n"
        }
        needsComma = true
    }

    private mutating func quote(_ value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20: text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
