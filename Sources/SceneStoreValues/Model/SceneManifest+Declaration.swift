/// What a store remembers of a manifest (S-43): what the plan of a launch needs, under the keys of
/// an Info.plist. Activity types, URL schemes, the bundle's names and unknown keys stay out.
extension SceneManifest {
    /// The manifest's part of a declaration.
    package var declaration: CanonicalJSON {
        typealias Key = Declared.CodingKeys
        var members: [CanonicalJSON.Object.Member] = [
            (Key.supportsMultipleScenes.rawValue, .boolean(supportsMultipleScenes))
        ]
        if let preferredDefaultRole {
            members.append(
                (Key.preferredDefaultRole.rawValue, .string(preferredDefaultRole.rawValue)))
        }
        let roles = configurations.filter { !$0.value.isEmpty }
        if !roles.isEmpty {
            let entries = roles.map { role, entries in
                (role.rawValue, CanonicalJSON.array(entries.map(\.declaration)))
            }
            members.append((Key.configurations.rawValue, .object(CanonicalJSON.Object(entries))))
        }
        return .object(CanonicalJSON.Object(members))
    }

    /// The manifest's part of a declaration, as the system's reader finds it.
    package struct Declared: Decodable {
        fileprivate let supportsMultipleScenes: Bool
        fileprivate let preferredDefaultRole: String?
        fileprivate let configurations: [String: [[String: String]]]?

        fileprivate enum CodingKeys: String, CodingKey {
            case supportsMultipleScenes = "UIApplicationSupportsMultipleScenes"
            case preferredDefaultRole = "UIApplicationPreferredDefaultSceneSessionRole"
            case configurations = "UISceneConfigurations"
        }
    }

    /// The manifest of a declaration.
    package init(_ declared: Declared) {
        self.init()
        isPresent = true
        supportsMultipleScenes = declared.supportsMultipleScenes
        preferredDefaultRole = declared.preferredDefaultRole.map { SceneSessionRole(rawValue: $0) }
        for (name, entries) in declared.configurations ?? [:] {
            let role = SceneSessionRole(rawValue: name)
            configurations[role] = entries.map { SceneConfiguration(declared: $0, role) }
        }
    }
}

extension SceneConfiguration {
    private static let declared: KeyValuePairs<String, WritableKeyPath<Self, String?> & Sendable> =
        [
            "UISceneConfigurationName": \.name, "UISceneClassName": \.sceneClassName,
            "UISceneDelegateClassName": \.delegateClassName,
            "UISceneStoryboardFile": \.storyboardName,
            "UISceneInitialImmersionStyle": \.initialImmersionStyle,
        ]

    fileprivate var declaration: CanonicalJSON {
        .object(
            CanonicalJSON.Object(
                Self.declared.compactMap { key, field in
                    self[keyPath: field].map { (key, .string($0)) }
                }))
    }

    /// An entry of a declaration; an empty text counts as none, as in an Info.plist.
    fileprivate init(declared entry: [String: String], _ role: SceneSessionRole) {
        self.init(name: nil, role: role)
        for (key, field) in Self.declared {
            self[keyPath: field] = entry[key].flatMap { $0.isEmpty ? nil : $0 }
        }
        resolution = .manifest
    }
}
