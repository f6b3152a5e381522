import SceneStoreValues

/// Makes a manifest of an Info.plist's entries (L-20, L-21).
///
/// A malformed part yields a finding with its key path and counts as absent; every other part
/// still works. Findings come in the order of the keys, so that they are the same in every run.
package struct ManifestReader {
    private let entries: [String: PropertyListValue]
    package private(set) var manifest = SceneManifest()
    /// Where the manifest's parts were found.
    package private(set) var places = ManifestPlaces()
    /// The first key that is spelled without `UI`.
    private var unprefixedPath: String?

    init(_ info: InfoPropertyList) {
        entries = info.entries
    }

    /// Says which keys stand twice in one dictionary of the list.
    mutating func reportRepeated(_ paths: [String]) {
        for path in paths {
            report(
                .repeatedManifestKey, .warning,
                "the key occurs twice in one dictionary, and the system takes one of the values",
                at: path, fix: "remove one of the two")
        }
    }

    mutating func read() {
        if let (value, path) = entry(ManifestKey.manifest, of: entries, at: "") {
            places.manifest = path
            if case .dictionary(let dictionary) = value {
                manifest.isPresent = true
                readManifest(dictionary, at: path)
            } else {
                refuse(value, wanted: "a dictionary", at: path)
            }
        }
        if manifest.preferredDefaultRole == nil {
            readPreferredRole(entries, at: "")
        }
        readBundle()
        if let unprefixedPath {
            report(
                .unprefixedManifestKeys, .note, "keys are spelled without their UI prefix",
                at: unprefixedPath,
                fix: "nothing here; on Apple's platforms UIKit reads the prefixed spelling only")
        }
    }

    // MARK: - The manifest

    private mutating func readManifest(_ dictionary: [String: PropertyListValue], at path: String) {
        manifest.supportsMultipleScenes =
            flag(ManifestKey.supportsMultipleScenes, of: dictionary, at: path) ?? false
        manifest.supportsTabbedSceneCollection = flag(
            ManifestKey.supportsTabbedSceneCollection, of: dictionary, at: path)
        manifest.supportsDashboardNavigationScene =
            flag(ManifestKey.supportsDashboard, of: dictionary, at: path) ?? false
        manifest.supportsInstrumentClusterNavigationScene =
            flag(ManifestKey.supportsInstrumentCluster, of: dictionary, at: path) ?? false
        readPreferredRole(dictionary, at: path)
        keepUnknown(dictionary, known: ManifestKey.inManifest, at: path)
        guard let (value, path) = entry(ManifestKey.configurations, of: dictionary, at: path) else {
            return
        }
        places.configurations = path
        guard case .dictionary(let roles) = value else {
            refuse(value, wanted: "a dictionary of roles", at: path)
            return
        }
        for role in roles.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard let value = roles[role] else {
                continue
            }
            readRole(
                SceneSessionRole(rawValue: role), value, at: KeyPathText.text(path, .key(role)))
        }
    }

    private mutating func readPreferredRole(
        _ dictionary: [String: PropertyListValue], at path: String
    ) {
        if let name = text(ManifestKey.preferredDefaultRole, of: dictionary, at: path) {
            manifest.preferredDefaultRole = SceneSessionRole(rawValue: name)
            places.preferredRole = KeyPathText.text(
                path, .key(places.spelled(ManifestKey.preferredDefaultRole)))
        }
    }

    private mutating func readRole(
        _ role: SceneSessionRole, _ value: PropertyListValue, at path: String
    ) {
        guard case .array(let entries) = value else {
            refuse(value, wanted: "an array of configurations", at: path)
            return
        }
        guard !entries.isEmpty else {
            report(
                .emptyConfigurations, .error, "the role has no configuration", at: path,
                fix: "add a configuration, or remove the role")
            return
        }
        var configurations: [SceneConfiguration] = []
        var paths: [String] = []
        for (index, entry) in entries.enumerated() {
            let path = KeyPathText.text(path, .index(index))
            guard case .dictionary(let dictionary) = entry else {
                refuse(entry, wanted: "a dictionary", at: path)
                continue
            }
            let configuration = readConfiguration(dictionary, role, at: path)
            if let name = configuration.name,
                configurations.contains(where: { $0.name?.hasSameBytes(as: name) ?? false })
            {
                report(
                    .duplicateConfigurationName, .error,
                    "another configuration of the role has the same name",
                    at: KeyPathText.text(path, .key(ManifestKey.configurationName)),
                    fix: "give each configuration a unique name; the first one counts")
                continue
            }
            configurations.append(configuration)
            paths.append(path)
        }
        manifest.configurations[role] = configurations
        places.entries[role] = paths
    }

    private mutating func readConfiguration(
        _ dictionary: [String: PropertyListValue], _ role: SceneSessionRole, at path: String
    ) -> SceneConfiguration {
        var configuration = SceneConfiguration(
            name: text(ManifestKey.configurationName, of: dictionary, at: path), role: role)
        configuration.sceneClassName = text(ManifestKey.sceneClassName, of: dictionary, at: path)
        configuration.storyboardName = text(ManifestKey.storyboardFile, of: dictionary, at: path)
        configuration.initialImmersionStyle = text(
            ManifestKey.initialImmersionStyle, of: dictionary, at: path)
        if entry(ManifestKey.delegateClassName, of: dictionary, at: path) == nil {
            report(
                .missingDelegateClass, .warning, "the configuration names no delegate class",
                at: path,
                fix: "add \(ManifestKey.delegateClassName), or set the delegate in code")
        } else {
            configuration.delegateClassName = text(
                ManifestKey.delegateClassName, of: dictionary, at: path)
        }
        configuration.resolution = .manifest
        keepUnknown(dictionary, known: ManifestKey.inConfiguration, at: path)
        return configuration
    }

    private mutating func keepUnknown(
        _ dictionary: [String: PropertyListValue], known: [String], at path: String
    ) {
        let understood = Set(known + known.map(ManifestKey.unprefixed))
        for key in dictionary.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        where !understood.contains(key) {
            let path = KeyPathText.text(path, .key(key))
            manifest.unknownKeys[path] = dictionary[key]?.value
            let fix =
                if ManifestKey.misplaced.contains(key) {
                    "move it to the top level of the Info.plist, where it belongs"
                } else if let nearest = ManifestKey.nearest(to: key, among: known) {
                    "write \(nearest), if that was meant"
                } else {
                    "remove it, unless another reader needs it"
                }
            report(.unknownManifestKey, .note, "the key means nothing here", at: path, fix: fix)
        }
    }

    // MARK: - Beside the manifest

    private mutating func readBundle() {
        manifest.bundleIdentifier = text(ManifestKey.bundleIdentifier, of: entries, at: "")
        manifest.bundleVersion = text(ManifestKey.bundleVersion, of: entries, at: "")
        if case .string(let name)? = entries[ManifestKey.sdkName] {
            manifest.sdkName = name
        }
        (manifest.activityTypes, places.activityTypes) = texts(
            ManifestKey.activityTypes, of: entries, at: "")
        guard let value = entries[ManifestKey.urlTypes] else {
            return
        }
        guard case .array(let types) = value else {
            refuse(value, wanted: "an array", at: ManifestKey.urlTypes)
            return
        }
        for (index, type) in types.enumerated() {
            let path = KeyPathText.text(ManifestKey.urlTypes, .index(index))
            guard case .dictionary(let dictionary) = type else {
                refuse(type, wanted: "a dictionary", at: path)
                continue
            }
            let (schemes, paths) = texts(ManifestKey.urlSchemes, of: dictionary, at: path)
            manifest.urlSchemes += schemes
            places.urlSchemes += paths
        }
    }

    // MARK: - Values

    /// The value of a key in either spelling, with its path.
    private mutating func entry(
        _ key: String, of dictionary: [String: PropertyListValue], at path: String
    ) -> (value: PropertyListValue, path: String)? {
        let other = ManifestKey.unprefixed(key)
        if let value = dictionary[key] {
            let place = KeyPathText.text(path, .key(key))
            if other != key, dictionary[other] != nil {
                report(
                    .doubleManifestKey, .warning, "the key occurs with and without its UI prefix",
                    at: place, fix: "remove \(other); the prefixed one counts")
            }
            return (value, place)
        }
        guard other != key, let value = dictionary[other] else {
            return nil
        }
        let place = KeyPathText.text(path, .key(other))
        unprefixedPath = unprefixedPath ?? place
        return (value, place)
    }

    private mutating func flag(
        _ key: String, of dictionary: [String: PropertyListValue], at path: String
    ) -> Bool? {
        guard let (value, path) = entry(key, of: dictionary, at: path) else {
            return nil
        }
        guard case .boolean(let flag) = value else {
            refuse(value, wanted: "a Boolean", at: path)
            return nil
        }
        return flag
    }

    private mutating func text(
        _ key: String, of dictionary: [String: PropertyListValue], at path: String
    ) -> String? {
        guard let (value, path) = entry(key, of: dictionary, at: path) else {
            return nil
        }
        guard case .string(let text) = value else {
            refuse(value, wanted: "a string", at: path)
            return nil
        }
        guard !text.isEmpty else {
            refuseEmpty(at: path)
            return nil
        }
        return text
    }

    /// The texts of an array, with the path of each.
    private mutating func texts(
        _ key: String, of dictionary: [String: PropertyListValue], at path: String
    ) -> (texts: [String], paths: [String]) {
        guard let (value, path) = entry(key, of: dictionary, at: path) else {
            return ([], [])
        }
        guard case .array(let values) = value else {
            refuse(value, wanted: "an array of strings", at: path)
            return ([], [])
        }
        var texts: [String] = []
        var paths: [String] = []
        for (index, value) in values.enumerated() {
            let path = KeyPathText.text(path, .index(index))
            guard case .string(let text) = value else {
                refuse(value, wanted: "a string", at: path)
                continue
            }
            guard !text.isEmpty else {
                refuseEmpty(at: path)
                continue
            }
            texts.append(text)
            paths.append(path)
        }
        return (texts, paths)
    }

    // MARK: - Findings

    private mutating func refuse(_ value: PropertyListValue, wanted: String, at path: String) {
        report(
            .malformedManifestValue, .error, "the value is \(value.kind) instead of \(wanted)",
            at: path, fix: "make it \(wanted); until then it counts as absent")
    }

    private mutating func refuseEmpty(at path: String) {
        report(
            .malformedManifestValue, .error, "the string is empty", at: path,
            fix: "write its value, or remove it")
    }

    private mutating func report(
        _ code: Diagnostic.Code, _ severity: Diagnostic.Severity, _ message: String,
        at path: String, fix: String
    ) {
        manifest.diagnostics.append(Diagnostic(code, severity, message, path: path, fix: fix))
    }
}
