import SceneStoreValues

/// The window that a launch makes.
extension LaunchPlan {
    /// Makes a window of the default role (L-01).
    mutating func makeFirstWindow(
        _ reason: String, _ handed: [Payload] = [], _ payloads: [Int] = [],
        _ isRedelivered: Bool = false
    ) {
        var connection = firstWindow(handed, isRedelivered)
        newSession = NewSession(
            role: rules.defaultRole,
            configuration: connection.configurationName == nil
                ? rules.resolver.manifest?.defaultConfiguration(for: rules.defaultRole)
                : rules.opening,
            order: connecting.count + 1, reason: reason)
        connection.payloads = payloads
        steps.append(.connect(connection))
    }

    /// A window of the default role: of the configuration that the app names for one that a launch
    /// makes by itself (L-16), else of the one that the provider answers.
    func firstWindow(
        _ handed: [Payload] = [], _ isRedelivered: Bool = false
    ) -> SceneConnection {
        var connection = engine.connection(
            .new(rules.defaultRole), .active, handed, isRedelivered: isRedelivered)
        connection.configurationName = handed.isEmpty ? rules.opening?.name : nil
        return connection
    }
}

extension LaunchPlan {
    /// The remembered sessions that connect without coming in front.
    package var behind: [Int64] {
        steps.compactMap { step in
            guard case .connect(let connection) = step, connection.arrival == .background else {
                return nil
            }
            return connection.record?.key
        }
    }
}
