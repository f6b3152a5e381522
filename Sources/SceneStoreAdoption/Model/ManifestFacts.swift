import SceneStoreFormats
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
    /// Whether it declares URL schemes or kinds of documents, without which no link arrives.
    var takesLinks = Truth.unknown
    /// Whether the app's windows are in a storyboard.
    var mainStoryboard = false
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

    /// The delegates' names without their modules, and whether the module is the app's own.
    ///
    /// - Parameter chosen: The names of the configurations that the app's windows get; without
    ///   them, or if the manifest has none of them, the first one counts.
    func delegateNames(chosen: Set<String>) -> [(name: String, isOwn: Bool)] {
        let configurations = manifest?.configurations[.windowApplication] ?? []
        let named = configurations.filter { chosen.contains($0.name ?? "") }
            .compactMap(\.delegateClassName).unique()
        return (named.isEmpty ? [delegateClass].compactMap(\.self) : named).map { delegate in
            guard let dot = delegate.lastIndex(of: ".") else {
                return (delegate, false)
            }
            return (
                String(delegate[delegate.index(after: dot)...]),
                delegate.contains("$(") || delegate.contains("${")
            )
        }
    }

    /// Reads the Info.plist that is an app's, of those that were found.
    init(_ files: [SideFile], near delegate: String, target: BuildTarget?, isNamed: Bool) {
        var candidates = isNamed ? files.filter { $0.kind == .manifest } : []
        var generates = false
        if let target, !isNamed {
            let named = target.manifest?.lowercased()
            candidates = files.filter { $0.kind == .manifest && $0.path.lowercased() == named }
            generates = target.settings.contains {
                $0.key.hasPrefix("INFOPLIST_KEY_UIApplicationSceneManifest") && $0.value != "NO"
            }
            if let written = target.writtenManifest {
                candidates = [SideFile(path: target.project, kind: .manifest, bytes: written)]
            } else if candidates.isEmpty, let named = target.manifest {
                failure = "the target's Info.plist, \(named), is not among the files"
                return
            } else if candidates.isEmpty, target.settings["GENERATE_INFOPLIST_FILE"] == "YES" {
                // The build makes it from the settings alone.
                path = target.project
                manifest = SceneManifest()
                takesLinks = .no
                hasConfigurations = generates ? .unknown : .no
                return
            }
        }
        if candidates.isEmpty, !isNamed {
            candidates = Self.candidates(files, near: delegate)
            generates =
                generates
                || files.contains {
                    $0.kind == .project && $0.contains("UIApplicationSceneManifest")
                }
        }
        guard let file = candidates.first else {
            hasConfigurations = .unknown
            return
        }
        path = file.path
        hasShortcutItems = file.contains("UIApplicationShortcutItems")
        mainStoryboard =
            file.contains("UIMainStoryboardFile")
            || target?.settings["INFOPLIST_KEY_UIMainStoryboardFile"] != nil
        let parts = file.bytes.split(
            separator: Array(IgnoreComment.mark.utf8), omittingEmptySubsequences: false)
        for part in parts.dropFirst() {
            let text = String(decoding: part.prefix(1_000), as: UTF8.self)
            ignored.formUnion(IgnoreComment.codes(behindMark: text[...]))
        }
        do throws(SceneStoreError) {
            let manifest = try SceneManifest(
                propertyList: PreprocessedList.bytes(of: file.bytes))
            self.manifest = manifest
            takesLinks =
                manifest.urlSchemes.isEmpty && !file.contains("CFBundleDocumentTypes") ? .no : .yes
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
            $0.kind == .manifest && $0.path.hasSuffix(".plist")
                && SourcePath.name($0.path).contains("Info") && !$0.contains("NSExtension")
                && !$0.contains("FMWK") && !$0.contains("BNDL") && !$0.contains("WKWatchKitApp")
                && !$0.contains("WKApplication") && !$0.contains("GOOGLE_APP_ID")
                && !$0.contains("NSPrincipalClass")
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
