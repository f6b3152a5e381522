/// Tells which expressions are the application delegate: what UIKit gives, and the names that an
/// app gives to it.
struct DelegateMentions {
    /// A name that a file declares.
    private struct Binding {
        let place: Int
        /// The tokens in which it is known.
        let scope: Range<Int>
        let isDelegate: Bool
    }

    private final class Memory {
        var bindings: [Int: [Int32: [Binding]]] = [:]
        /// Names of properties that are the delegate, by type.
        var properties: [Int32: Set<Int32>] = [:]
        /// Whether a name is one of the delegate's type, by file.
        var typed: [Int: [Int32: Bool]] = [:]
    }

    /// Declarations of one name that are looked through for the one that counts.
    private static let maximumBindings = 64

    let sources: SourceSet
    let table: TypeTable
    let expressions: Expressions
    /// The application delegate's class.
    let delegate: Int32?
    private let memory = Memory()

    init(_ app: AppModel) {
        sources = app.sources
        table = app.table
        expressions = app.flow.expressions
        delegate = app.delegate
    }

    /// Whether the member at a place is the application delegate's.
    func hasMember(_ place: SourcePlace) -> Bool {
        let file = sources.files[place.file]
        let tokens = file.tokens
        var index = place.token - 1
        guard index >= 0 else {
            return false
        }
        if tokens[index].isMark(".") {
            index -= 1
        } else if file.isSwift || !isReceiver(tokens, index) {
            return false
        }
        while index >= 0, tokens[index].isMark("?") || tokens[index].isMark("!") {
            index -= 1
        }
        return index > 0 && isDelegate(place.file, endingAt: index, followsNames: true)
    }

    /// Whether the application delegate gets the call whose name stands at a place; nil when what
    /// gets it can't be told.
    func getsCall(_ place: SourcePlace) -> Bool? {
        let file = sources.files[place.file]
        let tokens = file.tokens
        guard place.token > 0 else {
            return false
        }
        let before = tokens[place.token - 1]
        var index = place.token - 1
        if before.isMark(".") {
            index -= 1
            while index > 0, tokens[index].isMark("?") || tokens[index].isMark("!") {
                index -= 1
            }
        } else if file.isSwift || !(before.closes || before.kind == .word) {
            // Nobody, so `self`.
            return isOwn(place)
        }
        guard index > 0 else {
            return false
        }
        if tokens[index].isWord(.self_) || tokens[index].isWord(.super_) {
            return tokens[index].isWord(.self_) ? isOwn(place) : false
        }
        return isDelegate(place.file, endingAt: index, followsNames: true)
            || isTyped(place.file, index) ? true : nil
    }

    /// Whether a name is one of the type `UIApplicationDelegate` in its file, or the delegate of what
    /// is called an application.
    private func isTyped(_ file: Int, _ index: Int) -> Bool {
        let tokens = sources.files[file].tokens
        guard tokens[index].kind == .word else {
            return false
        }
        if tokens[index].isWord(.delegate), index > 1, tokens[index - 1].isMark(".") {
            return sources.text(tokens[index - 2].symbol).lowercased().hasSuffix("application")
        }
        let name = tokens[index].symbol
        if let known = memory.typed[file]?[name] {
            return known
        }
        let isTyped = tokens.indices.dropFirst(3).dropLast(2).contains { place in
            guard tokens[place].isWord(.UIApplicationDelegate) else {
                return false
            }
            // `name: UIApplicationDelegate`, `name: (any UIApplicationDelegate)?`, `id<…> name`.
            return tokens[(place - 4 < 0 ? 0 : place - 4)..<place].contains {
                $0.symbol == name && $0.kind == .word
            } || (tokens[place + 1].isMark(">") && tokens[place + 2].symbol == name)
        }
        memory.typed[file, default: [:]][name] = isTyped
        return isTyped
    }

    /// Whether a place is in a method of the application delegate.
    private func isOwn(_ place: SourcePlace) -> Bool {
        guard let delegate else {
            return false
        }
        let lineage = table.lineage(of: delegate)
        return sources.files[place.file].functions(around: place.token).contains {
            lineage.contains($0.owner)
        }
    }

    /// Whether a token ends what gets a message without arguments: `[receiver name]`.
    private func isReceiver(_ tokens: [Token], _ index: Int) -> Bool {
        guard index + 2 < tokens.count, !tokens[index + 2].isMark(":") else {
            return false
        }
        return tokens[index].closes
            || (tokens[index].kind == .word && index > 0 && tokens[index - 1].isMark("[")
                && tokens[index + 2].isMark("]"))
    }

    // MARK: - Expressions

    /// Whether the expression that ends at a token is the application delegate.
    private func isDelegate(_ file: Int, endingAt index: Int, followsNames: Bool) -> Bool {
        let tokens = sources.files[file].tokens
        if tokens[index].closes, tokens[index].match > 0 {
            // `appDelegate()`, `AppDelegate.shared()`
            let open = Int(tokens[index].match)
            if open > 0, tokens[open - 1].kind == .word, tokens[index].isMark(")") {
                return sources.text(tokens[open - 1].symbol) == "appDelegate"
                    || (open > 2 && tokens[open - 2].isMark(".") && isClass(tokens[open - 3])
                        && isShared(tokens[open - 1]))
            }
            // `[AppDelegate sharedDelegate]`
            if tokens[index].isMark("]"), index == open + 3, isClass(tokens[open + 1]),
                isShared(tokens[open + 2])
            {
                return true
            }
            // `(UIApplication.shared.delegate as? AppDelegate)`, `[[UIApplication …] delegate]`
            let inner = Int(tokens[index].match)..<index
            let asks =
                tokens[index].isMark("]")
                ? tokens[index - 1].isWord(.delegate)
                : inner.contains { tokens[$0].isWord(.delegate) }
            return asks
                && inner.contains { tokens[$0].isWord(.UIApplication) || isClass(tokens[$0]) }
        }
        guard tokens[index].kind == .word else {
            return false
        }
        let text = sources.text(tokens[index].symbol)
        if text == "appDelegate" || text == "applicationDelegate" {
            return true
        }
        guard index > 1, tokens[index - 1].isMark(".") else {
            return followsNames && (isNamed(file, index) || isOfApplication(file, index))
        }
        let owner = index - 2
        if tokens[owner].isWord(.self_) {
            return followsNames && isProperty(file, index)
        }
        if text == "delegate" {
            return tokens[owner].isWord(.shared)
                || (tokens[owner].closes && tokens[owner].match >= 0
                    && (Int(tokens[owner].match)..<owner).contains {
                        tokens[$0].isWord(.sharedApplication)
                    })
        }
        return isClass(tokens[owner]) && isShared(tokens[index])
    }

    /// Whether a name is what an application delegate's class often gives its object by.
    private func isShared(_ name: Token) -> Bool {
        ["appDelegate", "current", "delegate", "instance"].contains(sources.text(name.symbol))
            || sources.text(name.symbol).hasPrefix("shared")
    }

    /// Whether the expression that begins at a token, with its cast, is the application delegate.
    private func isDelegate(_ file: Int, beginningAt start: Int) -> Bool {
        let tokens = sources.files[file].tokens
        guard start < tokens.count else {
            return false
        }
        // `(…)`, a message, or a cast of Objective-C in front of one.
        let first =
            tokens[start].opens && Int(tokens[start].match) > start
            ? Int(tokens[start].match) : start
        var end = expressions.expressionEnd(file, first)
        if end + 3 < tokens.count, tokens[end + 1].isWord(.as_) {
            let mark = tokens[end + 2]
            if isClass(mark.isMark("?") || mark.isMark("!") ? tokens[end + 3] : mark) {
                return true
            }
        }
        while end > first, tokens[end].isMark("?") || tokens[end].isMark("!") {
            end -= 1
        }
        return end > 0 && isDelegate(file, endingAt: end, followsNames: false)
    }

    private func isClass(_ token: Token) -> Bool {
        token.kind == .word && delegate.map { table.canonical(token.symbol) == $0 } == true
    }

    // MARK: - Names

    /// Whether a name stands for the application delegate where it is used.
    private func isNamed(_ file: Int, _ index: Int) -> Bool {
        let name = sources.files[file].tokens[index].symbol
        let bindings = bindings(in: file)[name] ?? []
        let known = bindings.reversed().prefix(Self.maximumBindings).first {
            $0.place < index && $0.scope.contains(index)
        }
        return known?.isDelegate ?? isProperty(file, index)
    }

    /// The local names that a file declares, in order.
    private func bindings(in file: Int) -> [Int32: [Binding]] {
        if let known = memory.bindings[file] {
            return known
        }
        let source = sources.files[file]
        let tokens = source.tokens
        let properties = Set(source.declarations.types.flatMap(\.properties).map(\.place))
        var found: [Int32: [Binding]] = [:]
        for index in tokens.indices.dropFirst().dropLast() where tokens[index].kind == .word {
            let isDeclared =
                source.isSwift
                ? tokens[index - 1].isWord(.let_) || tokens[index - 1].isWord(.var_)
                : tokens[index + 1].isMark("=")
                    && (tokens[index - 1].isMark("*") || tokens[index - 1].kind == .word)
            // `if let name {` is the same value.
            guard isDeclared, !properties.contains(index),
                tokens[index + 1].isMark("=") || tokens[index + 1].isMark(":")
            else {
                continue
            }
            let parent = Int(tokens[index].parent)
            let close = parent < 0 ? -1 : Int(tokens[parent].match)
            found[tokens[index].symbol, default: []].append(
                Binding(
                    place: index,
                    scope: max(parent, 0)..<(close > parent ? close : tokens.count),
                    isDelegate: declaresDelegate(file, behind: index)))
        }
        memory.bindings[file] = found
        return found
    }

    /// Whether a declaration makes its name the application delegate: by its type or its value.
    private func declaresDelegate(_ file: Int, behind name: Int) -> Bool {
        let tokens = sources.files[file].tokens
        if !sources.files[file].isSwift, name > 1, tokens[name - 1].isMark("*"),
            isClass(tokens[name - 2])
        {
            return true
        }
        guard name + 3 < tokens.count else {
            return false
        }
        if tokens[name + 1].isMark("=") {
            return isDelegate(file, beginningAt: name + 2)
        }
        guard tokens[name + 1].isMark(":") else {
            return false
        }
        if isClass(tokens[name + 2]), !tokens[name + 3].isMark(".") {
            return true
        }
        let end = min(name + 12, tokens.count)
        let equals = ((name + 2)..<end).first { tokens[$0].isMark("=") || tokens[$0].startsLine }
        return equals.map { tokens[$0].isMark("=") && isDelegate(file, beginningAt: $0 + 1) }
            ?? false
    }

    /// Whether a name is `delegate` in an extension of `UIApplication`.
    private func isOfApplication(_ file: Int, _ index: Int) -> Bool {
        sources.files[file].tokens[index].isWord(.delegate)
            && sources.files[file].functions(around: index).contains {
                $0.owner == Word.UIApplication.id
            }
    }

    /// Whether a name is a property of the type around it, and the application delegate.
    private func isProperty(_ file: Int, _ index: Int) -> Bool {
        let name = sources.files[file].tokens[index].symbol
        return sources.files[file].functions(around: index).contains { function in
            function.owner >= 0
                && table.lineage(of: function.owner).contains {
                    delegateProperties(of: $0).contains(name)
                }
        }
    }

    private func delegateProperties(of type: Int32) -> Set<Int32> {
        if let known = memory.properties[type] {
            return known
        }
        let properties = table.types[type]?.properties ?? []
        let found = Set(
            properties.filter { declaresDelegate($0.file, $0.property) }.map(\.property.name))
        memory.properties[type] = found
        return found
    }

    private func declaresDelegate(_ file: Int, _ property: Property) -> Bool {
        let source = sources.files[file]
        guard property.rest.upperBound <= source.tokens.count, !property.rest.isEmpty else {
            return false
        }
        // Of Objective-C the type is read: `AppDelegate *name`.
        return source.isSwift
            ? declaresDelegate(file, behind: property.place)
            : isClass(source.tokens[property.rest.lowerBound])
    }
}
