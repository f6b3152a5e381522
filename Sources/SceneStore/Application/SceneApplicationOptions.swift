import SceneStoreEngine
import SceneStoreValues

/// The choices of an app, for a ``SceneApplication``. The defaults are UIKit's.
///
/// ```swift
/// var options = SceneApplicationOptions(manifest: manifest)
/// options.reconnection = .first(3)
/// options.launchBehavior = .safe
/// options.delivery = .whenActive
/// ```
public struct SceneApplicationOptions: Sendable {
    /// Whether the app has scenes.
    ///
    /// ```swift
    /// var options = SceneApplicationOptions()
    /// options.lifecycle = .application  // no scenes: the app's delegate gets every call
    /// ```
    public enum Lifecycle: String, Sendable {
        /// Windows are scenes with sessions.
        case scene
        /// The app is one thing, as before scenes; payloads go to the application delegate.
        case application
    }

    /// The manifest of the app's Info.plist; nil for an app without a manifest.
    public var manifest: SceneManifest?
    /// Whether the app has scenes.
    public var lifecycle: Lifecycle = .scene
    /// The policy that decides which remembered sessions connect at launch.
    public var reconnection: Reconnection = .foreground
    /// The way in which this launch treats the remembered windows.
    public var launchBehavior: LaunchBehavior = .restore
    /// What happens when the user closes the last window of the app.
    public var closingLastWindow: ClosingLastWindow = .keepsRunning
    /// Whether a window that is opened for a value is the one that was closed for an equal value, as
    /// long as it can be reopened (S-50).
    ///
    /// It has its state and its place again. By default a new window is made.
    public var restoresClosedValue = false
    /// Whether the app offers its remembered windows in a list after a ``LaunchBehavior/safe``
    /// launch.
    ///
    /// If so, such a launch makes no window.
    public var showsListWhenSafe = false
    /// The callbacks that deliver the payloads of a connection.
    public var delivery: Delivery = .uikit
    /// Whether a scene that returns `nil` keeps its earlier state. By default the state is
    /// forgotten.
    public var keepsPreviousState = false
    /// The durability of a state that is saved in the background, on request, and at the end.
    ///
    /// An autosave is always ``Durability/normal``.
    public var durability: Durability = .full
    /// Milliseconds from the last change to the autosave; 500. Less than 0 is 0.
    public var autosaveDelay: Int64 = 500
    /// Milliseconds from the first change to the autosave, however many follow; 2 000. The earlier
    /// of the two counts; less than 0 is 0.
    public var autosaveCeiling: Int64 = 2_000
    /// Whether an activity whose type the manifest does not declare is refused.
    ///
    /// The error is ``SceneStoreError/Code/undeclaredActivityType``. Otherwise the activity is
    /// stored, with a diagnostic.
    public var requiresDeclaredActivityTypes = false
    /// Whether states keep only the activity's required keys, as what is offered for search does.
    public var prunesToRequiredKeys = false
    /// The migrations of states that the app writes as activities itself, by the activities' types.
    ///
    /// ```swift
    /// options.stateMigrations["com.example.note"] = [.from(1, .rename("body", to: "text"))]
    /// ```
    ///
    /// Activities of the type are stored with the version that the last step leads to, which is 1
    /// without a step. An activity of an older version is migrated, on a copy, before
    /// `scene(_:restoreInteractionStateWith:)` gets it. If that fails, the activity is withheld and
    /// kept (L-54). A ``SavedState`` brings its own version and needs none of this.
    public var stateMigrations: [String: [StateMigration]] = [:]
    /// The number of deaths in a row while restoring a session that hold it; 3, at least 1.
    public var holdsAfterCrashes = 3
    /// Milliseconds without a death after which a launch counts as stable; 10 000.
    public var stablePeriod: Int64 = 10_000
    /// The map from old configuration names to new ones, for sessions from before an update.
    /// Renames are followed from name to name.
    public var configurationRenames: [String: String] = [:]
    /// Whether the app may have more than one scene of a role. False overrides the manifest; set it
    /// in an app of one window, or where the desktop shows only one.
    public var environmentSupportsMultipleScenes = true
    /// Names of configurations whose sessions are not remembered, and ephemeral (S-70).
    ///
    /// Their content is never stored, and their windows can't be reopened.
    public var unrememberedConfigurations: Set<String> = []
    /// Names of configurations whose sessions are made ``PrivacyClass/redacted``, unless a request asks
    /// for an ephemeral one (S-70).
    public var redactedConfigurations: Set<String> = []
    /// Whether an ephemeral window comes back, without its content (S-70). Otherwise the next launch
    /// doesn't know it.
    public var remembersPrivateWindows = false
    /// The name of the configuration to open when a launch brings no window back (L-16).
    ///
    /// For example, a configuration that lists documents. The provider isn't asked for that window.
    /// A window for a payload is not affected. If the name is nil, or the manifest's default role
    /// doesn't have it, which the launch reports, the provider chooses. Without a provider, the role's first entry is used.
    public var openingConfiguration: String?
    /// Whether payloads are kept, on the disk, until ``SceneApplication/acknowledge(_:)``.
    public var persistsInbox = false
    /// Whether the container is released after the last save in the background (S-33).
    ///
    /// The next event takes it back. Use this for a container that other processes share, such as
    /// an app group's: iOS ends a suspended process that holds a lock there.
    public var releasesLockInBackground = false
    /// Roles that have one window at most, such as preferences: asking for another brings that one
    /// forward.
    public var singleRoles: Set<SceneSessionRole> = []
    /// The app's version, stored with each state.
    public var appVersion: String?
    /// The system's version, stored with each state.
    public var systemVersion: String?
    /// The kind of device, stored with each state.
    public var idiom: String?

    /// A policy that decides which remembered sessions connect at launch.
    public enum Reconnection: Sendable, Hashable {
        /// Those that were in front when the process ended, else the most recently active one.
        case foreground
        /// Every one that wasn't left behind (L-48).
        case all
        /// So many of the most recently active ones; the app opens others when they are asked for, or
        /// when it is idle (``SceneApplication/connectNextSession()``).
        case first(Int)
    }

    /// The ways in which a launch treats the remembered windows (L-16).
    ///
    /// In every case the windows stay open, and can be activated and reopened.
    public indirect enum LaunchBehavior: Sendable, Hashable {
        /// They come back as ``Reconnection`` says.
        case restore
        /// None comes back; a new window is made. In an app of one window it takes the place of the
        /// remembered one, which is parked.
        case fresh
        /// No window comes back and none is made, unless a payload arrives.
        ///
        /// The payload chooses among all open sessions.
        case none
        /// As ``fresh``, after something went wrong.
        ///
        /// An app that lists its windows instead sets
        /// ``SceneApplicationOptions/showsListWhenSafe``.
        case safe
        /// One behavior if the previous process died, and another one if it ended cleanly, the user
        /// ended it, or there was none.
        ///
        /// An app that asks its user instead asks ``SceneSessionStore/nextLaunchReason(in:)``.
        case automatic(afterCrash: LaunchBehavior, otherwise: LaunchBehavior)
    }

    /// What happens when the user closes the last window of the app (L-39).
    ///
    /// ```swift
    /// var options = SceneApplicationOptions.desktop(.window("Page"))
    /// options.closingLastWindow = .quits  // the next start brings the page back
    /// ```
    public enum ClosingLastWindow: Sendable, Hashable {
        /// The window's session is discarded, and the app runs on without a window.
        case keepsRunning
        /// The app quits, and the next launch brings the window back.
        ///
        /// Windows that are closed together count as the last one if no other window of the app is
        /// connected; a window of another role, such as preferences, doesn't keep the app running.
        case quits
    }

    /// The ways in which the payloads of a connection are delivered.
    public enum Delivery: String, Sendable {
        /// In the connection's options, as UIKit does.
        case uikit
        /// By the callbacks of a connected scene, right after it became active first.
        ///
        /// The options of `scene(_:willConnectTo:options:)` hold no payload. All `desktop` options,
        /// such as ``SceneApplicationOptions/desktop(_:)``, set this.
        case whenActive = "when-active"
    }

    /// Whether these are of an app whose manifest a tool does not have; a launch with them declares
    /// nothing (S-43).
    package var isOfUnknownApp = false

    /// Makes the defaults.
    public init(manifest: SceneManifest? = nil) {
        self.manifest = manifest
    }
}
