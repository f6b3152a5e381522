import SceneStoreEngine
import SceneStoreValues

extension LaunchPlan.Start {
    /// Takes over what the last process declared, if it was stable and did not end cleanly.
    package mutating func learnRules(
        of previous: PreviousProcess, from skeleton: some Skeleton
    ) throws(SceneStoreError) {
        if previousWasStable, previous.end != .clean {
            rulesBefore = try skeleton.lastDeclaration().flatMap {
                SceneApplicationOptions(declaration: $0)
            }.map { LaunchRules($0) }
        }
    }
}

extension LaunchRules {
    /// The rules of an app with these options.
    package init(_ options: SceneApplicationOptions) {
        self.init(manifest: options.manifest)
        (behavior, makesWindow) = Self.beginning(options.launchBehavior, options, hasDied: false)
        afterCrash = Self.beginning(options.launchBehavior, options, hasDied: true)
        take(options)
    }

    /// Takes over what may change while the app runs.
    mutating func take(_ options: SceneApplicationOptions) {
        environmentSupportsMultipleScenes = options.environmentSupportsMultipleScenes
        isOfUnknownApp = options.isOfUnknownApp
        reconnection =
            switch options.reconnection {
            case .foreground: .foreground
            case .all: .all
            case .first(let count): .first(count)
            }
        stablePeriod = options.stablePeriod
        deliversWhenActive = options.delivery == .whenActive
        holdsAfterCrashes = options.holdsAfterCrashes
        configurationRenames = options.configurationRenames
        unrememberedConfigurations = options.unrememberedConfigurations
        openingConfiguration = options.openingConfiguration
        appVersion = options.appVersion
        persistsInbox = options.persistsInbox
        singleRoles = options.singleRoles
    }

    /// What a launch does with what is remembered, and whether it may make a window (L-14, L-16).
    private static func beginning(
        _ behavior: SceneApplicationOptions.LaunchBehavior, _ options: SceneApplicationOptions,
        hasDied: Bool
    ) -> (Behavior, Bool) {
        switch behavior {
        case .restore: (.restore, true)
        case .fresh: (.fresh, true)
        case .safe: (.fresh, !options.showsListWhenSafe)
        case .none: (.none, true)
        case .automatic(let afterCrash, let otherwise):
            beginning(hasDied ? afterCrash : otherwise, options, hasDied: hasDied)
        }
    }
}
