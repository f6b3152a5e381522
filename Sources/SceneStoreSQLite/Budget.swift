/// How much work a piece of SQL may cost before SQLite is told to stop.
///
/// It bounds what a file from outside can make a statement do (S-62); the time is the monotonic
/// clock's. Work that SQLite does between two of its own instructions is not seen by it.
package struct Budget: Sendable, Hashable {
    /// Virtual machine instructions, counted in steps of `interval`.
    package var instructions: Int
    package var duration: Duration?
    /// Instructions between two looks.
    package var interval: Int32

    package init(instructions: Int = .max, duration: Duration? = nil, interval: Int32 = 1_000) {
        self.instructions = instructions
        self.duration = duration
        self.interval = max(interval, 1)
    }

    /// What reading the schema of an unknown file may cost. Time is no part of it: a process that is
    /// paused meanwhile would take a sound file for a hostile one (S-10).
    package static let opening = Budget(instructions: 15_000, interval: 100)
    /// The bytes of a text in such a schema: SQLite keeps up to 60 times as many for what it reads.
    static let schemaText: Int32 = 8 << 10
}

/// What SQLite's callbacks write and read; lives on the heap as long as the connection.
struct CallbackContext {
    /// Frames in the write-ahead log after the last commit of this connection.
    var walFrames: Int32 = 0
    /// The numbers of the rows that were written, by their table's name; nil while nobody asks. Those
    /// of transactions that were rolled back are among them.
    var changes: [String: Set<Int64>]?
    /// What statements may still cost; nil without a budget.
    var spending: Spending?
}

/// What is left of a budget.
struct Spending {
    let interval: Int32
    private var remainingInstructions: Int
    private let deadline: ContinuousClock.Instant?
    /// Asked at each look whether nobody wants the result any more.
    private let isCancelled: (() -> Bool)?
    private(set) var isExhausted = false

    init(_ budget: Budget, isCancelled: (() -> Bool)?) {
        interval = budget.interval
        remainingInstructions = budget.instructions
        deadline = budget.duration.map { ContinuousClock.now.advanced(by: $0) }
        self.isCancelled = isCancelled
    }

    /// Whether the statement must stop.
    mutating func spend() -> Bool {
        remainingInstructions = remainingInstructions &- Int(interval)
        isExhausted =
            isExhausted || remainingInstructions <= 0
            || deadline.map { ContinuousClock.now >= $0 } ?? false
        return isExhausted || isCancelled?() == true
    }
}
