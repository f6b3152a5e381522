/// The views of which the windows of a SwiftUI app consist as a whole.
struct WindowViews {
    /// Parts of views, and functions that make them, beyond these are not looked at.
    private static let maximumLooks = 100_000

    let app: AppModel

    private var table: TypeTable { app.table }

    /// A view that can't be seen: it is not among the sources, or there are too many.
    var unseen: String? {
        guard let place = app.swiftUIApp,
            let type = app.sources.files[place.file].declarations.types.first(where: {
                $0.place == place.token && $0.kind != .extension_
            })
        else {
            return nil
        }
        var pending = bodies(of: type.name)
        var seen = Set(pending)
        var looks = 0
        while let index = pending.popLast() {
            let function = table.functions[index].function
            for part in function.parts {
                switch resolve(part, in: function.owner) {
                case .foreign(let name):
                    return "\(app.sources.text(name)) is not among the sources, and"
                case .made(let by):
                    looks += by.count + 1
                    pending += by.filter { seen.insert($0).inserted }
                }
                guard looks < Self.maximumLooks else {
                    return "there are too many views to look at, and one of them"
                }
            }
        }
        return nil
    }

    private enum Resolution {
        /// By these functions of the app, as far as they can be seen.
        case made(by: [Int])
        case foreign(Int32)
    }

    private func resolve(_ part: ViewPart, in type: Int32) -> Resolution {
        switch part {
        case .view(let name, of: let owner):
            if owner >= 0, !table.isDeclared(owner), app.sources.text(owner) != "Self" {
                return .foreign(name)
            }
            // A name for another type stands for it.
            let types = table.lineage(of: name).filter(table.isDeclared)
            return types.isEmpty ? .foreign(name) : .made(by: types.flatMap(bodies))
        case .member(let name): return .made(by: members(name, of: type))
        case .call(let receiver, let name):
            // `list.padding()` is the list, of which `screens` in `screens.makeList()` is none.
            let own = members(receiver, of: type).filter {
                !table.functions[$0].function.parts.isEmpty
            }
            if !own.isEmpty {
                return .made(by: own)
            }
            if let known = table.functionsByBase[name] {
                return .made(by: known)
            }
            return seemsToMakeView(name) ? .foreign(name) : .made(by: [])
        }
    }

    private func bodies(of type: Int32) -> [Int] {
        members(app.sources.symbols.known("body") ?? -1, of: type)
    }

    private func members(_ name: Int32, of type: Int32) -> [Int] {
        table.types[table.canonical(type)]?.functionsByBase[name] ?? []
    }

    /// Whether a method that is not among the sources makes a view, and does not only modify one.
    private func seemsToMakeView(_ name: Int32) -> Bool {
        let text = app.sources.text(name).lowercased()
        return text.hasPrefix("make") || text.hasPrefix("build") || text.hasSuffix("view")
            || text.hasSuffix("screen")
    }
}
