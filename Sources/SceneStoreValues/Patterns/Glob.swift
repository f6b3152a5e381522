/// Wildcards on text: `*` is any run of characters, also none, `?` exactly one.
///
/// The rule of ``ActivationConditions/Rule/matches(_:)``. A match costs at most
/// m (n / 64 + 2) + 4 n steps for n bytes of text and m of pattern, whatever they hold; for
/// patterns as people write them it is a single pass.
package enum Glob {
    /// Whether a pattern matches a whole text, by its UTF-8 and with case.
    package static func matches(pattern: String, _ text: String) -> Bool {
        var work = 0
        return matches(pattern: pattern, text, work: &work)
    }

    package static func matches(pattern: String, _ text: String, work: inout Int) -> Bool {
        var table = URLPatternTable()
        let compiled = table.addUnlimited(pattern)
        var text = text
        return text.withUTF8 { bytes in
            table.matches(compiled, bytes, isASCII: false, work: &work)
        }
    }
}
