import Foundation
import SceneStore

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

extension ActivationConditions {
    /// A scene's conditions as data (L-71). UIKit forbids predicates with blocks, selectors, regular expressions
    /// and key paths, so a predicate's format says all of it.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a comparison that no rule makes, such as one
    /// that ignores case: a rule that is nearly the same would choose other windows than UIKit does.
    @MainActor
    package init(_ conditions: UISceneActivationConditions) throws(SceneStoreError) {
        self.init()
        canActivate = try Self.rule(
            conditions.canActivateForTargetContentIdentifierPredicate, "canActivate")
        prefersToActivate = try Self.rule(
            conditions.prefersToActivateForTargetContentIdentifierPredicate, "prefersToActivate")
    }

    private static func rule(
        _ predicate: NSPredicate, _ path: String
    ) throws(SceneStoreError) -> Rule {
        #if canImport(UIKit) && !os(watchOS)
            let format = predicate.predicateFormat
        #else
            let format = predicate.format
        #endif
        guard let rule = Rule(predicateFormat: format) else {
            throw Value.unsupported(path, "no rule of SceneStore is this predicate")
        }
        return rule
    }
}

extension ActivationConditions.Rule {
    /// The rule of a predicate's format; nil if there is none.
    init?(predicateFormat: String) {
        var reader = PredicateReader(tokens: PredicateReader.tokens(predicateFormat)[...])
        guard let rule = reader.alternatives(levels: 32), reader.tokens.isEmpty else {
            return nil
        }
        self = rule
    }
}

/// Reads what Foundation writes as the format of comparisons of `SELF`, and of compounds of them.
private struct PredicateReader {
    enum Token: Equatable {
        case word(String)
        case text(String)
    }

    var tokens: ArraySlice<Token>

    /// Words, parentheses and texts in quotation marks; none if the format has something else.
    static func tokens(_ format: String) -> [Token] {
        var (result, word): ([Token], String) = ([], "")
        var characters = format.makeIterator()
        func endWord() {
            if !word.isEmpty {
                result.append(.word(word))
            }
            word = ""
        }
        while let character = characters.next() {
            switch character {
            case " ": endWord()
            case "(", ")":
                endWord()
                result.append(.word(String(character)))
            case "\"":
                endWord()
                var text = ""
                while true {
                    guard var next = characters.next() else {
                        return []
                    }
                    if next == "\"" {
                        break
                    }
                    if next == "\\" {
                        // Which other characters a backslash may stand for is not documented.
                        guard let escaped = characters.next(), "\"'\\".contains(escaped) else {
                            return []
                        }
                        next = escaped
                    }
                    text.append(next)
                }
                result.append(.text(text))
            default: word.append(character)
            }
        }
        endWord()
        return result
    }

    mutating func alternatives(levels: Int) -> ActivationConditions.Rule? {
        all(joinedBy: "OR") { reader in
            reader.all(joinedBy: "AND") { $0.single(levels: levels) }
                .map { $0.count == 1 ? $0[0] : .all($0) }
        }.map { $0.count == 1 ? $0[0] : .any($0) }
    }

    private mutating func all(
        joinedBy word: String,
        _ read: (inout PredicateReader) -> ActivationConditions.Rule?
    ) -> [ActivationConditions.Rule]? {
        var rules: [ActivationConditions.Rule] = []
        repeat {
            guard let rule = read(&self) else {
                return nil
            }
            rules.append(rule)
        } while takes(word)
        return rules
    }

    private mutating func single(levels: Int) -> ActivationConditions.Rule? {
        guard levels > 0 else {
            return nil
        }
        if takes("NOT") {
            return single(levels: levels - 1).map { .not($0) }
        }
        if takes("(") {
            let rule = alternatives(levels: levels - 1)
            return takes(")") ? rule : nil
        }
        if takes("TRUEPREDICATE") {
            return .always
        }
        if takes("FALSEPREDICATE") {
            return .never
        }
        guard takes("SELF"), case .word(let comparison)? = tokens.popFirst(),
            case .text(let text)? = tokens.popFirst()
        else {
            return nil
        }
        switch comparison {
        case "==": return .equals(text)
        case "!=": return .not(.equals(text))
        case "BEGINSWITH": return .hasPrefix(text)
        case "ENDSWITH": return .hasSuffix(text)
        case "CONTAINS": return .contains(text)
        case "LIKE": return .matches(text)
        default: return nil
        }
    }

    private mutating func takes(_ word: String) -> Bool {
        guard tokens.first == .word(word) else {
            return false
        }
        tokens.removeFirst()
        return true
    }
}
