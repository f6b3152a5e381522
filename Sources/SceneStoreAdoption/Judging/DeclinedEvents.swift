extension AppModel {
    /// Whether the app's scenes decline every event, so that each one makes a new scene:
    /// `canActivateForTargetContentIdentifierPredicate` is set to a predicate that is always false.
    var declinesEvents: Bool {
        guard
            let predicate = sources.symbols.known("canActivateForTargetContentIdentifierPredicate")
        else {
            return false
        }
        let never = Set(["false", "NO", "FALSEPREDICATE"].compactMap(sources.symbols.known))
        return files.contains { file in
            let tokens = sources.files[file].tokens
            return tokens.indices.contains { place in
                guard tokens[place].kind == .word, tokens[place].symbol == predicate,
                    place + 1 < tokens.count, tokens[place + 1].isMark("=")
                else {
                    return false
                }
                // `NSPredicate(value: false)`, `[NSPredicate predicateWithValue:NO]`.
                return tokens[place...].dropFirst(2).prefix(6).contains {
                    never.contains($0.symbol)
                }
            }
        }
    }
}
