/// What a store remembers of a manifest (S-43): what the plan of a launch needs, under the keys of
/// an Info.plist, so that one reader reads both. Activity types, URL schemes, the bundle's names and
/// unknown keys stay out.
extension SceneManifest {
    private static let isMadeByTheApp = "isMadeByTheApp"

    /// The manifest's part of a declaration.
    package var declaration: [CanonicalJSON.Object.Member] {
        var members: [CanonicalJSON.Object.Member] = [
            (ManifestKey.supportsMultipleScenes, .boolean(supportsMultipleScenes))
        ]
        if let preferredDefaultRole {
            members.append(
                (ManifestKey.preferredDefaultRole, .string(preferredDefaultRole.rawValue)))
        }
        let roles = configurations.filter { !$0.value.isEmpty }
        if !roles.isEmpty {
            members.append(
                (
                    ManifestKey.configurations,
                    .object(
                        CanonicalJSON.Object(
                            roles.map { role, entries in
                                (role.rawValue, .array(entries.map(\.declaration)))
                            }))
                ))
        }
        var result: [CanonicalJSON.Object.Member] = [
            (ManifestKey.manifest, .object(CanonicalJSON.Object(members)))
        ]
        if !isPresent {
            result.append((Self.isMadeByTheApp, true))
        }
        return result
    }

    /// The manifest of a declaration; nil when there is none. The text was read with a
    /// limit of depth.
    package init?(declaration: CanonicalJSON.Object) {
        guard let manifest = declaration[ManifestKey.manifest] else {
            return nil
        }
        var reader = ManifestReader(
            InfoPropertyList(entries: [ManifestKey.manifest: PropertyListValue(manifest)]))
        reader.read()
        self = reader.manifest
        diagnostics = []
        if case .boolean(true)? = declaration[Self.isMadeByTheApp] {
            isPresent = false
        }
    }
}

extension SceneConfiguration {
    fileprivate var declaration: CanonicalJSON {
        let entries: [(String, String?)] = [
            (ManifestKey.configurationName, name), (ManifestKey.sceneClassName, sceneClassName),
            (ManifestKey.delegateClassName, delegateClassName),
            (ManifestKey.storyboardFile, storyboardName),
            (ManifestKey.initialImmersionStyle, initialImmersionStyle),
        ]
        return .object(
            CanonicalJSON.Object(
                entries.compactMap { key, text in text.map { (key, .string($0)) } }))
    }
}

extension PropertyListValue {
    /// The same as a value of a property list.
    fileprivate init(_ json: CanonicalJSON) {
        switch json {
        case .null: self = .other
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map { Self($0) })
        case .object(let object):
            self = .dictionary(
                Dictionary(
                    object.members.map { ($0.key, Self($0.value)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }
}
