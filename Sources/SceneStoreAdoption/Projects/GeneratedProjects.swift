/// The targets of a project that XcodeGen makes from `project.yml`.
enum XcodeGenProject {
    static func targets(of file: SideFile, _ files: [SideFile]) -> [BuildTarget] {
        let folder = SourcePath.parent(file.path)
        var description = YAMLReader.read(file.bytes)
        // Parts may stand in files of their own.
        var targets = description["targets"]?.dictionary ?? [:]
        for include in (description["include"]?.list ?? []).prefix(64) {
            guard let name = include.text ?? include["path"]?.text else {
                continue
            }
            let path = SourcePath.join(folder, name)
            if let other = files.first(where: { $0.path == path }) {
                let included = YAMLReader.read(other.bytes)
                targets.merge(included["targets"]?.dictionary ?? [:]) { own, _ in own }
                if description["settings"] == nil {
                    description = included
                }
            }
        }
        let shared = settings(description["settings"])
        let templates = description["targetTemplates"]?.dictionary ?? [:]
        for (name, target) in targets {
            for template in (target["templates"]?.list ?? []).compactMap(\.text) {
                if let template = templates[template] {
                    targets[name] = (targets[name] ?? target).merging(template)
                }
            }
        }
        return targets.sorted { $0.key < $1.key }.compactMap { name, target in
            read(target, name, file, folder, shared)
        }
    }

    private static func read(
        _ target: ProjectText, _ name: String, _ file: SideFile, _ folder: String,
        _ shared: [String: String]
    ) -> BuildTarget? {
        guard let type = target["type"]?.text else {
            return nil
        }
        let product: BuildTarget.Product =
            switch type {
            case "application", "application.on-demand-install-capable": .application
            case "framework", "library.static", "library.dynamic", "framework.static": .library
            default: .other
            }
        let platforms =
            (target["platform"]?.list ?? []) + (target["supportedDestinations"]?.list ?? [])
        let names = platforms.compactMap(\.text)
        var found = BuildTarget(
            name: name, project: file.path, product: product,
            isForPhone: names.isEmpty || names == ["auto"]
                ? .unknown : names.contains { $0 == "iOS" } ? .yes : .no)
        found.settings = shared.merging(settings(target["settings"])) { $1 }
        found.settings["TARGET_NAME"] = name
        found.settings["PRODUCT_NAME"] = found.settings["PRODUCT_NAME"] ?? name
        for key in ["SRCROOT", "PROJECT_DIR"] {
            found.settings[key] = "."
        }
        for source in target["sources"]?.list ?? [] {
            guard let path = source.text ?? source["path"]?.text else {
                continue
            }
            let whole = SourcePath.join(folder, path)
            if whole.hasSuffix(".swift") || whole.hasSuffix(".m") {
                found.files.insert(whole)
            } else {
                let without = (source["excludes"]?.list ?? []).compactMap(\.text).map {
                    SourcePath.join(whole, $0.replacing("/**", with: ""))
                }
                found.folders[whole] = Set(without)
            }
        }
        if let path = target["info"]?["path"]?.text ?? found.settings["INFOPLIST_FILE"] {
            found.manifest = SourcePath.join(folder, found.expanding(path))
        }
        if let properties = target["info"]?["properties"] {
            found.writtenManifest = properties.propertyList
        }
        return found
    }

    /// `settings: { base: … }` and `settings: …`.
    private static func settings(_ value: ProjectText?) -> [String: String] {
        let own = value?.dictionary ?? [:]
        return own.merging(own["base"]?.dictionary ?? [:]) { $1 }.compactMapValues(\.text)
    }
}

/// The targets of a project that Tuist makes from `Project.swift`, as far as they are written
/// there as they are.
enum TuistProject {
    static func targets(of file: SideFile) -> [BuildTarget] {
        let calls = ManifestCalls(file)
        let folder = SourcePath.parent(file.path)
        return calls.all(["target", "Target"]).compactMap { call in
            guard let name = calls.text(call, "name"), let product = calls.member(call, "product")
            else {
                return nil
            }
            let platforms =
                calls.words(call, "platform") + calls.words(call, "destinations")
            var found = BuildTarget(
                name: name, project: file.path,
                product: product == "app" || product == "appClip"
                    ? .application
                    : product.hasSuffix("ramework") || product.hasSuffix("ibrary")
                        ? .library : .other,
                isForPhone: platforms.isEmpty
                    ? .unknown
                    : platforms.contains { ["iOS", "iPhone", "iPad"].contains($0) } ? .yes : .no)
            for source in calls.texts(call, "sources") {
                let path = source.split(separator: "*").first.map(String.init) ?? ""
                let whole = SourcePath.join(folder, path)
                if whole.hasSuffix(".swift") {
                    found.files.insert(whole)
                } else {
                    found.folders[whole] = []
                }
            }
            if let plist = calls.texts(call, "infoPlist").first, plist.hasSuffix(".plist") {
                found.manifest = SourcePath.join(folder, plist)
            } else if !calls.words(call, "infoPlist").isEmpty {
                // Made from what stands in the description.
                found.settings["INFOPLIST_KEY_UIApplicationSceneManifest_Generation"] = "YES"
            }
            return found
        }
    }
}

/// The targets of a Swift package; of them only `iOSApplication` is an app for a phone.
enum PackageManifest {
    static func targets(of file: SideFile) -> [BuildTarget] {
        let calls = ManifestCalls(file)
        let folder = SourcePath.parent(file.path)
        let apps = Set(
            calls.all(["iOSApplication"]).flatMap { calls.texts($0, "targets") })
        return calls.all(["target", "executableTarget", "testTarget"]).compactMap { call in
            guard let name = calls.text(call, "name") else {
                return nil
            }
            let isTest = calls.name(call) == "testTarget"
            var found = BuildTarget(
                name: name, project: file.path,
                product: apps.contains(name)
                    ? .application : calls.name(call) == "target" ? .library : .other,
                isForPhone: apps.contains(name) ? .yes : .unknown)
            let path = calls.text(call, "path") ?? (isTest ? "Tests/" : "Sources/") + name
            found.folders[SourcePath.join(folder, path)] = []
            return found
        }
    }
}

/// The calls of a description that is written in Swift.
struct ManifestCalls {
    /// Beyond these a description is not read.
    private static let maximumTokens = 200_000

    private let tokens: [Token]
    private let symbols: SymbolTable

    init(_ file: SideFile) {
        var symbols = SymbolTable()
        var source = Lexer.lex(SourceText.bytes(of: file.bytes), .swift, &symbols)
        if source.tokens.count > Self.maximumTokens {
            source.tokens = []
        }
        Brackets.pair(&source.tokens)
        tokens = source.tokens
        self.symbols = symbols
    }

    /// The opening brackets of the calls of some names.
    func all(_ names: Set<String>) -> [Int] {
        tokens.indices.dropFirst().filter {
            tokens[$0].isMark("(") && Int(tokens[$0].match) > $0
                && tokens[$0 - 1].kind == .word && names.contains(text(tokens[$0 - 1]))
        }
    }

    func name(_ call: Int) -> String { text(tokens[call - 1]) }

    private func text(_ token: Token) -> String { symbols.text(token.symbol) }

    /// The tokens of an argument.
    private func argument(_ call: Int, _ label: String) -> Range<Int> {
        let close = Int(tokens[call].match)
        guard
            let start = (call..<close).first(where: {
                Int(tokens[$0].parent) == call && tokens[$0].isMark(":")
                    && text(tokens[$0 - 1]) == label
            })
        else {
            return 0..<0
        }
        let end = (start..<close).first {
            Int(tokens[$0].parent) == call && tokens[$0].isMark(",")
        }
        return (start + 1)..<(end ?? close)
    }

    func texts(_ call: Int, _ label: String) -> [String] {
        argument(call, label).filter { tokens[$0].kind == .string }.map { text(tokens[$0]) }
    }

    /// An argument that is one text.
    func text(_ call: Int, _ label: String) -> String? {
        let range = argument(call, label)
        return range.count == 1 ? texts(call, label).first : nil
    }

    func words(_ call: Int, _ label: String) -> [String] {
        argument(call, label).filter { tokens[$0].kind == .word }.map { text(tokens[$0]) }
    }

    /// An argument of the form `.name`.
    func member(_ call: Int, _ label: String) -> String? {
        words(call, label).first
    }
}
