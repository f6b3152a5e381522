import SceneStoreValues

/// A link as association rules see it: as written, and decoded when a rule asks for that.
package struct AssociationText {
    /// The parts that patterns are compared with.
    package struct View {
        package var path: URLBytes
        package var query: URLBytes
        package var fragment: URLBytes
        package var isASCII: Bool
    }

    package let written: View
    package let decoded: View

    /// Splits a link and calls with what the rules see; a link that isn't https with a host has
    /// nothing for them.
    ///
    /// Nothing is allocated unless a rule wants the link decoded and there is something to decode.
    package static func with<Answer>(
        _ bytes: URLBytes, needsDecoding: Bool, _ body: (AssociationText) -> Answer
    ) -> Answer? {
        guard bytes.count <= AssociationFile.maximumLinkBytes, let parts = LinkParts(bytes),
            parts.isScheme("https", bytes), let host = parts.host, !host.isEmpty
        else {
            return nil
        }
        let written = View(
            path: trimmed(bytes.part(parts.path)),
            query: bytes.part(parts.query ?? 0..<0),
            fragment: bytes.part(parts.fragment ?? 0..<0), isASCII: bytes.isASCII)
        guard needsDecoding, bytes.contains(UInt8(ascii: "%")) else {
            return body(AssociationText(written: written, decoded: written))
        }
        let path = PercentCoding.decoded(bytes.part(parts.path))
        let query = PercentCoding.decoded(written.query)
        let fragment = PercentCoding.decoded(written.fragment)
        return (path + query + fragment).withUnsafeBufferPointer { all in
            let behind = path.count + query.count
            let decoded = View(
                path: trimmed(all.part(0..<path.count)),
                query: all.part(path.count..<behind),
                fragment: all.part(behind..<all.count), isASCII: all.isASCII)
            return body(AssociationText(written: written, decoded: decoded))
        }
    }

    /// A path with at most one slash in front and none at its end (K-05).
    private static func trimmed(_ path: URLBytes) -> URLBytes {
        var end = path.count
        while end > 0, path[end - 1] == UInt8(ascii: "/") {
            end -= 1
        }
        var start = 0
        while start + 1 < end, path[start] == UInt8(ascii: "/"),
            path[start + 1] == UInt8(ascii: "/")
        {
            start += 1
        }
        return path.part(start..<end)
    }

    /// Whether every query item of a predicate's name matches; none counts as an empty one (K-06).
    func allItems(
        match predicate: AssociationRules.Predicate, of rule: AssociationRules.Rule,
        patterns: URLPatternTable, work: inout Int
    ) -> Bool {
        let query = written.query
        var start = 0
        var isPresent = false
        while start < query.count {
            var end = start
            var equals = -1
            while end < query.count, query[end] != UInt8(ascii: "&") {
                if equals < 0, query[end] == UInt8(ascii: "=") {
                    equals = end
                }
                end &+= 1
            }
            work &+= 1
            let nameEnd = equals < 0 ? end : equals
            if Self.isName(
                query.part(start..<nameEnd), predicate.name, of: rule, isASCII: written.isASCII)
            {
                isPresent = true
                let value = query.part((equals < 0 ? end : equals + 1)..<end)
                guard
                    Self.matches(
                        value, predicate.pattern, of: rule, isASCII: written.isASCII,
                        patterns: patterns, work: &work)
                else {
                    return false
                }
            }
            start = end &+ 1
        }
        return isPresent
            || patterns.matches(predicate.pattern, query.part(0..<0), isASCII: true, work: &work)
    }

    private static func isName(
        _ text: URLBytes, _ name: [UInt8], of rule: AssociationRules.Rule, isASCII: Bool
    ) -> Bool {
        if rule.isDecoded, text.contains(UInt8(ascii: "%")) {
            let decoded = PercentCoding.decoded(text)
            return (rule.isFolded ? CaseFolding.folded(decoded) : decoded) == name
        }
        guard rule.isFolded else {
            return text.elementsEqual(name)
        }
        return isASCII
            ? text.elementsEqual(name) { URLByte.lowercased($0) == $1 }
            : CaseFolding.folded(text) == name
    }

    private static func matches(
        _ value: URLBytes, _ pattern: URLPattern, of rule: AssociationRules.Rule, isASCII: Bool,
        patterns: URLPatternTable, work: inout Int
    ) -> Bool {
        guard rule.isDecoded, value.contains(UInt8(ascii: "%")) else {
            return patterns.matches(pattern, value, isASCII: isASCII, work: &work)
        }
        return PercentCoding.decoded(value).withUnsafeBufferPointer {
            patterns.matches(pattern, $0, isASCII: false, work: &work)
        }
    }
}
