#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of a folder that say something about an app.
package struct SourceTree {
    /// Files beyond these are not read.
    package static let maximumFiles = 50_000
    /// Bytes beyond these are not read.
    package static let maximumBytes = 1 << 30

    /// Folders that hold other people's code, or what a build makes.
    private static let skipped: Set<String> = [
        "Pods", "Carthage", "DerivedData", "node_modules", "build", "Build", "SourcePackages",
        "vendor", "Vendor", "ThirdParty", "Frameworks", "xcuserdata", "Tests", "UITests",
        "fastlane",
    ]

    /// A file, and what it is read as.
    package struct Entry: Sendable {
        package enum Kind: Sendable {
            case swift, objectiveC, manifest, project, entitlements
        }

        package let path: String
        package let kind: Kind
    }

    package private(set) var entries: [Entry] = []
    /// Whether there are more files than are read.
    package private(set) var isCut = false

    /// Lists a file, or what is below a folder, in the order of the paths. Links to folders are not
    /// followed, and links to files are.
    ///
    /// Throws what the file system throws when the path itself can't be read.
    package init(_ path: String, checkInterruption: () throws -> Void = {}) throws {
        var isDirectory: Bool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        guard isDirectory else {
            entries = [Entry(path: path, kind: Self.kind(path) ?? .objectiveC)]
            return
        }
        var folders = [path]
        var isFirst = true
        while let folder = folders.popLast() {
            try checkInterruption()
            let names: [String]
            if isFirst {
                names = try FileManager.default.contentsOfDirectory(atPath: folder)
            } else {
                names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            }
            isFirst = false
            for name in names {
                guard entries.count < Self.maximumFiles, folders.count < Self.maximumFiles else {
                    isCut = true
                    break
                }
                add(name, in: folder, to: &folders)
            }
        }
        entries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private mutating func add(_ name: String, in folder: String, to folders: inout [String]) {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        if let kind = Self.kind(name) {
            // Whatever its name, a folder, a pipe or a link to nothing is no source.
            if Self.isFile(path) {
                entries.append(Entry(path: path, kind: kind))
            }
            return
        }
        guard !name.hasPrefix("."), !Self.skipped.contains(name), !name.hasSuffix("Tests"),
            !name.hasSuffix(".framework"), !name.hasSuffix(".xcframework"),
            !name.hasSuffix(".xcassets"), !name.hasSuffix(".lproj") || name == "Base.lproj",
            name.hasSuffix(".xcodeproj") || !Self.hasEnding(name),
            let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeDirectory
        else {
            return
        }
        folders.append(path)
    }

    /// Whether a path is a file's, or a link to a file.
    private static func isFile(_ path: String) -> Bool {
        var path = path
        // Of a chain of links the system follows no more either.
        for _ in 0..<32 {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let type = attributes[.type] as? FileAttributeType
            else {
                return false
            }
            guard type == .typeSymbolicLink else {
                return type == .typeRegular
            }
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                return false
            }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return false
    }

    /// Whether a name seems to be a file's, which spares a look at it.
    private static func hasEnding(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else {
            return false
        }
        let ending = name[name.index(after: dot)...]
        return [
            "png", "jpg", "pdf", "json", "md", "strings", "storyboard", "xib", "txt", "yml",
            "js", "ts", "tsx", "java", "kt", "a", "c", "cpp", "html", "css", "ttf", "svg",
        ]
        .contains(ending.lowercased())
    }

    /// What a file is read as; nil when it says nothing.
    package static func kind(_ path: String) -> Entry.Kind? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if name.hasSuffix(".swift") {
            return name == "Project.swift" || name == "Package.swift" ? .project : .swift
        }
        if name.hasSuffix(".m") || name.hasSuffix(".mm") || name.hasSuffix(".h") {
            return .objectiveC
        }
        // A project may name its Info.plist in any way.
        if name.hasSuffix(".plist") {
            return .manifest
        }
        if name == "project.pbxproj" || name == "project.yml" || name == "project.yaml"
            || name == "app.json" || name.hasSuffix(".xcconfig")
        {
            return .project
        }
        return name.hasSuffix(".entitlements") ? .entitlements : nil
    }

    /// How many folders two paths have in common.
    static func commonFolders(_ left: String, _ right: String) -> Int {
        var count = 0
        for (a, b) in zip(left.utf8, right.utf8) {
            if a != b {
                break
            }
            count += a == UInt8(ascii: "/") ? 1 : 0
        }
        return count
    }
}
