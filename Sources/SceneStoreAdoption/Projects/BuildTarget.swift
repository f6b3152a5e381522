/// A target of a project: what it builds, for which platform, and from which files.
struct BuildTarget {
    enum Product {
        case application
        /// A framework or library: part of each app that is near.
        case library
        /// An extension, a watch app, tests, a tool.
        case other
    }

    var name: String
    /// The file that declares it, as it was given.
    var project: String
    var product: Product
    /// Whether it is built for an iPhone or an iPad.
    var isForPhone: Truth
    var files: Set<String> = []
    /// Folders of which all files are built, but those of the second list.
    var folders: [String: Set<String>] = [:]
    /// The path of the Info.plist that is named.
    var manifest: String?
    /// The Info.plist that the description writes.
    var writtenManifest: [UInt8]?
    var settings: [String: String] = [:]

    /// The folder that holds the project.
    var folder: String {
        let parent = SourcePath.parent(project)
        return parent.hasSuffix(".xcodeproj") ? SourcePath.parent(parent) : parent
    }

    /// The project and the target, for people.
    var title: String {
        let parent = SourcePath.parent(project)
        return "\(name) of \(parent.hasSuffix(".xcodeproj") ? parent : project)"
    }

    /// A text with the build settings that it names: `$(NAME)`, `${NAME}`. What is not known stays.
    func expanding(_ text: String) -> String {
        var text = text
        // Settings that name each other end somewhere.
        for _ in 0..<8 {
            guard text.contains("$") else {
                return text
            }
            let next = Self.expandingOnce(text, settings)
            guard next != text, next.utf8.count < 4_096 else {
                return next
            }
            text = next
        }
        return text
    }

    private static func expandingOnce(_ text: String, _ settings: [String: String]) -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            let next = rest.index(after: dollar)
            guard next < rest.endIndex, rest[next] == "(" || rest[next] == "{",
                let close = rest[next...].firstIndex(of: rest[next] == "(" ? ")" : "}")
            else {
                result.append("$")
                rest = rest[next...]
                continue
            }
            let inside = rest[rest.index(after: next)..<close]
            let parts = inside.split(separator: ":", omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            if var value = settings[name], value != "$(\(name))" {
                if parts.dropFirst().contains(where: { $0.hasPrefix("c99ext") }) {
                    value = String(value.map { $0.isLetter || $0.isNumber ? $0 : "_" })
                }
                result += value
            } else if name != "inherited" {
                result += rest[dollar...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// The targets of all descriptions among some files.
    static func all(in files: [SideFile]) -> [BuildTarget] {
        var targets: [BuildTarget] = []
        var described: Set<String> = []
        let configurationFiles = Dictionary(
            files.filter { $0.path.hasSuffix(".xcconfig") }.map { ($0.path, $0) },
            uniquingKeysWith: { first, _ in first })
        // A copy that lies somewhere else is no project.
        for file in files
        where file.kind == .project && file.path.hasSuffix(".xcodeproj/project.pbxproj") {
            let found = XcodeProject(file, configurationFiles)?.targets ?? []
            targets += found
            described.formUnion(found.map(\.folder))
        }
        for file in files where file.kind == .project {
            // A project that is there already was made from the description beside it.
            let folder = SourcePath.parent(file.path)
            guard !described.contains(folder) else {
                continue
            }
            switch SourcePath.name(file.path) {
            case "project.yml", "project.yaml": targets += XcodeGenProject.targets(of: file, files)
            case "Project.swift": targets += TuistProject.targets(of: file)
            case "Package.swift": targets += PackageManifest.targets(of: file)
            default: break
            }
        }
        return targets
    }
}

/// Which targets build each file. As on a Mac, small and capital letters are the same.
struct TargetOwners {
    private var byFile: [String: [Int]] = [:]
    private var byFolder: [String: [(target: Int, without: Set<String>)]] = [:]

    init(_ targets: [BuildTarget]) {
        for (index, target) in targets.enumerated() {
            for file in target.files {
                byFile[file.lowercased(), default: []].append(index)
            }
            for (folder, without) in target.folders {
                byFolder[folder.lowercased(), default: []].append(
                    (index, Set(without.map { $0.lowercased() })))
            }
        }
    }

    /// The targets that build a file.
    func owners(of path: String) -> Set<Int> {
        let path = path.lowercased()
        var found = Set(byFile[path] ?? [])
        guard !byFolder.isEmpty else {
            return found
        }
        var folder = SourcePath.parent(path)
        while true {
            for (target, without) in byFolder[folder] ?? []
            where !without.contains(where: { SourcePath.isPath(path, at: $0) }) {
                found.insert(target)
            }
            if folder.isEmpty || folder == "/" {
                return found
            }
            folder = SourcePath.parent(folder)
        }
    }
}

/// Paths as texts, with `/` between their parts.
enum SourcePath {
    static func name(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/"))
            .map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The folder that holds a path; empty for a name alone.
    static func parent(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    /// A path seen from a folder, without `.` and `..`.
    static func join(_ folder: String, _ path: String) -> String {
        let isAbsolute = path.hasPrefix("/") || (folder.hasPrefix("/") && !path.isEmpty)
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : folder + "/" + path).split(separator: "/") {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        let text = parts.joined(separator: "/")
        return isAbsolute || folder.hasPrefix("/") ? "/" + text : text
    }

    /// Whether a path is another one, or below it.
    static func isPath(_ path: String, at other: String) -> Bool {
        path == other || path.hasPrefix(other + "/")
    }
}
