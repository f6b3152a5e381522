/// What is known of one app.
package struct AppReport: Sendable {
    /// How many findings are listed at most, and how many questions.
    package static let maximumFindings = 5_000

    /// Which life cycle the app has today.
    package enum LifeCycle: String, Sendable {
        case application
        case scenes
        case swiftUI
        case unknown = "can't tell"
    }

    /// The application delegate's class, or SwiftUI's app.
    package let name: String
    package let path: String
    package let line: Int
    /// The target that builds it; nil when no project says so.
    package let target: String?
    /// By what it was found: a target, `@main`, a class.
    package let foundBy: String
    package let lifeCycle: LifeCycle
    package let manifestPath: String?
    package let sceneDelegates: [String]
    package let answers: [PayloadAnswer]
    package internal(set) var findings: [Finding]
    package let questions: [OpenQuestion]
    package let ways: [LaunchWay]
    /// Whether there are more findings or questions than are listed.
    package let isCut: Bool
    /// How many findings a comment or the baseline leaves out.
    package internal(set) var leftOut = 0
}

/// What was read of a tree of sources, and what follows from it.
package struct AdoptionReport: Sendable {
    package internal(set) var apps: [AppReport]
    package let fileCount: Int
    /// Files that are too large to be read, or can't be read.
    package let cutFiles: [String]

    package var findings: [Finding] { apps.flatMap(\.findings) }
    package var questions: [OpenQuestion] { apps.flatMap(\.questions) }

    /// What the report leaves out, a sentence for each file and app.
    package var omissions: [String] {
        cutFiles.map { "\($0) is too large or can't be read, and is left out" }
            + apps.filter(\.isCut).map {
                "\($0.path): only the first \(AppReport.maximumFindings) findings and questions of "
                    + "\($0.name) are listed; there are more"
            }
    }
}

/// Reads an app's sources and says what breaks when it adopts scenes.
package struct AdoptionReader {
    private var sources = SourceSet()
    private var hasNamedManifest = false

    package init() {}

    /// Takes a file; the bytes may be anything.
    package mutating func add(_ path: String, _ kind: SourceTree.Entry.Kind, _ bytes: [UInt8]) {
        switch kind {
        case .swift: sources.addSource(path, bytes, .swift)
        case .objectiveC: sources.addSource(path, bytes, .objectiveC)
        case .manifest:
            let list = SideFile(path: path, kind: .manifest, bytes: bytes)
            if !hasNamedManifest,
                SourcePath.name(path).contains("Info") || list.contains("CFBundleIdentifier")
            {
                sources.sideFiles.append(list)
            }
        case .project: addSide(path, .project, bytes)
        case .entitlements: addSide(path, .entitlements, bytes)
        }
    }

    /// Notes a file that can't be read.
    package mutating func omit(_ path: String) {
        sources.cutFiles.append(path)
    }

    /// Takes the Info.plist of every app; those that are found count no longer.
    package mutating func addManifest(_ path: String, _ bytes: [UInt8]) {
        sources.sideFiles.removeAll { $0.kind == .manifest }
        hasNamedManifest = true
        addSide(path, .manifest, bytes)
    }

    private mutating func addSide(_ path: String, _ kind: SideFile.Kind, _ bytes: [UInt8]) {
        sources.sideFiles.append(SideFile(path: path, kind: kind, bytes: bytes))
    }

    /// The iPhone apps of the projects' targets, by name.
    package var targetNames: [String] {
        let names = BuildTarget.all(in: sources.sideFiles).filter {
            $0.product == .application && $0.isForPhone != .no
        }.map(\.name)
        return Set(names).sorted()
    }

    /// - Parameter target: The target whose app alone is judged; nil for all.
    package func report(target: String? = nil) -> AdoptionReport {
        let apps = AppFinder(sources).apps(target: target).map { entry, files in
            guard let home = entry.place, entry.problem == nil else {
                return AppReport(unknown: entry, sources)
            }
            let app = AppModel(
                sources, entry: entry, at: home, files: files, hasNamedManifest: hasNamedManifest)
            return AppExamination(app, entry, at: home).report()
        }
        return AdoptionReport(
            apps: apps, fileCount: sources.files.count + sources.sideFiles.count,
            cutFiles: sources.cutFiles)
    }
}

extension AppReport {
    /// An app of which only is known that it is there.
    init(unknown entry: AppEntry, _ sources: SourceSet) {
        let token = entry.place.flatMap { place in
            let tokens = sources.files[place.file].tokens
            return tokens.indices.contains(place.token) ? tokens[place.token] : nil
        }
        let line = Int(token?.line ?? 1)
        self.init(
            name: entry.target?.name ?? "", path: entry.path, line: line,
            target: entry.target?.name, foundBy: entry.foundBy, lifeCycle: .unknown,
            manifestPath: entry.target?.manifest, sceneDelegates: [], answers: [], findings: [],
            questions: [
                OpenQuestion(
                    app: entry.target?.name ?? "", path: entry.path, line: line,
                    message: "the app can't be judged: \(entry.problem ?? "")")
            ], ways: [], isCut: false)
    }
}
