/// The states of a session that no later state is written over, by their places in its history
/// (S-51): those that were withheld, and those that the app pinned.
///
/// 1. A place is listed at most once in each of the two; it may be in both.
/// 2. All places together are at most ``capacity``. At the bound the oldest withheld one gives way;
///    the app's never do.
/// 3. They are a value of the session, two bytes for each: the place, and 1 for withheld or 2 for the
///    app's, oldest first.
package struct SessionPins: Hashable, Sendable {
    /// How many states of a session are pinned at most.
    package static let capacity = 16

    /// Those that were withheld, or kept because they may not be the last, oldest first.
    package private(set) var withheld: [Int] = []
    /// The app's, oldest first.
    package private(set) var app: [Int] = []

    package init() {}

    /// Reads a session's value; nil for none. What is of no known form counts as absent.
    package init(_ bytes: [UInt8]?) {
        guard let bytes, Self.isWellFormed(bytes) else {
            return
        }
        for index in stride(from: 0, to: bytes.count, by: 2) {
            if bytes[index + 1] == Maker.app.rawValue {
                app.append(Int(bytes[index]))
            } else {
                withheld.append(Int(bytes[index]))
            }
        }
    }

    private enum Maker: UInt8 {
        case judgement = 1
        case app = 2
    }

    /// Whether bytes are those of a session's value: places, each with its maker.
    package static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        bytes.count.isMultiple(of: 2) && bytes.count <= 4 * capacity
            && stride(from: 1, to: bytes.count, by: 2).allSatisfy {
                Maker(rawValue: bytes[$0]) != nil
            }
    }

    /// The session's value; nil when there is no pin.
    package var bytes: [UInt8]? {
        guard !withheld.isEmpty || !app.isEmpty else {
            return nil
        }
        return withheld.flatMap { [UInt8(truncatingIfNeeded: $0), Maker.judgement.rawValue] }
            + app.flatMap { [UInt8(truncatingIfNeeded: $0), Maker.app.rawValue] }
    }

    /// All places, each once.
    package var slots: [Int] {
        app.isEmpty ? withheld : withheld + app.filter { !withheld.contains($0) }
    }

    /// A state is withheld or kept.
    package mutating func withhold(_ slot: Int) {
        release(slot)
        withheld.append(slot)
    }

    /// A withheld state is the app's again; what the app pinned stays pinned.
    package mutating func release(_ slot: Int) {
        withheld.removeAll { $0 == slot }
    }

    /// The app pins a state; answers whether there was room.
    package mutating func pin(_ slot: Int) -> Bool {
        guard app.count < Self.capacity else {
            return false
        }
        app.append(slot)
        return true
    }

    /// The app pins a state no longer.
    package mutating func unpin(_ slot: Int) {
        app.removeAll { $0 == slot }
    }

    /// Keeps those that stand for a state.
    package mutating func keep(where isKnown: (Int) -> Bool) {
        withheld.removeAll { !isKnown($0) }
        app.removeAll { !isKnown($0) }
    }

    /// Lets the oldest withheld ones go until the bound is met; answers how many.
    package mutating func trim() -> Int {
        var count = 0
        while slots.count > Self.capacity,
            let oldest = withheld.firstIndex(where: { !app.contains($0) })
        {
            withheld.remove(at: oldest)
            count += 1
        }
        return count
    }
}
