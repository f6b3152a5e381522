import SceneStore
import SceneStoreSQLite

extension SceneApplication {
    /// Ends the process when a signal requests it, as at a logout: every window comes back (L-48).
    ///
    /// The signal begins the teardown and quits, on the application's executor. No window is asked,
    /// states are saved, and all windows are remembered. Changes that the disk refuses are reported
    /// and lost. Then `ended` is called, immediately if the application has not launched. If it is
    /// nil, the process ends by the same signal, as the sender of the signal expects.
    /// ``EndingSignal`` has an example.
    ///
    /// Nothing polls: a thread of SceneStore sleeps until a signal comes, and passes it to the
    /// executor. A second signal of the same kind ends the process immediately, so that an app that
    /// hangs can be ended. A signal that the process ignores, as under `nohup`, stays ignored; a forked
    /// child gets the signal's default handling. The call takes effect until the application is gone.
    ///
    /// - Parameters:
    ///   - signals: Which signals, eight at most. A process can't catch `SIGKILL` and `SIGSTOP`.
    ///   - executor: Performs work on the application's thread or actor; by default the actor that
    ///     calls this.
    ///   - ended: Called there when the application has ended, to end the main loop.
    /// - Throws: ``SceneStoreError/Code/invalidState`` if there is neither an actor nor an
    ///   executor, or signals are watched for another application;
    ///   ``SceneStoreError/Code/unsupportedSignal`` for a signal that can't be caught, and then none
    ///   is watched; and any error of the system.
    public func quitOnSignals(
        _ signals: Set<EndingSignal> = [.terminate, .interrupt, .hangUp],
        executor: ApplicationExecutor? = nil, isolation: isolated (any Actor)? = #isolation,
        ended: ((EndingSignal) -> Void)? = nil
    ) throws(SceneStoreError) {
        let executor = try ApplicationExecutor.chosen(executor, isolation)
        signalWatch = try SignalWatch(
            signals, ApplicationReference(self), executor,
            ended: ended ?? { System.die(by: $0.rawValue) })
    }
}

/// Watches for the signals of one application; ends with the object.
private final class SignalWatch {
    let ended: (EndingSignal) -> Void

    init(
        _ signals: Set<EndingSignal>, _ application: ApplicationReference,
        _ executor: ApplicationExecutor, ended: @escaping (EndingSignal) -> Void
    ) throws(SceneStoreError) {
        self.ended = ended
        do throws(SystemError) {
            let descriptor = try System.watchSignals(signals.map(\.rawValue).sorted())
            do throws(SystemError) {
                try System.startThread {
                    while let number = System.nextSignal(descriptor) {
                        executor.perform {
                            Self.take(EndingSignal(rawValue: number), application.value)
                        }
                    }
                }
            } catch {
                System.unwatchSignals()
                throw error
            }
        } catch {
            throw Self.translated(error)
        }
    }

    private static func translated(_ error: SystemError) -> SceneStoreError {
        if error.isBusy {
            SceneStoreError(
                .invalidState, "another application of this process already watches signals")
        } else if error.isInvalid {
            SceneStoreError(
                .unsupportedSignal,
                "a process can't catch all of these signals; pass at most eight, without SIGKILL "
                    + "and SIGSTOP")
        } else {
            SceneStoreError(ContainerError(error, "watching for signals"))
        }
    }

    /// A signal has come.
    private static func take(_ signal: EndingSignal, _ application: SceneApplication?) {
        guard let application, let watch = application.signalWatch as? SignalWatch else {
            return
        }
        guard application.core.processState == .running else {
            // It has ended, or has not launched and has nothing to save.
            watch.ended(signal)
            return
        }
        func reporting(_ work: () throws(SceneStoreError) -> Void) {
            do throws(SceneStoreError) {
                try work()
            } catch {
                application.core.report(error)
            }
        }
        application.endHandler = { watch.ended(signal) }
        reporting { () throws(SceneStoreError) in
            try application.beginTeardown()
            try application.quit()
        }
        if !application.hasEnded {
            // What the disk refuses is lost: the sender doesn't wait.
            reporting { () throws(SceneStoreError) in
                try application.quit(discardingUnsaved: true)
            }
        }
    }

    deinit {
        System.unwatchSignals()
    }
}

extension SceneStoreError.Code {
    /// A signal that a process can't catch, or a number that is none.
    public static let unsupportedSignal = Self("unsupportedSignal")
}
