/// Where an app begins (L-90).
struct AppEntry {
    /// The class or the call with which it begins; nil when that can't be told.
    var place: SourcePlace?
    var delegate: Int32?
    var swiftUIApp: SourcePlace?
    /// The target that builds it; nil when no project says so.
    var target: BuildTarget?
    /// By what it was found, for people.
    var foundBy: String
    /// The files that only this app can have.
    var ownFiles: [Int] = []
    /// The file of its place, or the project that declares its target.
    var path: String
    /// Why it can't be judged; nil when it can.
    var problem: String?

    init(at place: SourcePlace, _ sources: SourceSet, by foundBy: String, delegate: Int32?) {
        self.place = place
        self.delegate = delegate
        self.foundBy = foundBy
        path = sources.files[place.file].path
    }

    /// An app of which only the target is known.
    init(unknown target: BuildTarget, _ problem: String) {
        self.target = target
        foundBy = "the target \(target.title)"
        path = target.project
        self.problem = problem
    }
}

/// Finds the apps among sources: the targets of projects that build an iPhone app, and without a
/// project what is marked as an entry point, or could be one.
struct AppFinder {
    let sources: SourceSet
    let targets: [BuildTarget]
    private let owners: [Set<Int>]

    init(_ sources: SourceSet) {
        self.sources = sources
        targets = BuildTarget.all(in: sources.sideFiles)
        let owners = TargetOwners(targets)
        self.owners = sources.files.map { owners.owners(of: $0.path) }
    }

    /// The apps, and the files of each.
    func apps(target name: String? = nil) -> [(entry: AppEntry, files: [Int])] {
        let appTargets = targets.indices.filter {
            targets[$0].product == .application && targets[$0].isForPhone != .no
        }
        var entries = entries(of: leavingOutExamples(appTargets))
        if name == nil {
            entries += entriesWithoutTarget(besides: entries)
        } else {
            entries = entries.filter { $0.target?.name == name }
        }
        let sorted = entries.sorted {
            guard $0.path == $1.path else {
                return $0.path < $1.path
            }
            return ($0.place?.token ?? -1, $0.target?.name ?? "")
                < ($1.place?.token ?? -1, $1.target?.name ?? "")
        }
        return Array(zip(sorted, files(of: sorted)))
    }

    /// Apps that show how a library is used don't count beside others.
    private func leavingOutExamples(_ apps: [Int]) -> [Int] {
        let others = apps.filter { !Self.isExample(targets[$0].project) }
        return others.isEmpty ? apps : others
    }

    private static let exampleFolders: Set<String> = [
        "example", "examples", "sample", "samples", "demo", "demos", "exampleapp", "fixtures",
        "playground",
    ]

    private static func isExample(_ path: String) -> Bool {
        path.split(separator: "/").dropLast().contains { part in
            let name = part.lowercased().replacing(".xcodeproj", with: "")
            return exampleFolders.contains(name) || name.hasSuffix("sampleapp")
                || name.hasSuffix("samples") || name.hasSuffix("sampleapps")
        }
    }

    // MARK: - By targets

    private func entries(of apps: [Int]) -> [AppEntry] {
        var own: [Int: [Int]] = [:]
        var shared: [Int] = []
        for file in sources.files.indices {
            let owners = owners[file]
            for owner in owners {
                own[owner, default: []].append(file)
            }
            if owners.isEmpty || owners.contains(where: { targets[$0].product == .library }) {
                shared.append(file)
            }
        }
        var found: [AppEntry] = []
        var seen: [String: Int] = [:]
        for index in apps {
            let target = targets[index]
            let ownFiles = own[index] ?? []
            let near = shared.filter {
                target.folder.isEmpty
                    || SourcePath.isPath(sources.files[$0].path, at: target.folder)
            }
            let reader = EntryReader(sources, ownFiles, others: near)
            var entries = reader.marked
            if entries.isEmpty {
                entries = reader.candidates
            }
            if entries.isEmpty {
                // The delegate may stand in a framework of the app.
                let wider = EntryReader(sources, ownFiles + near)
                entries =
                    [wider.marked, wider.candidates, wider.sceneDelegate]
                    .first { !$0.isEmpty } ?? []
            }
            guard entries.count == 1, var entry = entries.first, let place = entry.place else {
                let names = entries.compactMap(\.delegate).map(sources.text)
                found.append(
                    AppEntry(
                        unknown: target,
                        names.isEmpty
                            ? "none of its files has an entry point"
                            : "several classes may be its delegate: \(names.joined(separator: ", "))"
                    ))
                continue
            }
            entry.target = target
            entry.foundBy = "the target \(target.title)"
            entry.ownFiles = ownFiles
            // Targets of one delegate whose property lists say the same of scenes are one app.
            let facts = ManifestFacts(
                sources.sideFiles, near: entry.path, target: target, isNamed: false)
            let key =
                "\(place.file) \(place.token) \(facts.hasConfigurations) "
                + "\(facts.delegateClass ?? "") \(facts.supportsMultipleScenes)"
            if let known = seen[key] {
                found[known].foundBy += ", \(target.name)"
                continue
            }
            seen[key] = found.count
            found.append(entry)
        }
        return found
    }

    // MARK: - Without targets

    /// Entry points in files that no target builds, away from the projects that have apps.
    private func entriesWithoutTarget(besides known: [AppEntry]) -> [AppEntry] {
        let folders = known.compactMap(\.target).map(\.folder)
        let hasTargets = !known.isEmpty
        let files = sources.files.indices.filter { file in
            let path = sources.files[file].path
            let isOwned = owners[file].contains {
                targets[$0].product != .library || targets[$0].isForPhone == .no
            }
            return !isOwned
                && !(hasTargets
                    && (Self.isExample(path)
                        || folders.contains { $0.isEmpty || SourcePath.isPath(path, at: $0) }))
        }
        guard !files.isEmpty else {
            return []
        }
        let reader = EntryReader(sources, files)
        let marked = reader.marked.filter { !isOfOtherPlatform($0) }
        guard !hasTargets, marked.isEmpty else {
            return marked
        }
        return reader.candidates.isEmpty ? reader.sceneDelegate : reader.candidates
    }

    /// Whether an entry point's file or folder is one of a watch, a television or a Mac.
    private func isOfOtherPlatform(_ entry: AppEntry) -> Bool {
        guard let place = entry.place else {
            return false
        }
        let file = sources.files[place.file]
        let parts = file.path.lowercased().split(separator: "/").dropLast()
        if parts.contains(where: { part in
            ["watchos", "watchkit", "watch app", "watch extension", "tvos", "appletv"].contains {
                part.contains($0)
            } || part == "macos" || part == "watch" || part == "mac"
        }) {
            return true
        }
        let imports = file.tokens.indices.dropLast().filter { file.tokens[$0].isWord(.import_) }
            .map { sources.text(file.tokens[$0 + 1].symbol) }
        if imports.contains("UIKit") || imports.contains("Flutter") {
            return false
        }
        return imports.contains { ["WatchKit", "AppKit", "Cocoa", "FlutterMacOS"].contains($0) }
    }

    // MARK: - Files

    /// The files of each app: those of its target, and those that no other target has for itself and
    /// that are nearest to it in the folders; what is near to several is of each.
    private func files(of entries: [AppEntry]) -> [[Int]] {
        let homes = entries.map { entry in
            entry.target.map { SourcePath.join($0.folder, "x") } ?? entry.path
        }
        let own = entries.map { Set($0.ownFiles) }
        let examples = homes.map(Self.isExample)
        let ownTypes = entries.map { typeNames(in: $0.ownFiles) }
        var parts: [[Int]] = entries.map { _ in [] }
        for (file, source) in sources.files.enumerated() {
            let isShared =
                owners[file].isEmpty
                || owners[file].contains {
                    targets[$0].product == .library && targets[$0].isForPhone != .no
                }
            var nearness: [Int] = []
            if isShared {
                // An example is part of no other app.
                let isExample = examples.contains(false) && Self.isExample(source.path)
                nearness = zip(homes, examples).map {
                    isExample && !$1 ? -1 : SourceTree.commonFolders($0, source.path)
                }
            }
            let best = nearness.max().flatMap { $0 < 0 ? nil : $0 }
            // A module has one type of a name, so a file that no target builds and that declares
            // the same one again is not of the app.
            let types = owners[file].isEmpty ? typeNames(in: [file]) : []
            for index in parts.indices {
                if own[index].contains(file)
                    || (isShared && nearness[index] == best
                        && ownTypes[index].isDisjoint(with: types))
                {
                    parts[index].append(file)
                }
            }
        }
        return parts
    }

    /// The Swift classes that files declare outside of extensions.
    private func typeNames(in files: [Int]) -> Set<Int32> {
        Set(
            files.lazy.filter { sources.files[$0].isSwift }.flatMap { file in
                sources.files[file].declarations.types.lazy.filter { $0.kind == .class_ }
                    .map(\.name)
            })
    }
}
