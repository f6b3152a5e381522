/// How far a long piece of work has come.
package struct WorkProgress: Sendable, Hashable {
    /// What is counted.
    package enum Unit: String, Sendable, Hashable {
        case pages
        case rows
        case sessions
        case entries
        case bytes
    }

    /// What is done now, one word such as `checking`.
    package var stage: String
    package var unit: Unit
    package var done: Int
    /// How many there are; 0 when nobody knows.
    package var total: Int
    /// How much of the whole work was done when this stage began and will be when it ends.
    package var share: ClosedRange<Double>

    package init(
        _ stage: String, _ unit: Unit, done: Int = 0, total: Int,
        share: ClosedRange<Double> = 0...1
    ) {
        self.stage = stage
        self.unit = unit
        self.done = done
        self.total = total
        self.share = share
    }
}

/// Told how far some work is; false ends it with ``SceneStoreError/Code/cancelled``.
package typealias WorkObserver = @Sendable (WorkProgress) -> Bool

/// Tells an observer of one stage after the other; without one it costs a comparison.
package struct WorkTeller: Sendable {
    package var observer: WorkObserver?

    package static let cancelled = SceneStoreError(.cancelled, "the work was stopped")

    /// Whether anybody listens: what is only counted for them need not be counted.
    package var isHeard: Bool { observer != nil }

    /// Says how far a stage is; throws when the work is to end.
    package func say(_ progress: @autoclosure () -> WorkProgress) throws(SceneStoreError) {
        guard let observer else {
            return
        }
        guard observer(progress()) else {
            throw Self.cancelled
        }
    }

    /// Says so each time that a multiple of `step` is done, and at the end of the stage.
    package func say(
        _ stage: WorkProgress, done: Int, every step: Int = 1
    ) throws(SceneStoreError) {
        guard observer != nil, done % step == 0 || done == stage.total else {
            return
        }
        var progress = stage
        progress.done = done
        try say(progress)
    }

    /// The same for a body that asks in numbers of its own, such as pages; nil when nobody listens.
    package func numbers(_ stage: WorkProgress) -> ((_ done: Int, _ total: Int) -> Bool)? {
        observer.map { observer in
            { done, total in
                var progress = stage
                (progress.done, progress.total) = (done, total)
                return observer(progress)
            }
        }
    }

    package init(observer: WorkObserver? = nil) {
        self.observer = observer
    }
}
