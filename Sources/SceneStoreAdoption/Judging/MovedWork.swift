/// Compares what a method of the application delegate does with what replaces it.
struct MovedWork {
    let app: AppModel

    private var table: TypeTable { app.table }

    /// The functions that a method calls and that nothing calls from the methods that replace it,
    /// in order.
    func undone(_ old: Int, by replacements: [Int]) -> [String] {
        guard !replacements.isEmpty else {
            return []
        }
        let done = words(of: NotificationJudge.reachable(from: replacements, app))
        return callees(of: old).filter { callee in
            guard !done.contains(callee) else {
                return false
            }
            // Of a function of the app the calls in it count as well.
            let inner = (table.functionsByBase[callee] ?? []).flatMap(callees)
            return inner.isEmpty || !inner.allSatisfy(done.contains)
        }.map { app.sources.text($0) }
    }

    private func words(of functions: Set<Int>) -> Set<Int32> {
        var found: Set<Int32> = []
        for index in functions {
            let placed = table.functions[index]
            let tokens = app.sources.files[placed.file].tokens
            for token in (placed.function.body ?? 0..<0).clamped(to: tokens.indices)
            where tokens[token].kind == .word {
                found.insert(tokens[token].symbol)
            }
        }
        return found
    }

    /// What a function calls and that does something, each once.
    private func callees(of index: Int) -> [Int32] {
        let placed = table.functions[index]
        let tokens = app.sources.files[placed.file].tokens
        return (placed.function.body ?? 0..<0).clamped(to: tokens.indices).compactMap { place in
            guard tokens[place].isMark("(") || tokens[place].isMark("["),
                let callee = app.flow.expressions.callee(placed.file, place),
                app.sources.text(tokens[callee].symbol).first?.isLowercase == true,
                app.flow.bodies.isWork(placed.file, place, callee)
            else {
                return nil
            }
            return tokens[callee].symbol
        }.unique()
    }
}
