import SceneStoreValues

/// What configuration a session gets, from the manifest and from what the provider answers.
package struct ConfigurationResolver: Sendable {
    package var manifest: SceneManifest?

    /// What the provider finds in the session when it is asked (L-06).
    package func initial(for role: SceneSessionRole) -> SceneConfiguration {
        manifest?.defaultConfiguration(for: role) ?? SceneConfiguration(name: nil, role: role)
    }

    /// Fills a configuration in from the manifest, as UIKit does for one made by name (L-07).
    package func resolve(_ answer: SceneConfiguration) -> SceneConfiguration {
        guard let manifest, manifest.isPresent else {
            return answer
        }
        let entry =
            if let name = answer.name {
                manifest.configuration(named: name, role: answer.role)
            } else {
                manifest.defaultConfiguration(for: answer.role)
            }
        var result = answer
        guard let entry else {
            let isEmpty =
                answer.sceneClassName == nil && answer.delegateClassName == nil
                && answer.storyboardName == nil
            result.resolution = isEmpty ? .unresolved : .application
            return result
        }
        result.name = entry.name
        result.sceneClassName = answer.sceneClassName ?? entry.sceneClassName
        result.delegateClassName = answer.delegateClassName ?? entry.delegateClassName
        result.storyboardName = answer.storyboardName ?? entry.storyboardName
        result.initialImmersionStyle = answer.initialImmersionStyle ?? entry.initialImmersionStyle
        result.resolution = .manifest
        return result
    }

    /// What becomes of a remembered configuration after an update (L-50).
    package enum Update: Sendable, Equatable {
        /// Nothing changed.
        case current
        /// The session goes on under another configuration.
        case replaced(SceneConfiguration)
        /// The session goes on under the role's default; its state no longer fits.
        case stale(SceneConfiguration)
        /// Nothing is left that could show it.
        case cannotDisplay
    }

    /// Judges a remembered configuration against today's manifest. Asked for every session of a
    /// launch, so the manifest is asked where it is: it has more fields than there are questions.
    package func update(
        _ remembered: SceneConfiguration, renames: [String: String], registered: DelegateClasses
    ) -> Update {
        if remembered.role.rawValue.isEmpty, remembered.isLost {
            // Never under a role that is only guessed (L-04).
            let entries = manifest?.configurations.values.filter { !$0.isEmpty } ?? []
            return entries.count == 1 ? .replaced(entries[0][0]) : .cannotDisplay
        }
        guard manifest?.isPresent == true else {
            return .current
        }
        guard remembered.resolution == .manifest else {
            // A name that nobody knew may be known today: no window is dead for ever.
            let today = remembered.resolution == .unresolved ? resolve(remembered) : remembered
            return today.resolution == .manifest && remembered.resolution == .unresolved
                ? .replaced(today) : .current
        }
        let role = remembered.role
        if remembered.isLost, let entry = manifest?.defaultConfiguration(for: role) {
            // No update took it away: its row is damaged, and the state is as good as before (S-60).
            return .replaced(entry)
        }
        let isKnown =
            remembered.name.map { manifest?.configuration(named: $0, role: role) != nil }
            ?? (manifest?.defaultConfiguration(for: role) != nil)
        let canMake = remembered.delegateClassName.map(registered.contains) ?? true
        if isKnown, canMake {
            return .current
        }
        if let name = remembered.name,
            let entry = successor(of: name, role, renames, registered)
                ?? usable(name, role, registered)
        {
            return .replaced(entry)
        }
        guard let entry = manifest?.defaultConfiguration(for: role) else {
            return .cannotDisplay
        }
        // The app shows its own roles as it likes.
        return role.isCustom ? .current : .stale(entry)
    }

    /// The entry that a name's renames lead to: who skips a version goes through several.
    private func successor(
        of name: String, _ role: SceneSessionRole, _ renames: [String: String],
        _ registered: DelegateClasses
    ) -> SceneConfiguration? {
        var name = name
        // As many steps as there are renames; more would go round in a circle.
        for _ in renames {
            guard let next = renames[name] else {
                return nil
            }
            name = next
            if let entry = usable(name, role, registered) {
                return entry
            }
        }
        return nil
    }

    private func usable(
        _ name: String, _ role: SceneSessionRole, _ registered: DelegateClasses
    ) -> SceneConfiguration? {
        manifest?.configuration(named: name, role: role).flatMap {
            $0.delegateClassName.map(registered.contains) ?? true ? $0 : nil
        }
    }
}
