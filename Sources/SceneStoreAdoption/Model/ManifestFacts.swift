import SceneStoreValues

/// What the Info.plist, or the build, says about an app's scenes.
struct ManifestFacts {
    /// The Info.plist; nil when none was found.
    var path: String?
    var manifest: SceneManifest?
    /// Why it can't be read.
    var failure: String?
    /// Whether there is a scene manifest with configurations.
    var hasConfigurations = Truth.unknown
    var supportsMultipleScenes = Truth.unknown
    /// The class of the first configuration of the app's windows, as written.
    var delegateClass: String?
    /// Whether quick actions are declared.
    var hasShortcutItems = false
    /// Codes that a comment in the file asks to leave out.
    var ignored: Set<String> = []

    /// The activity types that are declared; nil when they are not known.
    var activityTypes: Set<String>? {
        guard let manifest, !manifest.activityTypes.contains(where: { $0.contains("$(") }) else {
            return nil
        }
        return Set(manifest.activityTypes)
    }

    /// The delegate's name without its module, and whether the module is the app's own.
    var delegateName: (name: String, isOwn: Bool)? {
        guard let delegateClass else {
            return nil
        }
        guard let dot = delegateClass.lastIndex(of: ".") else {
            return (delegateClass, false)
        }
        return (
            String(delegateClass[delegateClass.index(after: dot)...]),
            delegateClass.contains("$(") || delegateClass.contains("${")
        )
    }

    /// Reads the Info.plist that is an app's, of those that were found.
    init(_ files: [SideFile], near delegate: String, isNamed: Bool) {
        let candidates =
            isNamed ? files.filter { $0.kind == .manifest } : Self.candidates(files, near: delegate)
        let generates = files.contains {
            $0.kind == .project && $0.contains("UIApplicationSceneManifest")
        }
        guard let file = candidates.first else {
            hasConfigurations = .unknown
            return
        }
        path = file.path
        hasShortcutItems = file.contains("UIApplicationShortcutItems")
        for code in FindingCode.allCases
        where file.contains("scenestore:ignore \(code.rawValue)") {
            ignored.insert(code.rawValue)
        }
        do throws(SceneStoreError) {
            let manifest = try SceneManifest(propertyList: file.bytes)
            self.manifest = manifest
            let has = manifest.isPresent && !manifest.configurations.isEmpty
            hasConfigurations = has ? .yes : generates ? .unknown : .no
            supportsMultipleScenes =
                manifest.supportsMultipleScenes ? .yes : generates ? .unknown : .no
            delegateClass =
                manifest.configurations[.windowApplication]?.lazy
                .compactMap(\.delegateClassName).first
        } catch {
            failure = error.message
        }
        // Several files that disagree, such as one for each build, tell nothing.
        if candidates.count > 1, hasConfigurations == .no,
            candidates.dropFirst().contains(where: { $0.contains("UISceneConfigurations") })
        {
            hasConfigurations = .unknown
        }
    }

    private static func candidates(_ files: [SideFile], near delegate: String) -> [SideFile] {
        let possible = files.filter {
            $0.kind == .manifest && !$0.contains("NSExtension") && !$0.contains("FMWK")
                && !$0.contains("BNDL") && !$0.contains("WKWatchKitApp")
        }
        let nearness = possible.map { SourceTree.commonFolders($0.path, delegate) }
        guard let best = nearness.max() else {
            return []
        }
        return zip(possible, nearness).filter { $0.1 == best }.map(\.0)
            .sorted {
                let left = $0.contains("UISceneConfigurations")
                let right = $1.contains("UISceneConfigurations")
                return left == right ? $0.path < $1.path : left
            }
    }
}
