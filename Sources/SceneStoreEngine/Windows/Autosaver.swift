import SceneStoreValues

/// Saves changed scenes soon, but not at every change (S-24).
///
/// A change is saved 0.5 s after the last one and at the latest 2 s after the first, unless the
/// options say otherwise, in one transaction for all changed scenes, in mode normal; and at once
/// when a scene loses the focus, when a window is closed, and when the app quits. Between changes
/// there is no timer and no write. Without a scheduler a change waits for the next of those events.
///
///     Editing ...... change, change, change ............
///                    |<------- ceiling, 2 s ------->|
///                                    |<- 0.5 s ->| save
package struct Autosaver: Sendable {
    private var debounce: Int64 = 0
    private var ceiling: Int64 = 0
    /// The changed scenes.
    package private(set) var pending: Set<Int64> = []
    /// Those that could not answer: no timer asks them again, and the next save does.
    private var refused: Set<Int64> = []
    private var firstChange: Int64 = 0
    private var lastChange: Int64 = 0

    package init() {}

    /// Whether a scene changed since it was saved.
    package func isPending(_ key: Int64) -> Bool {
        pending.contains(key) || refused.contains(key)
    }

    /// Whether no scene changed since it was saved.
    package var isEmpty: Bool { pending.isEmpty && refused.isEmpty }

    /// A scene that changed could not be saved.
    package mutating func refuse(_ key: Int64) {
        refused.insert(key)
    }

    /// Takes over how long to wait.
    package mutating func wait(_ delay: Int64, atMost longest: Int64) {
        debounce = max(0, delay)
        ceiling = max(0, longest)
    }

    /// Notes a change; answers whether it is the first one, for which a timer is to be set.
    package mutating func changed(_ key: Int64, now: Int64) -> Bool {
        let begins = pending.isEmpty
        // A clock that was set back begins anew.
        if begins || now < firstChange {
            firstChange = now
        }
        pending.insert(key)
        lastChange = now
        return begins
    }

    /// When the pending changes are to be saved.
    private var due: Int64 {
        min(lastChange.saturatingPlus(debounce), firstChange.saturatingPlus(ceiling))
    }

    /// Milliseconds until the pending changes are to be saved, at most the ceiling: a clock that is
    /// set back keeps no change waiting.
    package func delay(now: Int64) -> Int64 {
        now < firstChange ? 0 : min(max(0, due &- now), ceiling)
    }

    /// Whether changes wait that a timer should have saved by now.
    package func isDue(now: Int64) -> Bool {
        !pending.isEmpty && delay(now: now) == 0
    }

    /// Drops a scene that was saved or discarded.
    package mutating func remove(_ key: Int64) {
        if !isEmpty {
            pending.remove(key)
            refused.remove(key)
        }
    }

    /// Takes what is to be saved now.
    package mutating func takeAll() -> Set<Int64> {
        defer {
            pending.removeAll(keepingCapacity: true)
            refused.removeAll()
        }
        return pending.union(refused)
    }
}
