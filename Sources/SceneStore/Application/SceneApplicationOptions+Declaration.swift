import SceneStoreEngine
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a launch writes down of the options, so that tools can judge the next one (S-43).
///
/// ``launchBehavior`` stays out, because an app may choose it anew for each launch. So does all
/// that the plan of a launch doesn't need.
extension SceneApplicationOptions {
    private enum Key: String, CodingKey {
        case manifest = "UIApplicationSceneManifest"
        case isMadeByTheApp, reconnection
        case environment = "environmentSupportsMultipleScenes"
        case renames = "configurationRenames"
        case unremembered = "unrememberedConfigurations"
        case opening = "openingConfiguration"
        case singleRoles, holdsAfterCrashes, stablePeriod, delivery
        case inbox = "persistsInbox"

        /// The word for the delivery that isn't the usual one.
        static let whenActive = "whenActive"
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
        var members: [CanonicalJSON.Object.Member] = []
        func add(_ key: Key, _ value: CanonicalJSON) { members.append((key.rawValue, value)) }
        func add(_ key: Key, _ texts: some Collection<String>) {
            if !texts.isEmpty {
                add(key, .array(texts.sorted().map { .string($0) }))
            }
        }
        add(.manifest, manifest.declaration)
        if !manifest.isPresent {
            add(.isMadeByTheApp, .boolean(true))
        }
        switch reconnection {
        case .foreground: break
        case .all: add(.reconnection, "all")
        case .first(let count): add(.reconnection, .integer(Int64(clamping: count)))
        }
        if !environmentSupportsMultipleScenes {
            add(.environment, .boolean(false))
        }
        if !configurationRenames.isEmpty {
            let renames = configurationRenames.map { ($0.key, CanonicalJSON.string($0.value)) }
            add(.renames, .object(CanonicalJSON.Object(renames)))
        }
        add(.unremembered, unrememberedConfigurations)
        add(.singleRoles, singleRoles.map(\.rawValue))
        if let openingConfiguration {
            add(.opening, .string(openingConfiguration))
        }
        if holdsAfterCrashes != usual.holdsAfterCrashes {
            add(.holdsAfterCrashes, .integer(Int64(clamping: holdsAfterCrashes)))
        }
        if stablePeriod != usual.stablePeriod {
            add(.stablePeriod, .integer(stablePeriod))
        }
        if delivery == .whenActive {
            add(.delivery, .string(Key.whenActive))
        }
        if persistsInbox {
            add(.inbox, .boolean(true))
        }
        let text = CanonicalJSON.object(CanonicalJSON.Object(members)).text
        return text.utf8.count <= Self.longestDeclaration ? text : nil
    }

    /// Reads a declaration; nil when it is none.
    package init?(declaration text: String) {
        guard text.utf8.count <= Self.longestDeclaration,
            let declared = try? JSONDecoder().decode(Declared.self, from: Data(text.utf8))
        else {
            return nil
        }
        self = declared.options
    }

    /// A declaration, as the system's reader finds it. What is of another kind than it should be counts
    /// as not declared.
    private struct Declared: Decodable {
        var options: SceneApplicationOptions

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            func read<Field: Decodable>(_ key: Key) -> Field? {
                try? fields.decodeIfPresent(Field.self, forKey: key)
            }
            var manifest = SceneManifest(
                try fields.decode(SceneManifest.Declared.self, forKey: .manifest))
            manifest.isPresent = read(.isMadeByTheApp) != true
            options = SceneApplicationOptions(manifest: manifest)
            if let count: Int = read(.reconnection) {
                options.reconnection = .first(count)
            } else if read(.reconnection) == "all" {
                options.reconnection = .all
            }
            options.environmentSupportsMultipleScenes = read(.environment) ?? true
            options.configurationRenames = read(.renames) ?? [:]
            options.unrememberedConfigurations = read(.unremembered) ?? []
            let roles: [String] = read(.singleRoles) ?? []
            options.singleRoles = Set(roles.map { SceneSessionRole(rawValue: $0) })
            options.openingConfiguration = read(.opening)
            options.holdsAfterCrashes = read(.holdsAfterCrashes) ?? options.holdsAfterCrashes
            options.stablePeriod = read(.stablePeriod) ?? options.stablePeriod
            if read(.delivery) == Key.whenActive {
                options.delivery = .whenActive
            }
            options.persistsInbox = read(.inbox) ?? false
        }
    }
}
