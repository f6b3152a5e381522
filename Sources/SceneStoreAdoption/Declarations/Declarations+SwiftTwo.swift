extension Declarations {
    /// Gives the methods of a Swift 2 file the names that UIKit knows.
    ///
    /// There the first argument has no label, and the labels are those of Objective-C:
    /// `application(application: UIApplication, openURL url: NSURL)` is `application:openURL:`.
    mutating func nameLikeSwiftTwo(_ symbols: SymbolTable) {
        guard isSwiftTwo(symbols) else {
            return
        }
        for type in types.indices {
            for index in types[type].functions.indices {
                types[type].functions[index].nameLikeSwiftTwo(symbols)
            }
        }
        for index in functions.indices {
            functions[index].nameLikeSwiftTwo(symbols)
        }
    }

    /// Whether the file has a delegate's `application(application: UIApplication, …)` and none of
    /// `application(_ application: UIApplication, …)`. In later Swift the former is a mistake,
    /// which a file of that Swift makes beside methods that are right. A method beside it may call
    /// the first argument otherwise: `application(app: UIApplication, openURL url: NSURL, …)`.
    private func isSwiftTwo(_ symbols: SymbolTable) -> Bool {
        guard let application = symbols.known("application") else {
            return false
        }
        var found = false
        for function in types.lazy.flatMap(\.functions) where function.base == application {
            guard function.parameters.count > 1, let first = function.parameters.first else {
                continue
            }
            guard first.label >= 0, first.label == first.name else {
                return false
            }
            found = found || first.name == application
        }
        return found
    }
}

extension Function {
    fileprivate mutating func nameLikeSwiftTwo(_ symbols: SymbolTable) {
        guard let first = parameters.first, !isAccessor, base != Word.init_.id,
            base != Word.subscript_.id, first.label == first.name, first.label >= 0
        else {
            return
        }
        parameters[0].label = -1
        let labels = parameters.dropFirst().map { $0.label < 0 ? "" : symbols.text($0.label) }
        name = ([symbols.text(base)] + labels).map { $0 + ":" }.joined()
    }
}
