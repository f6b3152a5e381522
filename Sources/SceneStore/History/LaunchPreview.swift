import SceneStoreEngine

/// A preview of the next launch, for a page that shows the user which windows come back.
///
/// The code that launches makes the same decisions.
///
/// ```swift
/// let preview = try application.previewNextLaunch()
/// for entry in preview.entries where entry.fate == .stays {
///     staying.append(entry.session)
/// }
/// ```
public struct LaunchPreview: Sendable {
    /// The outcomes of a session at the next launch.
    public enum Fate: Sendable, Hashable {
        /// It connects, in this place of the order, from 1.
        case returns(order: Int)
        /// It stays open without a window until it is activated.
        case stays
        /// It is held back: it stays open and takes no event.
        case held
        /// It is kept with its state until the app can show it.
        case parked(ParkedCause)
        /// It is gone.
        case gone
    }

    /// A session and its outcome.
    public struct Entry: Sendable, Hashable {
        /// The session.
        public let session: SceneSession.ID
        /// The session's outcome.
        public let fate: Fate
        /// The reason for the outcome.
        public let reason: String
        /// Whether its state is given to the app.
        public let restoration: RestorationStatus
        /// The reason why the state is restored or not, or the state that is restored.
        public let restorationReason: String
    }

    /// The reason with which the process would be launched.
    public let reason: LaunchReason
    /// The sessions, most recently active first.
    public let entries: [Entry]
}

extension SceneApplication {
    /// Returns what the next launch does if this process ends now, cleanly and without other
    /// changes.
    public func previewNextLaunch() throws(SceneStoreError) -> LaunchPreview {
        try requireRunning()
        defer {
            letStoreGo()
        }
        return LaunchPreview(
            try LaunchPlan(
                reading: store, options: options, bootIdentifier: environment.bootIdentifier,
                isRunning: true))
    }
}

extension LaunchPreview {
    fileprivate init(_ plan: LaunchPlan) {
        reason = plan.reason
        entries = plan.records.map { record in
            let verdict = plan.verdict(for: record)
            return Entry(
                session: record.id, fate: Fate(verdict.fate), reason: verdict.reason,
                restoration: verdict.restoration, restorationReason: verdict.restorationReason)
        }
    }
}

extension LaunchPreview.Fate {
    fileprivate init(_ fate: LaunchPlan.Fate) {
        switch fate {
        case .connects(let order, _): self = .returns(order: order)
        case .stays: self = .stays
        case .held: self = .held
        case .parked(let cause): self = .parked(cause)
        case .discarded, .forgotten: self = .gone
        }
    }
}
