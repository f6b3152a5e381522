import SceneStoreStorage
import SceneStoreValues

/// How a launch ended; every command shows the same word for it.
package enum LaunchEnding: String, Sendable, Hashable, CaseIterable {
    /// It hasn't ended.
    case running
    /// Cleanly.
    case quit
    /// The user ended it.
    case forceQuit = "force-quit"
    /// Its process is gone and noted no end.
    case died
    /// It noted no end, and the launch after it didn't find it dead.
    case unknown

    /// The word in JSON, CSV and SQL: nil while the launch runs.
    package var word: String? { self == .running ? nil : rawValue }
}

extension LaunchRecord {
    /// Judges how the launch ended.
    ///
    /// - Parameters:
    ///   - isLast: Whether no launch came after it. The next launch marks the last one as dead, so
    ///     until then the store's row doesn't tell.
    ///   - isOwned: Whether a living process owns the store.
    package func ending(isLast: Bool, isOwned: Bool) -> LaunchEnding {
        switch end {
        case .quit: .quit
        case .forceQuit: .forceQuit
        case nil where died: .died
        case nil where isLast: isOwned ? .running : .died
        case nil: .unknown
        }
    }
}

extension Collection<LaunchRecord> {
    /// How each launch ended, by its number. The last launch of the store has to be among them.
    package func endings(isOwned: Bool) -> [Int64: LaunchEnding] {
        let last = map(\.number).max()
        return Dictionary(
            map { ($0.number, $0.ending(isLast: $0.number == last, isOwned: isOwned)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// How many of the last launches died, one after the other.
    package func diedInARow(isOwned: Bool) -> Int {
        let endings = self.endings(isOwned: isOwned)
        return sorted { $0.number > $1.number }.prefix { endings[$0.number] == .died }.count
    }
}
