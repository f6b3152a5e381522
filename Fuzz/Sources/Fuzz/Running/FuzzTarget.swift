/// One door through which bytes come in that nobody vouches for.
///
/// A target must not trap, whatever the bytes are; and it checks what is promised of them, such as
/// that what was read prints as the same bytes.
struct FuzzTarget: Sendable {
    /// What the command line and the corpus call it.
    let name: String
    /// The longest input that is tried.
    let maximumBytes: Int
    /// What an input may cost.
    let line: TimeLine
    /// Whether longer inputs can be made by repeating a part of one; not where inputs are scripts.
    let grows: Bool
    /// Makes what every run uses, once.
    let prepare: @Sendable () -> Void
    /// Tries one input.
    let run: @Sendable (UnsafeRawBufferPointer) -> Void

    init(
        _ name: String, maximumBytes: Int, line: TimeLine, grows: Bool = true,
        prepare: @escaping @Sendable () -> Void = {},
        run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        self.name = name
        self.maximumBytes = maximumBytes
        self.line = line
        self.grows = grows
        self.prepare = prepare
        self.run = run
    }

    /// All of them.
    static let all: [FuzzTarget] = [
        .links, .values, .messages, .propertyList, .json, .scenario, .sources, .play, .store,
        .import,
    ]
}

/// What an input may cost: a part that is always paid, and a part for each byte.
///
/// The numbers are some ten times what instrumented code takes, so that a machine's moods don't
/// fail a run, while work that grows with the square of the length does.
struct TimeLine: Sendable {
    let baseNanoseconds: UInt64
    let nanosecondsPerByte: UInt64

    /// What an input of a length may cost, in nanoseconds.
    func limit(of bytes: Int) -> UInt64 {
        baseNanoseconds + nanosecondsPerByte * UInt64(bytes)
    }
}

/// Stops at a broken promise; libFuzzer keeps the input.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept {
        fatalError("broken promise: \(promise())")
    }
}
