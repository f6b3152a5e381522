/// How a ``SceneApplication`` behaves where apps differ. The defaults are UIKit's.
///
/// ```swift
/// var options = SceneApplicationOptions(manifest: manifest)
/// options.reconnection = .first(3)
/// options.launchBehavior = .safe
/// options.delivery = .whenActive
/// ```
public struct SceneApplicationOptions: Sendable {
    /// What the app's Info.plist says; nil for an app without a manifest.
    public var manifest: SceneManifest?
    /// Whether the app has scenes.
    public var lifecycle: SceneApplication.Lifecycle = .scene
    /// Which remembered sessions connect at launch.
    public var reconnection: Reconnection = .foreground
    /// What this launch does with the windows that are remembered.
    public var launchBehavior: LaunchBehavior = .restore
    /// Whether the app offers its remembered windows in a list when it is launched
    /// ``LaunchBehavior/safe``: then no window is made by itself.
    public var showsListWhenSafe = false
    /// When payloads that ride on a connection are delivered.
    public var delivery: Delivery = .uikit
    /// Whether a scene that answers `nil` forgets its state or keeps it.
    public var keepsPreviousState = false
    /// How durable a state is when a window has left the front, when it was saved on request, and
    /// at the end. An autosave is always ``Durability/normal``.
    public var durability: Durability = .full
    /// Milliseconds from the last change to the autosave; 500. Less than 0 is 0.
    public var autosaveDelay: Int64 = 500
    /// Milliseconds from the first change to the autosave, however many follow; 2 000. The earlier
    /// of the two counts; less than 0 is 0.
    public var autosaveCeiling: Int64 = 2_000
    /// Whether an activity of a type that the manifest does not declare is refused, with
    /// ``SceneStoreError/Code/undeclaredActivityType``; else it is stored, with a diagnostic.
    public var requiresDeclaredActivityTypes = false
    /// Whether states keep only the activity's required keys, as what is offered for search does.
    public var prunesToRequiredKeys = false
    /// The versions and migrations of states that the app writes as activities itself.
    public var stateFormats: [StateFormat] = []
    /// After how many deaths in a row while restoring a session is held back; 3, at least 1.
    public var holdsAfterCrashes = 3
    /// After how many milliseconds without a death a launch counts as stable; 10 000.
    public var stablePeriod: Int64 = 10_000
    /// Old configuration names to new ones, for sessions from before an update; followed from name
    /// to name.
    public var configurationRenames: [String: String] = [:]
    /// Whether the environment allows more than one scene of a role, whatever the manifest says.
    public var environmentSupportsMultipleScenes = true
    /// Names of configurations whose sessions are not remembered.
    public var unrememberedConfigurations: Set<String> = []
    /// The name of the configuration to open when a launch brings no window back, such as one that
    /// lists documents (L-16). The provider isn't asked for that window; one that is made for a
    /// payload is not affected. nil, and a name that the manifest's default role doesn't have, leave
    /// the choice to the provider, else to the role's first entry.
    public var openingConfiguration: String?
    /// Whether payloads are kept, on the disk, until ``SceneApplication/acknowledge(_:)``.
    public var persistsInbox = false
    /// Whether the container is let go after the last save in the background and taken back by the
    /// next event (S-33): for a container that other processes share, such as an app group's, where
    /// iOS ends a suspended process that holds a lock.
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

    /// Which remembered sessions connect at launch.
    public enum Reconnection: Sendable, Hashable {
        /// Those that were in front when the process ended, else the most recently active one.
        case foreground
        /// Every one.
        case all
        /// So many of the most recently active ones; the app opens others when they are asked for.
        case first(Int)
    }

    /// What a launch does with the windows that are remembered (L-16). They stay open, and can be
    /// activated and reopened, whatever it does.
    public enum LaunchBehavior: String, Sendable, Hashable, CaseIterable {
        /// They come back as ``Reconnection`` says.
        case restore
        /// None comes back; a new window is made. In an app of one window it takes the place of the
        /// remembered one, which is parked.
        case fresh
        /// None comes back and none is made, unless a link or another payload arrives: it chooses
        /// among all open sessions.
        case none
        /// As ``fresh``, after something went wrong; an app that lists its windows instead sets
        /// ``SceneApplicationOptions/showsListWhenSafe``.
        case safe
    }

    /// When payloads that ride on a connection are delivered.
    public enum Delivery: String, Sendable {
        /// In the connection's options, as UIKit does.
        case uikit
        /// By the callbacks of a connected scene, right after it became active first.
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
