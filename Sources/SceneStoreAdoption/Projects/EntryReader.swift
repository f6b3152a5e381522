/// Finds entry points among some files.
struct EntryReader {
    let sources: SourceSet
    private let files: [Int]
    private let table: TypeTable

    /// - Parameter others: Files in which types of the app may be declared, such as headers, and
    ///   that have no entry point.
    init(_ sources: SourceSet, _ files: [Int], others: [Int] = []) {
        self.sources = sources
        self.files = files
        table = TypeTable(sources, files: (files + others).unique())
    }

    /// What is marked `@main`, or handed to `UIApplicationMain`.
    var marked: [AppEntry] {
        var entries: [AppEntry] = []
        for file in files {
            let declarations = sources.files[file].declarations
            lazy var supers = Dictionary(grouping: declarations.types, by: \.name)
                .mapValues { $0.flatMap(\.supers) }
            for type in declarations.types where type.isMain {
                let place = SourcePlace(file: file, token: type.place)
                if table.conforms(type.name, to: .App) {
                    entries.append(swiftUI(at: place))
                } else if type.kind == .class_ || type.kind == .extension_,
                    isDelegate(type.name, supers[type.name] ?? [])
                {
                    entries.append(
                        AppEntry(at: place, sources, by: "@main", delegate: type.name))
                } else {
                    entries += apps(startedBy: type, file)
                }
            }
            if let main = declarations.main {
                entries.append(entry(of: main, file))
            }
        }
        var seen: Set<SourcePlace> = []
        return entries.filter { $0.place.map { seen.insert($0).inserted } ?? true }
    }

    /// Whatever could be an application delegate.
    var candidates: [AppEntry] {
        delegates.compactMap { name in
            table.types[name]?.place.map {
                AppEntry(at: $0, sources, by: "UIApplicationDelegate", delegate: name)
            }
        }
    }

    /// The first scene delegate, for sources that have no application delegate.
    var sceneDelegate: [AppEntry] {
        AppModel.sceneDelegates(table, sources).compactMap { table.types[$0]?.place }
            .prefix(1).map { AppEntry(at: $0, sources, by: "its scene delegate", delegate: nil) }
    }

    /// The classes that could be an application delegate and that no other such class extends.
    private var delegates: [Int32] {
        let own = Set(files)
        let conforming = table.types.filter {
            $0.value.kind == .class_
                && ($0.value.functions.contains { own.contains(table.functions[$0].file) }
                    || $0.value.place.map { own.contains($0.file) } == true)
                && (table.conforms($0.key, to: .UIApplicationDelegate)
                    || extendsFrameworkDelegate($0.key))
        }
        let inherited = Set(conforming.keys.flatMap { table.lineage(of: $0).dropFirst() })
        return conforming.keys.filter { !inherited.contains($0) }
            .sorted { sources.text($0) < sources.text($1) }
    }

    private func swiftUI(at place: SourcePlace) -> AppEntry {
        var entry = AppEntry(at: place, sources, by: "@main", delegate: adaptor(place.file))
        entry.swiftUIApp = place
        return entry
    }

    /// `@main struct Main { static func main() { ShelfApp.main() } }`
    private func apps(startedBy type: TypeDeclaration, _ file: Int) -> [AppEntry] {
        let tokens = sources.files[file].tokens
        let bodies = type.functions.filter { $0.base == Word.main.id }.compactMap(\.body)
        let names = bodies.flatMap { body in
            body.clamped(to: tokens.indices.dropLast(2)).filter {
                tokens[$0].kind == .word && tokens[$0 + 1].isMark(".")
                    && tokens[$0 + 2].isWord(.main) && table.conforms(tokens[$0].symbol, to: .App)
            }.map { tokens[$0].symbol }
        }
        let places = Set(names).compactMap { table.types[table.canonical($0)]?.place }
        let real = places.filter {
            places.count == 1
                || !Self.isOfTests(
                    sources.text(sources.files[$0.file].declarations.types.first?.name ?? -1))
        }
        return real.sorted { ($0.file, $0.token) < ($1.file, $1.token) }.prefix(1).map(swiftUI)
    }

    /// The delegate that a call of `UIApplicationMain` starts; without one if that can't be told.
    private func entry(of main: MainCall, _ file: Int) -> AppEntry {
        let names = main.names.map(table.canonical)
        func entry(_ name: Int32) -> AppEntry {
            AppEntry(
                at: table.types[name]?.place ?? SourcePlace(file: file, token: main.place),
                sources, by: "UIApplicationMain", delegate: name)
        }
        // `NSAutoreleasePool` in the same file is no delegate.
        if names.count == 1,
            table.isDeclared(names[0]) || !sources.text(names[0]).hasPrefix("NS")
        {
            return entry(names[0])
        }
        var known = names.filter {
            table.types[$0]?.kind == .class_
                && (table.conforms($0, to: .UIApplicationDelegate)
                    || table.implementation(of: .didFinishLaunching, in: $0) != nil)
        }
        if known.isEmpty {
            known = delegates
        }
        if known.count > 1 {
            known.removeAll { Self.isOfTests(sources.text($0)) }
        }
        if known.count == 1 {
            return entry(known[0])
        }
        var unknown = AppEntry(
            at: SourcePlace(file: file, token: main.place), sources, by: "UIApplicationMain",
            delegate: nil)
        unknown.problem = "the class that is handed to UIApplicationMain can't be told"
        return unknown
    }

    private static func isOfTests(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["test", "mock", "stub", "fake"].contains { name.contains($0) }
    }

    /// Whether a class that is marked as an entry point is an iPhone app's delegate.
    private func isDelegate(_ type: Int32, _ supers: [Int32]) -> Bool {
        // A class of another platform may have the same name, so its own file is asked.
        let others: Set<String> = [
            "NSApplicationDelegate", "WKExtensionDelegate", "WKApplicationDelegate",
        ]
        guard !supers.contains(where: { others.contains(sources.text($0)) }) else {
            return false
        }
        return table.conforms(type, to: .UIApplicationDelegate)
            || table.unknownSuperclass(of: type, sources.symbols) != nil
            || table.implementation(of: .didFinishLaunching, in: type) != nil
    }

    /// Whether a class extends a framework's application delegate, `RCTAppDelegate` or
    /// `FlutterAppDelegate`, and is launched.
    private func extendsFrameworkDelegate(_ type: Int32) -> Bool {
        guard let parent = table.unknownSuperclass(of: type, sources.symbols), parent != type else {
            return false
        }
        return sources.text(parent).contains("AppDelegate")
            && table.implementation(of: .didFinishLaunching, in: type) != nil
    }

    /// The class of `@UIApplicationDelegateAdaptor(AppDelegate.self)`.
    private func adaptor(_ file: Int) -> Int32? {
        let tokens = sources.files[file].tokens
        for index in tokens.indices
        where tokens[index].symbol == Word.UIApplicationDelegateAdaptor.id {
            for next in (index + 1)..<min(index + 8, tokens.count)
            where tokens[next].kind == .word {
                let text = sources.text(tokens[next].symbol)
                if text.first?.isUppercase == true {
                    return tokens[next].symbol
                }
            }
        }
        return nil
    }
}
