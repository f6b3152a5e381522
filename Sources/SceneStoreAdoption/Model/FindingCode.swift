/// The kinds of findings. A code never changes its meaning, and none is used twice.
package enum FindingCode: String, CaseIterable, Sendable {
    case noManifest = "AD001"
    case deadMethod = "AD002"
    case coldLink = "AD003"
    case coldActivity = "AD004"
    case coldShortcut = "AD005"
    case coldNotification = "AD006"
    case warmLink = "AD007"
    case warmActivity = "AD008"
    case warmShortcut = "AD009"
    case warmNotification = "AD010"
    case emptyLaunchOptions = "AD011"
    case windowWithoutScene = "AD012"
    case delegateWindow = "AD013"
    case keyWindow = "AD014"
    case deadRestoration = "AD015"
    case undeclaredActivity = "AD016"
    case unhandledDiscards = "AD017"
    case neverRestored = "AD018"
    case neverSaved = "AD019"
    case globalState = "AD020"
    case missingDelegate = "AD021"
    case unchosenConfiguration = "AD022"
    case missingOption = "AD023"
    case launchWindow = "AD024"
    case emptyConfiguration = "AD025"

    /// What is wrong, in a few words.
    package var title: String {
        switch self {
        case .noManifest: "no scene manifest"
        case .deadMethod: "a method that is never called again"
        case .coldLink: "a link that starts the app is lost"
        case .coldActivity: "an activity that starts the app is lost"
        case .coldShortcut: "a quick action that starts the app is lost"
        case .coldNotification: "a notification that starts the app is lost"
        case .warmLink: "a link to the running app is lost"
        case .warmActivity: "an activity for the running app is lost"
        case .warmShortcut: "a quick action in the running app is lost"
        case .warmNotification: "a notification in the running app is lost"
        case .emptyLaunchOptions: "launch options that will be empty"
        case .windowWithoutScene: "a window without a scene"
        case .delegateWindow: "the application delegate's window"
        case .keyWindow: "the app's windows in an app of several scenes"
        case .deadRestoration: "restoration that scenes don't call"
        case .undeclaredActivity: "an activity type that is not declared"
        case .unhandledDiscards: "discards that are never handled"
        case .neverRestored: "state that is saved and never restored"
        case .neverSaved: "state that is restored and never saved"
        case .globalState: "global state in an app of several windows"
        case .missingDelegate: "a scene delegate that does not exist"
        case .unchosenConfiguration: "a configuration that nothing chooses"
        case .missingOption: "work that a missing launch option starts"
        case .launchWindow: "the window during the launch"
        case .emptyConfiguration: "a configuration that shows nothing"
        }
    }

    /// Whether something is lost or does not start; the others are probably not meant.
    package var isError: Bool {
        switch self {
        case .deadMethod, .delegateWindow, .keyWindow, .undeclaredActivity, .unhandledDiscards,
            .neverRestored, .neverSaved, .globalState, .deadRestoration, .unchosenConfiguration:
            false
        default: true
        }
    }

    /// The code for a lost payload.
    init(_ kind: PayloadKind, _ launch: PayloadAnswer.Launch) {
        switch (kind, launch) {
        case (.url, .cold): self = .coldLink
        case (.activity, .cold): self = .coldActivity
        case (.shortcut, .cold): self = .coldShortcut
        case (.notification, .cold): self = .coldNotification
        case (.url, .warm): self = .warmLink
        case (.activity, .warm): self = .warmActivity
        case (.shortcut, .warm): self = .warmShortcut
        case (.notification, .warm): self = .warmNotification
        }
    }
}

/// Something that breaks with scenes.
package struct Finding: Sendable {
    package let code: FindingCode
    /// The target of the app, else its name.
    package let app: String
    /// Where it is: a path as it was given, a line and a column from 1.
    package let path: String
    package let line: Int
    package let column: Int
    /// The method, class or value that it is about.
    package let subject: String
    /// What is wrong.
    package let message: String
    /// Which callback comes instead, and from which launch.
    package let why: String
    package let fix: String

    /// What stays the same when lines and files move: for baselines (L-94).
    package var fingerprint: String {
        "\(code.rawValue) \(app) \(subject): \(message)"
    }
}

/// Something that can't be told from the sources.
package struct OpenQuestion: Sendable {
    /// The target of the app, else its name.
    package let app: String
    package let path: String
    package let line: Int
    package let message: String

    /// What stays the same when lines and files move.
    package var fingerprint: String { "question \(app): \(message)" }
}
