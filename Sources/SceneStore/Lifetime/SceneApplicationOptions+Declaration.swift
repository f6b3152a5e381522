import SceneStoreValues

/// What a launch writes down of the options, so that tools can judge the next one (S-43).
///
/// ``launchBehavior`` stays out, because an app may choose it anew for each launch. So does all
/// that the plan of a launch doesn't need.
extension SceneApplicationOptions {
    private enum Key {
        static let reconnection = "reconnection"
        static let environment = "environmentSupportsMultipleScenes"
        static let renames = "configurationRenames"
        static let unremembered = "unrememberedConfigurations"
        static let opening = "openingConfiguration"
        static let singleRoles = "singleRoles"
        static let holdsAfterCrashes = "holdsAfterCrashes"
        static let stablePeriod = "stablePeriod"
        static let delivery = "delivery"
        static let whenActive = "whenActive"
        static let inbox = "persistsInbox"
    }

    /// A longer declaration is not remembered.
    package static let longestDeclaration = 16_384

    /// The declaration as canonical JSON; what is as in all apps is left out. nil for an app
    /// without scenes or without a manifest, and for one that declares too much to be remembered.
    package var declaration: String? {
        guard lifecycle == .scene, let manifest, !isOfUnknownApp else {
            return nil
        }
        let usual = SceneApplicationOptions()
        var members = manifest.declaration
        switch reconnection {
        case .foreground: break
        case .all: members.append((Key.reconnection, "all"))
        case .first(let count): members.append((Key.reconnection, .integer(Int64(clamping: count))))
        }
        if !environmentSupportsMultipleScenes {
            members.append((Key.environment, false))
        }
        if !configurationRenames.isEmpty {
            let renames = configurationRenames.map { ($0.key, CanonicalJSON.string($0.value)) }
            members.append((Key.renames, .object(CanonicalJSON.Object(renames))))
        }
        func add(_ key: String, _ texts: some Collection<String>) {
            if !texts.isEmpty {
                members.append((key, .array(texts.sorted().map { .string($0) })))
            }
        }
        add(Key.unremembered, unrememberedConfigurations)
        add(Key.singleRoles, singleRoles.map(\.rawValue))
        if let openingConfiguration {
            members.append((Key.opening, .string(openingConfiguration)))
        }
        if holdsAfterCrashes != usual.holdsAfterCrashes {
            members.append((Key.holdsAfterCrashes, .integer(Int64(clamping: holdsAfterCrashes))))
        }
        if stablePeriod != usual.stablePeriod {
            members.append((Key.stablePeriod, .integer(stablePeriod)))
        }
        if delivery == .whenActive {
            members.append((Key.delivery, .string(Key.whenActive)))
        }
        if persistsInbox {
            members.append((Key.inbox, true))
        }
        let text = CanonicalJSON.object(CanonicalJSON.Object(members)).text
        return text.utf8.count <= Self.longestDeclaration ? text : nil
    }

    /// The options as the last launch of a store declared them; nil when the store remembers none.
    /// What can't be read counts as not declared: it is a hint, and no reading fails for it.
    package init?(declaredIn store: SceneSessionStore) throws(SceneStoreError) {
        guard let text = try store.launches.lastDeclaration() else {
            return nil
        }
        self.init(declaration: text)
    }

    /// As the last launch of a store declared them; of an unknown app when the store remembers none.
    package static func remembered(
        by store: SceneSessionStore
    ) throws(SceneStoreError) -> SceneApplicationOptions {
        try SceneApplicationOptions(declaredIn: store) ?? .ofUnknownApp
    }

    /// Reads a declaration; nil when it is none.
    package init?(declaration text: String) {
        let limits = CanonicalJSON.ReadingLimits(
            bytes: Self.longestDeclaration, depth: 8, nodes: Self.longestDeclaration)
        let json: CanonicalJSON
        do throws(SceneStoreError) {
            json = try CanonicalJSON(parsing: text, limits: limits)
        } catch {
            return nil
        }
        guard case .object(let declared) = json else {
            return nil
        }
        guard let manifest = SceneManifest(declaration: declared) else {
            return nil
        }
        self.init(manifest: manifest)
        func string(_ json: CanonicalJSON?) -> String? {
            guard case .string(let text)? = json else {
                return nil
            }
            return text
        }
        func texts(_ key: String) -> Set<String> {
            guard case .array(let values)? = declared[key] else {
                return []
            }
            return Set(values.compactMap { string($0) })
        }
        switch declared[Key.reconnection] {
        case .string("all")?: reconnection = .all
        case .integer(let count)?: reconnection = .first(Int(clamping: count))
        default: break
        }
        if case .boolean(false)? = declared[Key.environment] {
            environmentSupportsMultipleScenes = false
        }
        if case .object(let renames)? = declared[Key.renames] {
            for (old, new) in renames.members {
                configurationRenames[old] = string(new)
            }
        }
        unrememberedConfigurations = texts(Key.unremembered)
        singleRoles = Set(texts(Key.singleRoles).map { SceneSessionRole(rawValue: $0) })
        openingConfiguration = string(declared[Key.opening])
        if case .integer(let count)? = declared[Key.holdsAfterCrashes] {
            holdsAfterCrashes = Int(clamping: count)
        }
        if case .integer(let period)? = declared[Key.stablePeriod] {
            stablePeriod = period
        }
        if string(declared[Key.delivery]) == Key.whenActive {
            delivery = .whenActive
        }
        if case .boolean(true)? = declared[Key.inbox] {
            persistsInbox = true
        }
    }
}
