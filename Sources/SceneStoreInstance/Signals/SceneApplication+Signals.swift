import SceneStore
import SceneStoreSQLite

extension SceneApplication {
    /// Ends the process when a signal requests it, as at a logout: every window comes back (L-48).
    ///
    /// The signal begins the teardown and quits, on the application's executor. No window is asked,
    /// states are saved, and all windows are remembered. Changes that the disk refuses are reported
    /// and lost. Then `ended` is called; without one the process ends by the same signal, as its
    /// sender expects. ``EndingSignal`` has an example.
    ///
    /// Nothing polls: a thread of SceneStore sleeps until a signal comes, and passes it to the
    /// executor. A second signal ends the process immediately, so that an app that hangs can be
    /// ended. A signal that the process ignores, as under `nohup`, stays ignored; a forked child
    /// gets the signal's default handling. The call takes effect until the application is gone.
    ///
    /// - Parameters:
    ///   - signals: Which signals, eight at most.
    ///   - executor: Performs work on the application's thread or actor; by default the actor that
    ///     calls this.
    ///   - ended: Called there when the application has ended, to end the main loop.
    /// - Throws: ``SceneStoreError/Code/invalidState`` if there is neither an actor nor an
    ///   executor, or signals are watched for another application, and any error of the system.
    public func quit(
        on signals: Set<EndingSignal> = [.terminate, .interrupt, .hangUp],
        executor: ApplicationExecutor? = nil, isolation: isolated (any Actor)? = #isolation,
        ended: ((EndingSignal) -> Void)? = nil
    ) throws(SceneStoreError) {
        let executor = try ApplicationExecutor.chosen(executor, isolation)
        signalWatch = try SignalWatch(
            signals, ApplicationReference(self), executor,
            ended: ended ?? { System.die(by: $0.rawValue) })
    }

    /// A signal has come.
    fileprivate func end(by signal: EndingSignal) {
        guard let watch = signalWatch as? SignalWatch else {
            return
        }
        guard !hasEnded else {
            watch.ended(signal)
            return
        }
        endHandler = { watch.ended(signal) }
        reporting { () throws(SceneStoreError) in
            try beginTeardown()
            try quit()
        }
        if !hasEnded {
            // What the disk refuses is lost: the sender doesn't wait.
            reporting { () throws(SceneStoreError) in try quit(discardingUnsaved: true) }
        }
    }

    private func reporting(_ work: () throws(SceneStoreError) -> Void) {
        do throws(SceneStoreError) {
            try work()
        } catch {
            report(error)
        }
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
                            application.value?.end(by: EndingSignal(rawValue: number))
                        }
                    }
                }
            } catch {
                System.unwatchSignals()
                throw error
            }
        } catch {
            throw error.isBusy
                ? SceneStoreError(
                    .invalidState, "signals are watched already, for another application")
                : SceneStoreError(ContainerError(error, "watching for signals"))
        }
    }

    deinit {
        System.unwatchSignals()
    }
}
