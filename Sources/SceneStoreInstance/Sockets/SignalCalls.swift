import SceneStoreCSockets
import SceneStoreSQLite

/// The system calls of signals that ask a process to end.
extension System {
    /// Begins to watch signals, once in a process; the descriptor to wait at.
    package static func watchSignals(_ signals: [Int32]) throws(SystemError) -> Int32 {
        let result = scenestore_signals_watch(signals, Int32(clamping: signals.count))
        guard result >= 0 else { throw SystemError(code: -result) }
        return result
    }

    /// Waits for the next one; nil once nobody watches any more.
    package static func nextSignal(_ descriptor: Int32) -> Int32? {
        let signal = scenestore_signals_next(descriptor)
        return signal > 0 ? signal : nil
    }

    /// Ends watching: signals do what they did before.
    package static func unwatchSignals() {
        scenestore_signals_unwatch()
    }

    /// Whether the caller is on the process's first thread.
    static var isMainThread: Bool { scenestore_is_main_thread() != 0 }

    /// Ends the process as a signal does by itself.
    package static func die(by signal: Int32) {
        scenestore_signals_die(signal)
    }
}
