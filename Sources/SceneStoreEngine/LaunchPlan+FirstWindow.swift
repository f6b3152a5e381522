import SceneStoreValues

/// The window that a launch makes.
extension LaunchPlan {
    /// Makes a window of the default role (L-01), or of the one that the app named for a payload.
    mutating func makeFirstWindow(
        _ reason: String, handing places: [Int] = [], role: SceneSessionRole? = nil
    ) {
        let role = role ?? rules.defaultRole
        let connection = firstWindow(handing: places, role: role)
        let arrival = settled(.active, nil, role)
        newSessions.append(
            NewSession(
                role: role,
                configuration: connection.configurationName == nil
                    ? rules.resolver.manifest?.defaultConfiguration(for: role) : rules.opening,
                order: connecting.count + newSessions.count + 1, arrival: arrival,
                reason: reason))
        steps.append(.connect(connection))
    }

    /// A window, of the default role unless another is named: of the configuration that the app
    /// names for one that a launch makes by itself (L-16), else of the one that the provider answers.
    func firstWindow(
        handing places: [Int] = [], role: SceneSessionRole? = nil
    ) -> SceneConnection {
        var connection = connection(.new(role ?? rules.defaultRole), .active, handing: places)
        connection.configurationName = places.isEmpty ? rules.opening?.name : nil
        return connection
    }
}

extension LaunchPlan {
    /// Whether a window of the app connects or is made: a projector alone is not all that comes back.
    var hasAppWindow: Bool {
        connecting.contains { rules.isOfApplication($0.role) }
            || newSessions.contains { rules.isOfApplication($0.role) }
    }
}
