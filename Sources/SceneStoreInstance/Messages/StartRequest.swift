import SceneStore

/// The wishes of a process that starts, beside its payloads (L-77).
///
/// A process that another one answers passes them on; the owner's `start` hands them to its
/// `onRequest`, and makes the window.
///
/// ```swift
/// var request = StartRequest(
///     arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment)
/// if CommandLine.arguments.contains("--private") {
///     request.window = StartRequest.Window(privacy: .ephemeral)
/// }
/// ```
public struct StartRequest: Hashable, Sendable {
    /// The command line, for the owner to read. SceneStore doesn't interpret it.
    public var arguments: [String] = []
    /// The token with which the desktop lets a window come to the front, for the host to hand to
    /// the compositor; nil if the desktop gave none.
    public var activationToken: String?
    /// A new window; nil asks for none.
    public var window: Window?

    /// A window that a process asks for.
    public struct Window: Hashable, Sendable {
        /// The role; nil for the role of the configuration, or else of a window.
        public var role: SceneSessionRole?
        /// The name of the configuration; nil lets the owner's provider choose.
        public var configurationName: String?
        /// The privacy class.
        public var privacy: PrivacyClass

        /// Asks for a window.
        public init(
            role: SceneSessionRole? = nil, configurationName: String? = nil,
            privacy: PrivacyClass = .standard
        ) {
            self.role = role
            self.configurationName = configurationName
            self.privacy = privacy
        }
    }

    /// Asks for nothing.
    public init() {}

    /// The command line and the desktop's token: `XDG_ACTIVATION_TOKEN`, or else
    /// `DESKTOP_STARTUP_ID`.
    public init(arguments: [String], environment: [String: String] = [:]) {
        self.arguments = arguments
        activationToken = environment["XDG_ACTIVATION_TOKEN"] ?? environment["DESKTOP_STARTUP_ID"]
    }
}

extension StartRequest {
    var fields: ValueDictionary {
        var fields: ValueDictionary = ["arguments": .array(arguments.map { .string($0) })]
        fields["token"] = activationToken.map { .string($0) }
        if let window {
            var window: ValueDictionary = ["privacy": .string(window.privacy.rawValue)]
            window["role"] = self.window?.role.map { .string($0.rawValue) }
            window["configuration"] = self.window?.configurationName.map { .string($0) }
            fields["window"] = .dictionary(window)
        }
        return fields
    }

    /// Nil for fields that are none of a request.
    init?(_ fields: ValueDictionary) {
        guard let arguments = try? InstanceMessage.texts(fields["arguments"]) else {
            return nil
        }
        self.arguments = arguments
        for field in fields where field.key != "arguments" {
            switch (field.key, field.value) {
            case ("token", .string(let token)): activationToken = token
            case ("window", .dictionary(let asked)):
                guard let privacy = asked["privacy"]?.stringValue.flatMap(PrivacyClass.init) else {
                    return nil
                }
                window = Window(
                    role: asked["role"]?.stringValue.map { SceneSessionRole(rawValue: $0) },
                    configurationName: asked["configuration"]?.stringValue, privacy: privacy)
            default: return nil
            }
        }
    }
}
