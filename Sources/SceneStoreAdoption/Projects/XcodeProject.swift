/// The targets of an Xcode project.
struct XcodeProject {
    private let objects: [String: ProjectText]
    private let file: SideFile
    /// Where paths begin.
    private let folder: String
    private let configurationFiles: [String: SideFile]
    private var paths: [String: String] = [:]
    private var synchronizedGroups: [String] = []
    private(set) var targets: [BuildTarget] = []

    /// Groups in groups beyond these are not read.
    private static let maximumDepth = 64

    /// - Parameter configurationFiles: Files of build settings, by their paths.
    init?(_ file: SideFile, _ configurationFiles: [String: SideFile]) {
        guard let root = OldPropertyList.read(file.bytes)?.dictionary,
            let objects = root["objects"]?.dictionary,
            let project = root["rootObject"]?.text.flatMap({ objects[$0] })
        else {
            return nil
        }
        self.objects = objects
        self.file = file
        folder = SourcePath.join(
            SourcePath.parent(SourcePath.parent(file.path)),
            project["projectDirPath"]?.text ?? "")
        self.configurationFiles = configurationFiles
        if let group = project["mainGroup"]?.text {
            readGroup(group, folder, 0)
        }
        synchronizedGroups = objects.filter {
            $0.value["isa"]?.text == "PBXFileSystemSynchronizedRootGroup"
        }.map(\.key)
        let shared = settings(project["buildConfigurationList"]?.text)
        for identifier in project["targets"]?.list.compactMap(\.text) ?? [] {
            if let target = objects[identifier], let found = read(target, identifier, shared) {
                targets.append(found)
            }
        }
    }

    private mutating func readGroup(_ identifier: String, _ parent: String, _ depth: Int) {
        guard let object = objects[identifier], depth < Self.maximumDepth,
            paths[identifier] == nil
        else {
            return
        }
        let own = object["path"]?.text
        let path: String
        switch object["sourceTree"]?.text {
        case "SOURCE_ROOT": path = SourcePath.join(folder, own ?? "")
        case "<group>", nil: path = own.map { SourcePath.join(parent, $0) } ?? parent
        case "<absolute>": path = own ?? parent
        default: return
        }
        paths[identifier] = path
        for child in object["children"]?.list.compactMap(\.text) ?? [] {
            readGroup(child, path, depth + 1)
        }
    }

    private func read(
        _ target: ProjectText, _ identifier: String, _ shared: [String: String]
    ) -> BuildTarget? {
        guard let name = target["name"]?.text, let type = target["productType"]?.text else {
            return nil
        }
        var found = BuildTarget(
            name: name, project: file.path, product: Self.product(type), isForPhone: .unknown)
        var settings = shared
        // A target's own value may name the project's.
        for (key, value) in self.settings(target["buildConfigurationList"]?.text) {
            settings[key] = value.replacing("$(inherited)", with: shared[key] ?? "")
        }
        for key in ["SRCROOT", "PROJECT_DIR", "SOURCE_ROOT"] {
            settings[key] = folder.isEmpty ? "." : folder
        }
        settings["TARGET_NAME"] = name
        settings["TARGETNAME"] = name
        settings["PROJECT_NAME"] = SourcePath.name(SourcePath.parent(file.path))
            .replacing(".xcodeproj", with: "")
        settings["PRODUCT_NAME"] = settings["PRODUCT_NAME"] ?? name
        found.settings = settings
        let own = self.settings(target["buildConfigurationList"]?.text)
        found.isForPhone = Self.isForPhone(settings.mapValues(found.expanding), own: own)
        if let manifest = settings["INFOPLIST_FILE"], !manifest.isEmpty {
            let path = found.expanding(manifest)
            // `$(SRCROOT)/…` begins at the project already.
            found.manifest =
                manifest.contains("ROOT)") || manifest.contains("PROJECT_DIR")
                    || manifest.contains("ROOT}")
                ? SourcePath.join("", path) : SourcePath.join(folder, path)
        }
        for phase in target["buildPhases"]?.list.compactMap(\.text) ?? [] {
            guard let phase = objects[phase], phase["isa"]?.text == "PBXSourcesBuildPhase" else {
                continue
            }
            for build in phase["files"]?.list.compactMap(\.text) ?? [] {
                if let reference = objects[build]?["fileRef"]?.text, let path = paths[reference] {
                    found.files.insert(path)
                }
            }
        }
        for group in target["fileSystemSynchronizedGroups"]?.list.compactMap(\.text) ?? [] {
            if let path = paths[group] {
                found.folders[path] = exceptions(of: group, path) { $0 == identifier }
            }
        }
        // A file of another target's folder may be built by this one, too.
        for group in synchronizedGroups
        where !(target["fileSystemSynchronizedGroups"]?.list.compactMap(\.text) ?? [])
            .contains(group)
        {
            if let path = paths[group] {
                found.files.formUnion(exceptions(of: group, path) { $0 == identifier })
            }
        }
        return found
    }

    private func exceptions(
        of group: String, _ path: String, _ isTarget: (String) -> Bool
    ) -> Set<String> {
        var found: Set<String> = []
        for exception in objects[group]?["exceptions"]?.list.compactMap(\.text) ?? [] {
            guard let set = objects[exception], set["target"]?.text.map(isTarget) == true else {
                continue
            }
            for member in set["membershipExceptions"]?.list.compactMap(\.text) ?? [] {
                found.insert(SourcePath.join(path, member))
            }
        }
        return found
    }

    private static func product(_ type: String) -> BuildTarget.Product {
        switch type {
        case "com.apple.product-type.application",
            "com.apple.product-type.application.on-demand-install-capable":
            .application
        case "com.apple.product-type.framework", "com.apple.product-type.library.static",
            "com.apple.product-type.library.dynamic", "com.apple.product-type.framework.static":
            .library
        default: .other
        }
    }

    /// - Parameter own: What the target sets itself, which the project's platforms don't change.
    private static func isForPhone(
        _ settings: [String: String], own: [String: String]
    ) -> Truth {
        if own["SUPPORTED_PLATFORMS"] == nil, let kit = own["SDKROOT"],
            ["macosx", "watchos", "appletvos", "xros"].contains(kit)
        {
            return .no
        }
        if let platforms = settings["SUPPORTED_PLATFORMS"], !platforms.contains("$") {
            return platforms.contains("iphoneos") ? .yes : .no
        }
        switch settings["SDKROOT"] {
        case "iphoneos"?: return .yes
        case "macosx"?, "watchos"?, "appletvos"?, "xros"?: return .no
        default: break
        }
        if settings["IPHONEOS_DEPLOYMENT_TARGET"] != nil {
            return .yes
        }
        let others = [
            "MACOSX_DEPLOYMENT_TARGET", "WATCHOS_DEPLOYMENT_TARGET", "TVOS_DEPLOYMENT_TARGET",
        ]
        return others.contains { settings[$0] != nil } ? .no : .unknown
    }

    /// The settings of the configuration that is released.
    private func settings(_ list: String?) -> [String: String] {
        guard let list = list.flatMap({ objects[$0] }) else {
            return [:]
        }
        let configurations = (list["buildConfigurations"]?.list.compactMap(\.text) ?? [])
            .compactMap { objects[$0] }
        let wanted = list["defaultConfigurationName"]?.text ?? "Release"
        guard
            let configuration = configurations.first(where: { $0["name"]?.text == wanted })
                ?? configurations.first(where: { $0["name"]?.text == "Release" })
                ?? configurations.first
        else {
            return [:]
        }
        var found: [String: String] = [:]
        if let reference = configuration["baseConfigurationReference"]?.text,
            let path = paths[reference]
        {
            found = BuildSettings.read(path, configurationFiles)
        } else if let folder = configuration["baseConfigurationReferenceAnchor"]?.text,
            let parent = paths[folder],
            let name = configuration["baseConfigurationReferenceRelativePath"]?.text
        {
            // The file is in a synchronized folder.
            found = BuildSettings.read(SourcePath.join(parent, name), configurationFiles)
        }
        for (key, value) in configuration["buildSettings"]?.dictionary ?? [:] {
            let text = value.text ?? value.list.compactMap(\.text).joined(separator: " ")
            // `INFOPLIST_FILE[sdk=iphoneos*]`
            let name = key.split(separator: "[").first.map(String.init) ?? key
            if key.contains("[") {
                if key.contains("iphoneos") {
                    found[name] = text
                }
            } else if configuration["buildSettings"]?["\(key)[sdk=iphoneos*]"] == nil {
                found[name] = text.replacing("$(inherited)", with: found[name] ?? "$(inherited)")
            }
        }
        return found
    }
}

/// Reads files of build settings: `NAME = value`, `#include "other.xcconfig"`.
enum BuildSettings {
    private static let maximumDepth = 8

    static func read(_ path: String, _ files: [String: SideFile]) -> [String: String] {
        var known: Set<String> = []
        return read(path, files, &known, depth: 0)
    }

    /// Each file is read once, however often others include it.
    private static func read(
        _ path: String, _ files: [String: SideFile], _ known: inout Set<String>, depth: Int
    ) -> [String: String] {
        guard depth < maximumDepth, let file = files[path], known.insert(path).inserted else {
            return [:]
        }
        var found: [String: String] = [:]
        for line in String(decoding: file.bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#include") {
                let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
                if parts.count > 1 {
                    let other = SourcePath.join(SourcePath.parent(path), String(parts[1]))
                    found.merge(read(other, files, &known, depth: depth + 1)) { $1 }
                }
                continue
            }
            guard let equals = line.firstIndex(of: "="), !line.hasPrefix("//") else {
                continue
            }
            func trimmed(_ text: Substring) -> String {
                var text = text.drop { $0.isWhitespace }
                while text.last?.isWhitespace == true || text.last == ";" {
                    text.removeLast()
                }
                return String(text)
            }
            let key = trimmed(line[..<equals])
            var value = line[line.index(after: equals)...]
            if let comment = value.firstRange(of: " //") {
                value = value[..<comment.lowerBound]
            }
            guard !key.contains("[") || key.contains("iphoneos") else {
                continue
            }
            let name = key.split(separator: "[").first.map(String.init) ?? key
            found[name] = trimmed(value).replacing("$(inherited)", with: found[name] ?? "")
        }
        return found
    }
}
