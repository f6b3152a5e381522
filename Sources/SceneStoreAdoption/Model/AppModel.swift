/// One app among the sources: its delegates, and what its manifest says.
///
/// A class, because whatever judges the app holds it.
final class AppModel {
    let sources: SourceSet
    let files: [Int]
    let table: TypeTable
    let flow: ValueFlow
    /// The application delegate's class, if there is one.
    let delegate: Int32?
    /// The app is one of SwiftUI's.
    let swiftUIApp: SourcePlace?
    let manifest: ManifestFacts
    /// The delegates of the app's windows, the first one being the default.
    let sceneDelegates: [Int32]
    /// The names of the configurations that the provider answers with, and where they are written;
    /// nil when there is no provider, or they can't be told.
    let chosenConfigurations: [String: SourcePlace]?
    /// A delegate that the manifest names and that is not among the sources.
    let missingDelegate: (name: String, isOwn: Bool)?

    init(
        _ sources: SourceSet, entry: AppEntry, at place: SourcePlace, files: [Int],
        hasNamedManifest: Bool
    ) {
        self.sources = sources
        self.files = files
        let table = TypeTable(sources, files: files)
        self.table = table
        flow = ValueFlow(sources: sources, table: table, appFiles: files)
        delegate = entry.delegate.map(table.canonical)
        swiftUIApp = entry.swiftUIApp
        let manifest = ManifestFacts(
            sources.sideFiles, near: sources.files[place.file].path, target: entry.target,
            isNamed: hasNamedManifest)
        self.manifest = manifest
        let candidates = Self.sceneDelegates(table, sources)
        let provider = delegate.flatMap { table.implementation(of: .provider, in: $0)?.index }
        let names = ConfigurationNames(
            sources: sources, files: files, table: table, expressions: flow.expressions)
        let configurations = manifest.manifest?.configurations[.windowApplication] ?? []
        chosenConfigurations = provider.flatMap(names.chosen)
        // A provider whose answer can't be told may choose any of them.
        let isOpen = provider != nil && configurations.count > 1 && chosenConfigurations == nil
        let named = manifest.delegateNames(
            chosen: isOpen
                ? Set(configurations.map { $0.name ?? "" })
                : Set((chosenConfigurations ?? [:]).keys))
        let known = named.map { named in
            candidates.first {
                sources.text($0) == named.name || table.isNamed($0, named.name, sources)
            }
                ?? table.types.first {
                    $0.value.kind == .class_ && sources.text($0.key) == named.name
                }?.key
        }
        let isAnyKnown = known.contains { $0 != nil }
        missingDelegate =
            isOpen && isAnyKnown ? nil : zip(named, known).first { $0.1 == nil }?.0
        if isAnyKnown {
            sceneDelegates = known.compactMap(\.self).unique()
        } else {
            let chosen = Self.chosenByProvider(table, flow, entry.delegate)
            let matching = candidates.filter(chosen.contains)
            sceneDelegates = matching.isEmpty ? candidates : matching
        }
    }

    var provider: Int? {
        delegate.flatMap { table.implementation(of: .provider, in: $0)?.index }
    }

    /// The methods of the scene delegates that answer a state to save.
    var stateSavers: [Int] {
        sceneDelegates.compactMap { table.implementation(of: .save, in: $0)?.index }
            .filter(answersSomething)
    }

    /// Whether a method answers anything but nil.
    private func answersSomething(_ index: Int) -> Bool {
        let placed = table.functions[index]
        let tokens = sources.files[placed.file].tokens
        let body = (placed.function.body ?? 0..<0).clamped(to: tokens.indices)
        return body.contains { index in
            !tokens[index].isWord(.return_) && !tokens[index].isWord(.nil_)
                && !tokens[index].isMark(";")
        }
    }

    /// Whether the app has the scene life cycle today.
    var hasScenes: Truth {
        if provider != nil {
            return .yes
        }
        // A delegate, or a superclass, that is not among the sources may name a configuration.
        let isKnown = delegate.map { table.unknownSuperclass(of: $0, sources.symbols) == nil }
        return manifest.hasConfigurations == .no && isKnown != true
            ? .unknown : manifest.hasConfigurations
    }

    /// Classes that a window can have for its delegate.
    static func sceneDelegates(_ table: TypeTable, _ sources: SourceSet) -> [Int32] {
        let conforming = table.types.filter { name, info in
            guard info.kind == .class_ else {
                return false
            }
            let lineage = table.lineage(of: name)
            return lineage.contains { parent in
                parent == Word.UIWindowSceneDelegate.id || parent == Word.UISceneDelegate.id
                    || (table.types[parent]?.kind == nil && isForeignSceneDelegate(sources, parent))
            } || extendsSceneDelegate(name, table, sources)
        }.keys
        let inherited = Set(conforming.flatMap { table.lineage(of: $0).dropFirst() })
        return conforming.filter { !inherited.contains($0) }
            .sorted { sources.text($0) < sources.text($1) }
    }

    /// Whether a class has a scene delegate's methods, and a superclass that is not among the
    /// sources and may be one.
    private static func extendsSceneDelegate(
        _ type: Int32, _ table: TypeTable, _ sources: SourceSet
    ) -> Bool {
        let callbacks: [Callback] = [.willConnect, .sceneOpen, .sceneContinue, .sceneShortcut]
        return callbacks.contains { table.implementation(of: $0, in: type)?.owner == type }
            && table.unknownSuperclass(of: type, sources.symbols).map { $0 != type } == true
    }

    private static func isForeignSceneDelegate(_ sources: SourceSet, _ name: Int32) -> Bool {
        let text = sources.text(name)
        return text.hasSuffix("SceneDelegate") && !text.hasPrefix("CP") && !text.hasPrefix("UI")
    }

    /// Classes that the provider sets: `configuration.delegateClass = Name.self`.
    private static func chosenByProvider(
        _ table: TypeTable, _ flow: ValueFlow, _ delegate: Int32?
    ) -> Set<Int32> {
        guard let delegate,
            let provider = table.implementation(of: .provider, in: delegate)?.index,
            let body = table.functions[provider].function.body
        else {
            return []
        }
        let tokens = flow.sources.files[table.functions[provider].file].tokens
        var chosen: Set<Int32> = []
        for index in body.clamped(to: tokens.indices)
        where tokens[index].isWord(.delegateClass) {
            for next in (index + 1)..<min(index + 8, tokens.count)
            where tokens[next].kind == .word && table.isDeclared(tokens[next].symbol) {
                chosen.insert(table.canonical(tokens[next].symbol))
            }
        }
        return chosen
    }
}

extension TypeTable {
    /// Whether Objective-C knows a class by a name.
    func isNamed(_ type: Int32, _ name: String, _ sources: SourceSet) -> Bool {
        knownNames(of: type).contains { sources.text($0) == name }
    }
}
