#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A signal that asks a process to end.
///
/// ```swift
/// let signals: Set<EndingSignal> = [.terminate, .interrupt]
/// try application.quitOnSignals(signals, executor: executor) { ends.append($0) }
/// ```
public struct EndingSignal: RawRepresentable, Hashable, Sendable {
    /// The system's number.
    public var rawValue: Int32

    /// Makes a signal from the system's number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// `SIGTERM`: a logout, a shutdown, a service manager.
    public static let terminate = EndingSignal(rawValue: SIGTERM)
    /// `SIGINT`: Ctrl-C in a terminal.
    public static let interrupt = EndingSignal(rawValue: SIGINT)
    /// `SIGHUP`: the terminal is gone.
    public static let hangUp = EndingSignal(rawValue: SIGHUP)
}
