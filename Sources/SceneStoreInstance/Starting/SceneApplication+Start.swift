import SceneStore
import SceneStoreHosting
import SceneStoreSQLite

extension SceneApplication {
    /// Starts the app once, however often it is started (L-77).
    ///
    /// The first process owns the container: `make` gets the open store and returns the
    /// application, which listens to other processes from then on. Keep it, and call
    /// ``launch(_:)`` when the toolkit can show windows: that delivers the payloads, and whatever
    /// other processes handed over in between, once. Every later process passes its payloads to the
    /// first, learns the outcome of each, and makes nothing. ``StartedInstance`` has an example.
    ///
    /// Without a payload the window in front comes forward. If several processes start at the same
    /// time, exactly one becomes the owner. If the owner dies before it has answered, the next
    /// owner, which may be this process, delivers the payload. If the dead owner may have shown the
    /// payload, ``Scene/isPayloadRedelivered`` is set in the callback, or
    /// ``ConnectionOptions/isRedelivered`` in the options of a connection. A payload that is
    /// already in the inbox is not delivered twice.
    ///
    /// The call blocks until the owner has answered. The owner answers when it has launched and its
    /// callbacks have returned; the receipt tells whether it declined the payload. It listens until the
    /// application is gone.
    ///
    /// - Parameters:
    ///   - location: Where the container is.
    ///   - payloads: What launches the process, 64 at most, 16 MiB together.
    ///   - request: What the process wants beside that, of another one that runs: a new window, for
    ///     example. The receipt of the window comes before those of the payloads. A process that
    ///     becomes the owner does it by itself.
    ///   - onRequest: Called in the owner with the request of each later process, before its window
    ///     is made; on the application's thread or actor.
    ///   - storeOptions: How the owner opens the store.
    ///   - executor: Performs requests on the application's thread or actor; by default the actor
    ///     that calls this.
    ///   - timeLimit: Milliseconds to wait for an answer.
    ///   - make: Makes the application on the open store; register delegate classes here.
    /// - Throws: What opening the store and `make` throw, and
    ///   ``SceneStoreError/Code/invalidState`` with the type's name for another error of `make`;
    ///   ``SceneStoreError/Code/owned`` if the owner does not listen, such as an app that does not
    ///   call this or a tool that writes; `notAnswered` if it does not answer in time, although it
    ///   may still deliver the payloads; ``SceneStoreError/Code/permission`` if other users could
    ///   have made the socket; ``SceneStoreError/Code/limitExceeded`` and
    ///   ``SceneStoreError/Code/tooManyPayloads`` for more than a process can pass on; and
    ///   ``SceneStoreError/Code/invalidState`` if there is neither an actor nor an executor.
    public static func start(
        at location: SceneSessionStore.Location, forwarding payloads: [Payload] = [],
        requesting request: StartRequest = StartRequest(),
        onRequest: @escaping (StartRequest) -> Void = { _ in },
        storeOptions: SceneSessionStore.Options = SceneSessionStore.Options(),
        executor: ApplicationExecutor? = nil, timeLimit: Int = 30_000,
        isolation: isolated (any Actor)? = #isolation,
        make: (SceneSessionStore) throws -> SceneApplication
    ) throws(SceneStoreError) -> StartedInstance<SceneApplication> {
        let starter = InstanceStarter(
            location: location, payloads: payloads, request: request, onRequest: onRequest,
            options: storeOptions, timeLimit: timeLimit)
        return try starter.start(
            on: ApplicationExecutor.chosen(executor, isolation), make: make, application: { $0 })
    }
}

extension HostedSceneApplication {
    /// Starts an app with a toolkit's windows once, however often it is started.
    ///
    /// See ``SceneApplication`` and its `start(at:forwarding:)`. A process that passes its payloads
    /// on makes neither the host nor a window. A toolkit with another main loop passes an executor
    /// that performs work there.
    public static func start(
        at location: SceneSessionStore.Location, forwarding payloads: [Payload] = [],
        requesting request: StartRequest = StartRequest(),
        onRequest: @escaping (StartRequest) -> Void = { _ in },
        storeOptions: SceneSessionStore.Options = SceneSessionStore.Options(),
        executor: ApplicationExecutor? = nil, timeLimit: Int = 30_000,
        isolation: isolated (any Actor)? = #isolation,
        make: (SceneSessionStore) throws -> HostedSceneApplication
    ) throws(SceneStoreError) -> StartedInstance<HostedSceneApplication> {
        let starter = InstanceStarter(
            location: location, payloads: payloads, request: request, onRequest: onRequest,
            options: storeOptions, timeLimit: timeLimit)
        return try starter.start(
            on: ApplicationExecutor.chosen(executor, isolation), make: make,
            application: \.application)
    }
}

extension InstanceStarter {
    /// Starts; an owner makes its app, which hears others once it has launched.
    fileprivate func start<App>(
        on executor: ApplicationExecutor,
        make: (SceneSessionStore) throws -> App,
        application: (App) -> SceneApplication
    ) throws(SceneStoreError) -> StartedInstance<App> {
        switch try start() {
        case .forwarded(let receipts): return .forwarded(to: receipts)
        case .owner(let owner):
            do throws(SceneStoreError) {
                let app = try made(by: make, on: owner.store)
                guard application(app).launchReason == nil else {
                    throw SceneStoreError(
                        .invalidState,
                        "the closure of start(at:) launched the application; launch what it returns"
                    )
                }
                owner.prepareLaunch(of: application(app), on: executor)
                return .running(app)
            } catch {
                owner.giveUp()
                throw error
            }
        }
    }
}

/// An app that its own code makes. Of another error than SceneStore's only the type is told.
private func made<App>(
    by make: (SceneSessionStore) throws -> App, on store: SceneSessionStore
) throws(SceneStoreError) -> App {
    do {
        return try make(store)
    } catch {
        throw error as? SceneStoreError
            ?? SceneStoreError(
                .invalidState, "the application could not be made: \(type(of: error))")
    }
}

extension ApplicationExecutor {
    /// The one that was named, else that of the actor which calls `start`. In Swift 5's language mode
    /// the code of `main.swift` is on no actor, although it is on the main one's thread.
    static func chosen(
        _ named: ApplicationExecutor?, _ isolation: (any Actor)?,
        isMainThread: Bool = System.isMainThread
    ) throws(SceneStoreError) -> ApplicationExecutor {
        if let named {
            return named
        }
        guard let isolation = isolation ?? (isMainThread ? MainActor.shared : nil) else {
            throw SceneStoreError(
                .invalidState,
                "an app that is started on no actor names the executor of its main loop")
        }
        return .executor(of: isolation)
    }
}

extension InstanceStarter.Owner {
    /// Lets an application have the payloads when it launches, and hears other processes from then on.
    func prepareLaunch(of application: SceneApplication, on executor: ApplicationExecutor) {
        // The socket lives as long as the application.
        application.companion = listener
        application.startPayloads = { [unowned application] () throws(SceneStoreError) in
            try admit(to: application)
        }
        application.launchHandler = { [unowned application] failure in
            if let failure {
                listener.desk.refuse(failure)
            } else {
                listen(for: application, on: executor)
            }
        }
    }

    /// The payloads that the launch is given.
    package func admit(
        to application: SceneApplication
    ) throws(SceneStoreError) -> [Payload] {
        // The socket lives as long as the application.
        application.companion = listener
        return try ForwardedReception(application).admit(payloads)
    }

    /// Hears other processes from now on.
    package func listen(
        for application: SceneApplication, on executor: ApplicationExecutor
    ) {
        if let silence = listener.silence {
            application.core.report(silence)
        }
        listener.desk.open(application, on: executor)
    }

    /// Hears nobody any more, as if the process were gone.
    package func fallSilent() {
        listener.close()
    }

    /// Lets the next process own the container.
    package func giveUp() {
        listener.close()
        do throws(SceneStoreError) {
            try store.close()
        } catch {
            // The store is let go of whatever it says; what kept the app from starting is thrown.
        }
    }
}
