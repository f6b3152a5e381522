/// The branches of `#if … #else … #endif` that are compiled for an iPhone.
///
/// A condition is true, false or unknown; of an unknown one every branch is read.
struct ConditionalCode {
    private struct Branch {
        /// Whether the code around it is read.
        var isOuterLive: Bool
        /// Whether an earlier branch is certainly the one that is compiled.
        var isDecided: Bool
    }

    private var branches: [Branch] = []
    private(set) var isLive = true
    /// Nesting beyond this is read as if it were one level.
    private static let maximumDepth = 256

    /// Takes a directive's word and the rest of its line; false if it is none of these.
    mutating func take(_ word: Substring, _ rest: Substring) -> Bool {
        switch word {
        case "if", "ifdef", "ifndef":
            guard branches.count < Self.maximumDepth else {
                return true
            }
            let truth =
                word == "if"
                ? Self.truth(of: rest)
                : Self.atom(rest).map { word == "ifdef" ? $0 : !$0 }
            branches.append(Branch(isOuterLive: isLive, isDecided: truth == true))
            isLive = isLive && truth != false
        case "elseif", "elif":
            guard let branch = branches.last else {
                return true
            }
            let truth = Self.truth(of: rest)
            isLive = branch.isOuterLive && !branch.isDecided && truth != false
            branches[branches.count - 1].isDecided = branch.isDecided || truth == true
        case "else":
            guard let branch = branches.last else {
                return true
            }
            isLive = branch.isOuterLive && !branch.isDecided
        case "endif":
            if let branch = branches.popLast() {
                isLive = branch.isOuterLive
            }
        default: return false
        }
        return true
    }

    /// Whether a condition holds on an iPhone; nil when that can't be told.
    static func truth(of condition: Substring) -> Bool? {
        // Bounded, as what stands in brackets is read by recursion.
        var condition = condition.prefix(500)
        for comment in ["//", "/*"] {
            if let start = condition.firstRange(of: comment) {
                condition = condition[..<start.lowerBound]
            }
        }
        return value(condition)
    }

    private static func value(_ text: Substring) -> Bool? {
        for (separator, decider) in [("||", true), ("&&", false)] {
            let parts = parts(of: text, at: separator)
            if parts.count > 1 {
                let truths = parts.map(value)
                return truths.contains(decider) ? decider : truths.contains(nil) ? nil : !decider
            }
        }
        return atom(text)
    }

    /// The parts between separators that stand in no brackets.
    private static func parts(of text: Substring, at separator: String) -> [Substring] {
        var parts: [Substring] = []
        var (start, next) = (text.startIndex, text.startIndex)
        while let range = text[next...].firstRange(of: separator) {
            next = range.upperBound
            let part = text[start..<range.lowerBound]
            if part.count(where: { $0 == "(" }) == part.count(where: { $0 == ")" }) {
                parts.append(part)
                start = next
            }
        }
        return parts + [text[start...]]
    }

    private static func atom(_ text: Substring) -> Bool? {
        var text = text.filter { !$0.isWhitespace }[...]
        var isNegated = false
        while text.hasPrefix("!") {
            isNegated.toggle()
            text.removeFirst()
        }
        if text.hasPrefix("("), text.hasSuffix(")") {
            return value(text.dropFirst().dropLast()).map { $0 != isNegated }
        }
        if text.hasPrefix("defined("), text.hasSuffix(")") {
            text = text.dropFirst(8).dropLast()
        }
        return known(String(text)).map { $0 != isNegated }
    }

    private static func known(_ text: String) -> Bool? {
        // The app is built with a current compiler and SDK.
        let isCurrent = ["swift(>", "compiler(>", "__IPHONE_OS_VERSION_MAX_ALLOWED>", "__IPHONE_1"]
            .contains { text.hasPrefix($0) }
        return isCurrent ? true : known[text]
    }

    private static let known: [String: Bool] = [
        "0": false, "false": false, "1": true, "true": true,
        "os(iOS)": true, "os(macOS)": false, "os(OSX)": false, "os(watchOS)": false,
        "os(tvOS)": false, "os(Linux)": false, "os(Windows)": false, "os(Android)": false,
        "os(visionOS)": false, "canImport(UIKit)": true, "canImport(AppKit)": false,
        "canImport(Cocoa)": false, "canImport(WatchKit)": false,
        "targetEnvironment(macCatalyst)": false,
        "TARGET_OS_IOS": true, "TARGET_OS_IPHONE": true, "TARGET_OS_OSX": false,
        "TARGET_OS_TV": false, "TARGET_OS_WATCH": false, "TARGET_OS_MACCATALYST": false,
        "TARGET_OS_VISION": false,
    ]
}
