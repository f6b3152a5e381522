import SceneStoreEngine
import SceneStoreSQLite

/// Plans on a store that is only read, for tools.
extension LaunchPlan {
    /// Plans the next launch.
    ///
    /// - Parameters:
    ///   - store: The store; a reader will do.
    ///   - options: The app's.
    ///   - reason: Why the process is started; nil judges from the store.
    ///   - bootIdentifier: The machine's; nil when it cannot be told from the last launch's.
    ///   - isRunning: Whether a process owns the container now. It is assumed to end cleanly.
    ///   - payloads: What launches the process.
    ///   - isSparse: Whether ``records`` stays empty, which saves reading every session;
    ///     ``verdict(for:)`` answers for all of them anyway.
    package init(
        reading store: SceneSessionStore, options: SceneApplicationOptions,
        reason: LaunchReason? = nil, bootIdentifier: String? = System.bootIdentifier,
        isRunning: Bool = false, payloads: [Payload] = [], isSparse: Bool = false
    ) throws(SceneStoreError) {
        self = try store.reading { core throws(SceneStoreError) in
            let skeleton = StoreSkeleton(core: core)
            var rules = try LaunchRules(options, of: skeleton)
            rules.readsInbox = true
            var plan = try LaunchPlan(
                skeleton, rules,
                Start(
                    from: skeleton, asked: reason, bootIdentifier: bootIdentifier,
                    isRunning: isRunning, now: core.now, stablePeriod: options.stablePeriod),
                payloads: payloads)
            if !isSparse, reason != .first {
                plan.records = Array(try core.openRecords())
            }
            return plan
        }
    }
}

extension LaunchPlan.Start {
    /// Judges how the last process ended, by what is remembered of it; see
    /// ``init(after:asked:bootIdentifier:isRunning:now:stablePeriod:)``.
    init(
        from skeleton: some Skeleton, asked: LaunchReason? = nil, bootIdentifier: String?,
        isRunning: Bool = false, now: Int64, stablePeriod: Int64
    ) throws(SceneStoreError) {
        let previous = try skeleton.previousProcess()
        self.init(
            after: previous, asked: asked, bootIdentifier: bootIdentifier, isRunning: isRunning,
            now: now, stablePeriod: stablePeriod)
        if previousWasStable, previous.end != .clean {
            rulesBefore = try skeleton.lastDeclaration().flatMap {
                SceneApplicationOptions(declaration: $0)
            }.map { LaunchRules($0) }
        }
    }
}

extension DeliveryPlan {
    /// Plans a delivery.
    ///
    /// - Parameters:
    ///   - store: The store; a reader will do.
    ///   - options: The app's.
    ///   - payload: What arrives.
    ///   - appState: Where the app is then.
    ///   - isRunning: Whether a process owns the container now.
    package init(
        reading store: SceneSessionStore, options: SceneApplicationOptions, payload: Payload,
        appState: AppState, isRunning: Bool = false
    ) throws(SceneStoreError) {
        guard appState == .cold else {
            self = try store.reading { core throws(SceneStoreError) in
                let skeleton = StoreSkeleton(core: core)
                return try DeliveryPlan(
                    payload, appState, skeleton, LaunchRules(options, of: skeleton))
            }
            return
        }
        self.init(
            launching: try LaunchPlan(
                reading: store, options: options, bootIdentifier: nil, isRunning: isRunning,
                payloads: [payload], isSparse: true), payload)
    }
}

extension StoredDiscards {
    /// While no process runs: the next launch finds the sessions in front, and reopened, that were
    /// connected when the last process that had any ended (L-48). Durable.
    package func reopenLastSession(
        _ options: SceneApplicationOptions
    ) throws(SceneStoreError) {
        let last = try store.asking { skeleton throws(SceneStoreError) in
            try Engine(rules: LaunchRules(options, of: skeleton)).lastSession(in: skeleton)
        }
        try bringBack(last)
    }
}

extension SceneApplicationOptions {
    /// Of an app whose manifest is not at hand: it fits every session that the last launch could
    /// show, and allows several windows unless that launch parked some for being too many.
    package static var ofUnknownApp: SceneApplicationOptions {
        var manifest = SceneManifest()
        manifest.supportsMultipleScenes = true
        var options = SceneApplicationOptions(manifest: manifest)
        options.isOfUnknownApp = true
        return options
    }
}

extension LaunchRules {
    /// The same for a tool: who was asked is named, and an unknown app is what its store shows of it.
    fileprivate init(
        _ options: SceneApplicationOptions, of skeleton: some Skeleton
    ) throws(SceneStoreError) {
        self.init(options)
        listsCandidates = true
        try learn(from: skeleton)
    }

    /// The rules of an app with these options.
    package init(_ options: SceneApplicationOptions) {
        self.init(manifest: options.manifest)
        environmentSupportsMultipleScenes = options.environmentSupportsMultipleScenes
        isOfUnknownApp = options.isOfUnknownApp
        reconnection =
            switch options.reconnection {
            case .foreground: .foreground
            case .all: .all
            case .first(let count): .first(count)
            }
        behavior =
            switch options.launchBehavior {
            case .restore: .restore
            case .fresh, .safe: .fresh
            case .none: .none
            }
        makesWindow = options.launchBehavior != .safe || !options.showsListWhenSafe
        stablePeriod = options.stablePeriod
        deliversWhenActive = options.delivery == .whenActive
        holdsAfterCrashes = options.holdsAfterCrashes
        configurationRenames = options.configurationRenames
        unrememberedConfigurations = options.unrememberedConfigurations
        openingConfiguration = options.openingConfiguration
        appVersion = options.appVersion
        persistsInbox = options.persistsInbox
        readsInbox = options.persistsInbox
        singleRoles = options.singleRoles
    }
}
