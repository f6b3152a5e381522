/// A function with the file that it stands in.
struct PlacedFunction {
    let file: Int
    let function: Function

    var place: SourcePlace { SourcePlace(file: file, token: function.place) }
}

/// A type with all that its declaration and its extensions, in whatever files, say about it.
struct TypeInfo {
    /// What it inherits from and conforms to, in order; a class's superclass comes first.
    var supers: [Int32] = []
    /// The first name behind the colon of the declaration itself.
    var firstSuper: Int32 = -1
    var functions: [Int] = []
    /// The same by the first word of their names.
    var functionsByBase: [Int32: [Int]] = [:]
    var properties: [(file: Int, property: Property)] = []
    var isMain = false
    /// Whether it overrides something of a superclass.
    var hasOverrides = false
    /// Whether its methods are among the sources, and not only its interface.
    var isImplemented = false
    /// Whether the declaration was read, and not only extensions.
    var kind: TypeDeclaration.Kind?
    var place: SourcePlace?
}

/// The types and functions of one app.
struct TypeTable {
    private(set) var types: [Int32: TypeInfo] = [:]
    private(set) var functions: [PlacedFunction] = []
    private(set) var functionsByName: [String: [Int]] = [:]
    private(set) var functionsByBase: [Int32: [Int]] = [:]
    private(set) var constants: [Int32: Set<Int32>] = [:]
    private var aliases: [Int32: [Int32]] = [:]
    /// Names of Swift classes that Objective-C knows by others.
    private var otherNames: [Int32: Int32] = [:]
    private var namesByType: [Int32: [Int32]] = [:]
    private var methods: [Method: Int] = [:]

    /// A type's method that UIKit can call; of several that are alike the first one counts.
    private struct Method: Hashable {
        let owner: Int32
        let name: String
        let isAsync: Bool
    }

    init(_ sources: SourceSet, files: [Int]) {
        for file in files {
            let declarations = sources.files[file].declarations
            for type in declarations.types where type.otherName >= 0 {
                otherNames[type.otherName] = type.name
            }
            for alias in declarations.aliases {
                aliases[alias.name, default: []] += alias.targets
            }
            for constant in declarations.constants {
                constants[constant.name, default: []].insert(constant.text)
            }
        }
        namesByType = Dictionary(grouping: otherNames.keys) { otherNames[$0] ?? $0 }
        for file in files {
            add(sources.files[file].declarations, file)
        }
    }

    private mutating func add(_ declarations: Declarations, _ file: Int) {
        for type in declarations.types {
            let name = canonical(type.name)
            // Taken out while it is changed, so that none of its arrays is copied.
            var info = types.removeValue(forKey: name) ?? TypeInfo()
            info.supers += type.supers.map { canonical($0) }
            info.isMain = info.isMain || type.isMain
            info.hasOverrides = info.hasOverrides || type.hasOverrides
            info.isImplemented = info.isImplemented || type.isImplementation
            if type.kind != .extension_, info.kind == nil {
                info.kind = type.kind
                info.place = SourcePlace(file: file, token: type.place)
                info.firstSuper = type.supers.first.map { canonical($0) } ?? -1
            }
            info.properties += type.properties.map { (file, $0) }
            for function in type.functions {
                let index = add(function, file)
                info.functions.append(index)
                info.functionsByBase[function.base, default: []].append(index)
                if function.body != nil, !function.isStatic {
                    let method = Method(
                        owner: name, name: function.name, isAsync: function.isAsync)
                    methods[method] = methods[method] ?? index
                }
            }
            types[name] = info
        }
        for function in declarations.functions {
            _ = add(function, file)
        }
    }

    private mutating func add(_ function: Function, _ file: Int) -> Int {
        let index = functions.count
        functions.append(PlacedFunction(file: file, function: function))
        functionsByName[function.name, default: []].append(index)
        functionsByBase[function.base, default: []].append(index)
        return index
    }

    /// A type's own name, by whichever name it is known.
    func canonical(_ name: Int32) -> Int32 {
        otherNames[name] ?? name
    }

    /// The other names of a type.
    func knownNames(of type: Int32) -> [Int32] {
        namesByType[type] ?? []
    }

    func isDeclared(_ name: Int32) -> Bool {
        types[canonical(name)]?.kind != nil
    }

    /// Types beyond these are no longer followed.
    private static let maximumLineage = 40
    /// What one type inherits from beyond these is not looked at.
    private static let maximumParents = 64

    /// The type and all that it inherits from or conforms to, nearest first.
    func lineage(of name: Int32) -> [Int32] {
        var found: [Int32] = [canonical(name)]
        var seen: Set<Int32> = [canonical(name)]
        var next = 0
        while next < found.count, found.count < Self.maximumLineage {
            let current = found[next]
            next += 1
            let parents = (types[current]?.supers ?? []) + (aliases[current] ?? [])
            for parent in parents.prefix(Self.maximumParents)
            where seen.insert(canonical(parent)).inserted {
                found.append(canonical(parent))
            }
        }
        return found
    }

    func conforms(_ name: Int32, to word: Word) -> Bool {
        lineage(of: name).contains(word.id)
    }

    /// The method that UIKit would call on an object of a type: the type's own, else the nearest
    /// inherited one; with the type that has it.
    func implementation(
        of callback: Callback, in type: Int32
    ) -> (index: Int, owner: Int32)? {
        let names = callback.names + callback.asyncNames
        guard names.contains(where: { functionsByName[$0] != nil }) else {
            return nil
        }
        for owner in lineage(of: type) {
            func method(_ name: String, isAsync: Bool) -> Int? {
                methods[Method(owner: owner, name: name, isAsync: isAsync)]
            }
            let found =
                callback.names.compactMap { method($0, isAsync: false) }
                + names.compactMap { method($0, isAsync: true) }
            if let first = found.min() {
                return (first, owner)
            }
        }
        return nil
    }

    /// All methods of the callback's names, whoever has them.
    func implementations(of callback: Callback) -> [Int] {
        var found = callback.names.flatMap { functionsByName[$0] ?? [] }
        found += callback.asyncNames.flatMap { functionsByName[$0] ?? [] }
            .filter { functions[$0].function.isAsync }
        return found.filter {
            functions[$0].function.body != nil && functions[$0].function.owner >= 0
        }
    }

    /// The superclass, or the class itself, whose methods are not among the sources and may do
    /// anything; nil when there is none.
    func unknownSuperclass(of type: Int32, _ symbols: SymbolTable) -> Int32? {
        var current = canonical(type)
        for _ in 0..<100 {
            guard let info = types[current], info.kind == .class_ else {
                return nil
            }
            guard info.isImplemented else {
                return current
            }
            guard info.firstSuper >= 0 else {
                return nil
            }
            let parent = info.firstSuper
            if aliases[parent] != nil {
                return nil
            }
            guard let kind = types[parent]?.kind else {
                let name = symbols.text(parent)
                let isHarmless =
                    Self.isPlainClass(name) || (!info.hasOverrides && Self.isProtocol(name))
                return isHarmless ? nil : parent
            }
            guard kind == .class_ else {
                return nil
            }
            current = parent
        }
        return nil
    }

    /// Whether a name from outside is one of the system's, which handles nothing.
    private static func isPlainClass(_ name: String) -> Bool {
        ["UIResponder", "NSObject", "NSProxy", "Sendable", "Any", "AnyObject"].contains(name)
            || name.hasPrefix("UI") || name.hasPrefix("CP") || name.hasPrefix("UN")
    }

    /// Whether a name from outside looks like a protocol's.
    private static func isProtocol(_ name: String) -> Bool {
        if name.hasSuffix("AppDelegate") || name.hasSuffix("ApplicationDelegate")
            || name.hasSuffix("SceneDelegate")
        {
            return false
        }
        return ["Delegate", "DataSource", "Protocol", "able", "ing", "Type", "Object"]
            .contains { name.hasSuffix($0) }
    }
}
