import SceneStore
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
        self = try store.read { db throws(SceneStoreError) in
            let skeleton = db
            let rules = try LaunchRules(options, of: skeleton)
            var plan = try LaunchPlan(
                skeleton, rules,
                Start(
                    from: skeleton, asked: reason, bootIdentifier: bootIdentifier,
                    isRunning: isRunning, now: db.now, stablePeriod: options.stablePeriod),
                payloads: payloads)
            if !isSparse, reason != .first {
                plan.records = Array(try db.openRecords())
            }
            return plan
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
            self = try store.read { db throws(SceneStoreError) in
                let skeleton = db
                return try DeliveryPlan(
                    payload, appState, skeleton, LaunchRules(options, of: skeleton))
            }
            return
        }
        let plan = try LaunchPlan(
            reading: store, options: options, bootIdentifier: nil, isRunning: isRunning,
            payloads: [payload], isSparse: true)
        self.init(launching: plan, payload)
        candidates = try store.read { db throws(SceneStoreError) in
            try plan.candidates(for: payload, in: db)
        }
    }
}

extension StoredDiscards {
    /// While no process runs: gives sessions back, in front; in an app of one scene the others of their
    /// role give their places up (L-12). Durable.
    package func reopen(
        _ identifiers: [SceneSession.ID], _ options: SceneApplicationOptions
    ) throws(SceneStoreError) {
        _ = try reopen(identifiers: identifiers, inFront: true, takesOpen: true) {
            records, skeleton throws(SceneStoreError) in
            try Engine(rules: LaunchRules(options, of: skeleton)).displaced(
                by: records, in: skeleton)
        }
    }

    /// While no process runs: the next launch finds the sessions in front, and reopened, that were
    /// connected when the last process that had any ended (L-48). Durable.
    package func reopenLastSession(
        _ options: SceneApplicationOptions
    ) throws(SceneStoreError) {
        let last = try store.read { skeleton throws(SceneStoreError) in
            try Engine(rules: LaunchRules(options, of: skeleton)).lastSession(in: skeleton)
        }
        try store.write(.full) { transaction throws(SceneStoreError) in
            for record in last {
                try transaction.unpark(transaction.db.knownSession(record.key))
            }
            try transaction.apply(
                transaction.db.effective(last.map { MarkChange(key: $0.key, isFront: true) }))
        }
    }
}

extension LaunchRules {
    /// The same for a tool: who was asked is named, and an unknown app is what its store shows of it.
    fileprivate init(
        _ options: SceneApplicationOptions, of skeleton: some Skeleton
    ) throws(SceneStoreError) {
        self.init(options)
        try learn(from: skeleton)
    }
}

/// How a process begins, as a tool assumes.
extension LaunchPlan.Start {
    /// Judges how the last process ended.
    ///
    /// - Parameters:
    ///   - previous: The last process.
    ///   - asked: The reason to assume; nil judges.
    ///   - bootIdentifier: The machine's; nil when it is not known.
    ///   - isRunning: Whether the last process runs still. It is assumed to end cleanly.
    ///   - now: Milliseconds since 1970.
    ///   - stablePeriod: After how many milliseconds without a death a launch is stable.
    package init(
        after previous: PreviousProcess, asked: LaunchReason?, bootIdentifier: String?,
        isRunning: Bool = false, now: Int64, stablePeriod: Int64
    ) {
        self.init(
            after: previous, bootIdentifier: bootIdentifier, now: now, stablePeriod: stablePeriod)
        if isRunning {
            (previousEnd, previousWasStable, isForecast) = (.clean, true, true)
            blamed = nil
            if reason != .first {
                reason = .launch
                text = "the app is running; this holds if it ends cleanly"
            }
        }
        if let asked {
            reason = asked
            text = "as asked"
            let isDeath = asked == .recover || asked == .restore
            blamed = isDeath ? previous.restoring : nil
            isForecast = isForecast && !isDeath
            isEmpty = asked == .first
        }
    }

    /// The same, by what is remembered of the last process.
    init(
        from skeleton: some Skeleton, asked: LaunchReason?, bootIdentifier: String?,
        isRunning: Bool, now: Int64, stablePeriod: Int64
    ) throws(SceneStoreError) {
        let previous = try skeleton.previousProcess()
        self.init(
            after: previous, asked: asked, bootIdentifier: bootIdentifier, isRunning: isRunning,
            now: now, stablePeriod: stablePeriod)
        try learnRules(of: previous, from: skeleton)
    }
}
