import Foundation
import SceneStore
import SceneStoreStorage
import SceneStoreValues

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

/// A recorder of a UIKit app's scene sessions, which gives their states back.
///
/// Part of the product `SceneStoreUIKit`. UIKit decides which windows exist. The recorder stores
/// their states where a force quit, a reinstalled system or a state that UIKit dropped can't affect
/// them. Call each method from the callback of the same name, in the app's own delegates;
/// `SceneStore`'s article about UIKit apps shows them all.
///
/// An app must start even if the disk fails: only the initializer throws. Later errors go to
/// ``diagnosticHandler``, and UIKit's own restoration continues.
///
/// ```swift
/// final class AppDelegate: UIResponder, UIApplicationDelegate {
///     let recorder = try? SceneRecorder(at: .standard(bundleIdentifier: "com.example.notes"))
///     func applicationWillTerminate(_ application: UIApplication) {
///         recorder?.applicationWillTerminate()
///     }
/// }
/// ```
///
/// ## Topics
/// ### Scenes
/// - ``scene(_:willConnectTo:options:)``
/// - ``stateRestorationActivity(_:for:)``
/// - ``sceneDidBecomeActive(_:)``
/// - ``sceneDidEnterBackground(_:)``
/// ### The app
/// - ``application(didDiscardSceneSessions:)``
/// - ``applicationWillTerminate()``
@MainActor
public final class SceneRecorder {
    /// The reason why this process was launched.
    public let launchReason: LaunchReason
    /// The closure that gets errors of recording and restoring, and what the store found.
    ///
    /// For example, that the store was damaged and what could be salvaged, or that sessions were
    /// lost. As soon as the handler is set, it gets the findings of the opening. Until then errors
    /// are printed to standard error, one line each.
    public var diagnosticHandler: ((Diagnostic) -> Void)? {
        didSet {
            reportFindings()
        }
    }
    /// Whether the container is released while no scene is in front.
    ///
    /// A container in an app group needs this, because iOS kills a process that is suspended with a
    /// lock there (`0xdead10cc`). The next callback takes the container back, with all checks of
    /// ``SceneSessionStore/resume()``. If it was reset or replaced meanwhile, nothing from before
    /// is written into it, and ``diagnosticHandler`` reports it.
    public var releasesInBackground = false

    private let appVersion: String?
    private let environment: SceneEnvironment
    private let store: SceneSessionStore
    /// Whether the container was let go and no scene has come in front since.
    private var hasLetGo = false
    private var hasEnded = false
    /// Sessions in front.
    private var front: Set<String> = []
    /// Sessions that have been handed their state and have not come in front since.
    private var restoring: [(identifier: String, key: Int64)] = []
    /// What opening the store found, until somebody was told.
    private var openingFindings: [Diagnostic]
    /// Whether a window of this process has its session in the store.
    private var hasResumed = false
    /// Sessions that UIKit forgot in a force quit, one of each role, for the first new one (L-40).
    private var forgotten: [SessionRecord] = []
    /// When this process began, in milliseconds since 1970.
    private let launchedAt: Int64
    /// Sessions that were given their states although processes had died of them.
    private var suspects: Set<Int64> = []
    /// After how many milliseconds without a death a launch is stable.
    private static let stablePeriod: Int64 = 10_000

    /// Opens the container and begins a launch. Throws as
    /// ``SceneSessionStore/open(at:options:)`` does.
    public init(
        at location: SceneSessionStore.Location,
        options: SceneSessionStore.Options = SceneSessionStore.Options(),
        environment: SceneEnvironment = .system, appVersion: String? = nil
    ) throws(SceneStoreError) {
        let store = try SceneSessionStore.open(at: location, options: options)
        let previous = try store.read { skeleton throws(SceneStoreError) in
            try skeleton.previousProcess()
        }
        launchedAt = environment.now()
        launchReason = previous.reason(bootIdentifier: environment.bootIdentifier)
        var judgement = LaunchJudgement()
        judgement.previousWasStable = previous.wasStable(
            now: launchedAt, stablePeriod: Self.stablePeriod)
        _ = try store.launches.begin(
            LaunchContext(
                appVersion: appVersion, bootIdentifier: environment.bootIdentifier,
                processIdentifier: environment.processIdentifier), launchReason, judgement)
        self.environment = environment
        self.store = store
        self.appVersion = appVersion
        openingFindings = store.openingDiagnostics
    }

    // MARK: Scenes

    /// Returns the state to show: the one recorded last, or else UIKit's own, or nil.
    ///
    /// Call it from `scene(_:willConnectTo:options:)`. If UIKit has forgotten every session, as it
    /// does when the user force-quits the app, the first new session of a role gets the state and
    /// `userInfo` of the role's most recently active recorded session. If the previous process died
    /// while it showed a state, that state is withheld, and offered again after a launch that lived
    /// ten seconds or ended cleanly.
    @discardableResult
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) -> NSUserActivity? {
        var answer = session.stateRestorationActivity
        attempt(session) { store throws(SceneStoreError) in
            let identifier = session.persistentIdentifier
            let configuration = SceneConfiguration(session.configuration)
            var record = try store.record(identifier: identifier)
            if let known = record {
                hasResumed = true
                if known.configuration != configuration {
                    try store.configurations.adopt([known.key: configuration])
                }
            } else {
                record = try adopt(session, configuration, store)
            }
            // One that could not be adopted is kept for the next new session.
            let others = forgotten
            forgotten = []
            if !others.isEmpty {
                attempt(nil) { store throws(SceneStoreError) in try discard(others, store) }
            }
            guard let record else {
                return
            }
            try resumeUserInfo(of: session, record, store)
            guard !record.isStateBlamed else {
                answer = nil
                return report(
                    SceneStoreError(
                        .restorationWithheld,
                        record.flags.withheldReason == .lost
                            ? "the state that was recorded last is lost; an earlier one is kept"
                            : "the previous process died while it showed this state; it is kept"),
                    session)
            }
            let state = try store.read { db throws(SceneStoreError) in
                try db.session(record.key).flatMap { session throws(SceneStoreError) in
                    try db.restorationActivity(session.row)
                }
            }
            guard let recorded = state else {
                if let answer {
                    try save(UserActivity(answer), record.key, store, .normal)
                }
                return
            }
            answer = try recorded.makeUserActivity()
            restoring.append((identifier, record.key))
            let isSuspect = record.crashCount > 0
            if isSuspect {
                suspects.insert(record.key)
            }
            try store.launches.setRestoring(key: record.key)
            try store.launches.noteConnection(
                of: record.key, isGiven: true, isSuspect: isSuspect)
            // UIKit says where a scene is after this call. In the background it may stay for long, and
            // owes nothing more (L-13).
            Task { @MainActor [weak self, weak scene] in
                if let scene, scene.activationState == .background {
                    self?.attempt(session) { store throws(SceneStoreError) in
                        try self?.endRestoring(session, store)
                    }
                }
            }
        }
        return answer
    }

    /// A new session: made in the store, with what a lost one left.
    private func adopt(
        _ session: UISceneSession, _ configuration: SceneConfiguration, _ store: SceneSessionStore
    ) throws(SceneStoreError) -> SessionRecord? {
        let role = configuration.role
        let known = Set(UIApplication.shared.openSessions.map(\.persistentIdentifier))
        let open = hasResumed ? [] : Array(try store.openRecords())
        let lost =
            open.contains { known.contains($0.identifier) }
            ? nil : open.filter { $0.role == role }.min(by: SessionRecord.comesBefore)
        let record: SessionRecord? =
            if let lost {
                try store.adoptSession(
                    lost, identifier: session.persistentIdentifier, configuration: configuration,
                    context: context)
            } else {
                try store.insertSession(
                    identifier: session.persistentIdentifier, configuration: configuration)
            }
        forgotten.removeAll { $0.key == lost?.key }
        hasResumed = true
        return record
    }

    /// UIKit's `userInfo` counts; where it has none, the recorded one is given back.
    private func resumeUserInfo(
        of session: UISceneSession, _ record: SessionRecord, _ store: SceneSessionStore
    ) throws(SceneStoreError) {
        if let userInfo = session.userInfo {
            return try store.values.setUserInfo(
                ValueDictionary(foundation: userInfo), key: record.key)
        }
        let recorded = try store.session(for: record).userInfo
        if !recorded.isEmpty {
            session.userInfo = try recorded.foundationDictionary()
        }
    }

    /// Records a scene's state, durably, and returns it.
    ///
    /// Call it from `stateRestorationActivity(for:)` with the activity that the callback returns;
    /// nil forgets the earlier state. The session's `userInfo` and the scene's title, size and
    /// activation conditions are recorded with it, for `scenestore sessions` and for the answer to
    /// which window a link would get. If no rule of ``ActivationConditions`` is such a predicate, such as
    /// one that ignores case, ``diagnosticHandler`` gets `unsupportedValue`.
    @discardableResult
    public func stateRestorationActivity(
        _ activity: NSUserActivity?, for scene: UIScene
    ) -> NSUserActivity? {
        record(activity, of: scene, .full)
        if front.isEmpty, releasesInBackground {
            hasLetGo = true
            letStoreGo()
        }
        return activity
    }

    /// Records a scene's state between two saves by UIKit.
    ///
    /// Call it from `userActivityWillSave(_:)` of the activity's delegate.
    public func userActivityWillSave(_ activity: NSUserActivity, of scene: UIScene) {
        record(activity, of: scene, .normal)
    }

    private func record(
        _ activity: NSUserActivity?, of scene: UIScene, _ durability: Durability
    ) {
        attempt(scene.session) { store throws(SceneStoreError) in
            guard
                let record = try store.record(identifier: scene.session.persistentIdentifier),
                record.isOpen
            else {
                return
            }
            let value: UserActivity? =
                if let activity { try UserActivity(activity) } else { nil }
            try save(value, record.key, store, durability)
            // What is stored already the store finds by itself.
            if let userInfo = scene.session.userInfo {
                try store.values.setUserInfo(ValueDictionary(foundation: userInfo), key: record.key)
            }
            if let title = scene.title, !title.isEmpty {
                try store.values.setTitle(title, key: record.key)
            }
            // UIKit tells an app its window's size, and not where it is (L-45).
            if let size = (scene as? UIWindowScene)?.coordinateSpace.bounds.size, size != .zero {
                let placement = ScenePlacement(
                    width: Double(size.width), height: Double(size.height))
                try store.values.setPlacement(PlacementMemory(placement), key: record.key)
            }
            do throws(SceneStoreError) {
                let conditions = try ActivationConditions(scene.activationConditions)
                try store.values.setConditions(conditions, key: record.key)
            } catch {
                // Those that the scene had before would choose windows that it doesn't want.
                try store.values.setConditions(ActivationConditions(), key: record.key)
                throw error
            }
        }
    }

    private func save(
        _ activity: UserActivity?, _ key: Int64, _ store: SceneSessionStore,
        _ durability: Durability
    ) throws(SceneStoreError) {
        var activity = activity
        activity?.needsSave = false
        _ = try store.save(
            [StateToSave(key: key, activity: activity)], marks: [],
            context: context, durability: durability)
    }

    private var context: SaveContext {
        SaveContext(appVersion: appVersion, savedAt: environment.now())
    }

    /// Records that the scene is in front with the focus, so that its state did no harm.
    public func sceneDidBecomeActive(_ scene: UIScene) {
        front.insert(scene.session.persistentIdentifier)
        hasLetGo = false
        mark(scene, isFront: true, becameActive: true)
    }

    /// Records that the scene is no longer visible; UIKit asks for its state next.
    ///
    /// If it was the last scene in front, the store does its idle work, for some milliseconds.
    public func sceneDidEnterBackground(_ scene: UIScene) {
        front.remove(scene.session.persistentIdentifier)
        mark(scene, isFront: false, becameActive: false)
        guard front.isEmpty else {
            return
        }
        attempt(nil) { store throws(SceneStoreError) in
            try store.log.tend(now: environment.now(), isIdle: true)
            try store.log.syncSaves()
            _ = try store.upkeep.perform(budgetMilliseconds: 20)
        }
    }

    private func mark(_ scene: UIScene, isFront: Bool, becameActive: Bool) {
        attempt(scene.session) { store throws(SceneStoreError) in
            guard let record = try store.record(identifier: scene.session.persistentIdentifier)
            else {
                return
            }
            try endRestoring(scene.session, store)
            try store.marks.apply([
                MarkChange(key: record.key, isFront: isFront, becameActive: becameActive)
            ])
            let (lived, _) = environment.now().subtractingReportingOverflow(launchedAt)
            if !isFront, lived >= Self.stablePeriod {
                try settle(store)
            }
        }
    }

    /// This launch is stable: who was given its state is blamed no longer, the others are offered
    /// theirs once more (L-52).
    private func settle(_ store: SceneSessionStore) throws(SceneStoreError) {
        if restoring.isEmpty {
            try store.launches.settle(restored: suspects, version: appVersion)
        }
    }

    /// A session shows its state, or never will: a death of the process is not its doing.
    private func endRestoring(
        _ session: UISceneSession, _ store: SceneSessionStore
    ) throws(SceneStoreError) {
        let count = restoring.count
        restoring.removeAll { $0.identifier == session.persistentIdentifier }
        if restoring.count < count {
            try store.launches.setRestoring(key: restoring.last?.key)
        }
    }

    // MARK: The app

    /// Sessions are gone for good. Call it from `application(_:didDiscardSceneSessions:)`.
    ///
    /// If UIKit reports every session as discarded before a window connects, the user force-quit the
    /// app or closed its last window: iOS doesn't tell which. The session that was used last is then
    /// kept for the first new session (``scene(_:willConnectTo:options:)``).
    public func application(didDiscardSceneSessions sessions: Set<UISceneSession>) {
        attempt(nil) { store throws(SceneStoreError) in
            let names = Set(sessions.map(\.persistentIdentifier))
            let open = hasResumed ? nil : try store.openRecords()
            if let open, open.allSatisfy({ names.contains($0.identifier) }) {
                var roles: Set<SceneSessionRole> = []
                forgotten = open.filter { roles.insert($0.role).inserted }
            }
        }
        let kept = Set(forgotten.map(\.identifier))
        for session in sessions {
            front.remove(session.persistentIdentifier)
            attempt(session) { store throws(SceneStoreError) in
                try endRestoring(session, store)
                if let record = try store.record(identifier: session.persistentIdentifier),
                    record.isOpen, !kept.contains(record.identifier)
                {
                    try discard([record], store)
                }
            }
        }
    }

    private func discard(
        _ records: [SessionRecord], _ store: SceneSessionStore
    ) throws(SceneStoreError) {
        let keys = records.map(\.key)
        if !keys.isEmpty {
            try store.write(.full) { transaction throws(SceneStoreError) in
                try transaction.discard(keys, cause: .user, deliveredNow: true, asGroup: true)
            }
            try store.discards.mark(keys, .delivered)
        }
    }

    /// Records that the process ends cleanly. Later calls are not recorded.
    public func applicationWillTerminate() {
        hasEnded = true
        attempt(nil) { store throws(SceneStoreError) in
            try settle(store)
            try store.launches.end(.quit)
            try store.close()
        }
    }

    // MARK: The store

    /// Lets the container go while nothing is in front.
    private func letStoreGo() {
        guard hasLetGo, !hasEnded, front.isEmpty, !store.isSuspended else {
            return
        }
        do throws(SceneStoreError) {
            try store.suspend()
        } catch {
            report(error, nil)
        }
    }

    /// Works with the store, which takes the container back if it was let go. In the background it
    /// has it for as long as the work lasts.
    private func attempt(
        _ session: UISceneSession?,
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Void
    ) {
        do throws(SceneStoreError) {
            try work(store)
        } catch {
            report(error, session)
        }
        reportFindings()
        letStoreGo()
    }

    /// Hands on what the store found; what nobody listens to waits.
    private func reportFindings() {
        guard let diagnosticHandler else {
            return
        }
        openingFindings.forEach(diagnosticHandler)
        openingFindings = []
        store.tellDiagnostics(diagnosticHandler)
    }

    private func report(_ error: SceneStoreError, _ session: UISceneSession?) {
        let diagnostic = Diagnostic(
            .init(error.code.rawValue), .error, error.message, path: error.path, fix: error.fix,
            sessionIdentifier: session.map { SceneSession.ID($0.persistentIdentifier) })
        if let diagnosticHandler {
            diagnosticHandler(diagnostic)
        } else {
            diagnostic.printToStandardError()
        }
    }
}

extension SceneStoreError.Code {
    /// A state is withheld, because a process died while it showed that state.
    public static let restorationWithheld = Self("restorationWithheld")
}

/// A new session that takes the place of one that the system has forgotten (L-40).
extension SceneSessionStore {
    /// Makes an open session in the place of a lost one, whose `userInfo`, state and count of crashes
    /// it takes over; the lost one is removed without a discard. One durable transaction, for a process
    /// may die at any moment.
    ///
    /// Throws as ``insertSession(identifier:configuration:userInfo:isFront:becameActive:presentedValue:durability:)``.
    func adoptSession(
        _ lost: SessionRecord, identifier: String, configuration: SceneConfiguration,
        context: SaveContext
    ) throws(SceneStoreError) -> SessionRecord {
        try using { db throws(SceneStoreError) in
            let old = try db.knownSession(lost.key)
            let remembered = try db.wholeSession(lost)
            let new = Database.NewSession(
                quiet: identifier, configuration, remembered.userInfo)
            var state: EncodedState?
            if var activity = remembered.stateRestorationActivity {
                activity.needsSave = false
                state = try db.encoder.encode(activity)
            }
            return try db.write(.full) { transaction throws(SceneStoreError) in
                let session = try transaction.insertRow(new)
                try transaction.updateRow(session) { $0.crashCount = old.row.crashCount }
                if let state {
                    let changes = try transaction.db.changes(
                        [StateToSave(key: session.row.id, encoded: state)], [], [], context)
                    try transaction.apply(changes, context)
                }
                transaction.note(.forget, old.row.identifier)
                try transaction.deleteSession(old)
                return try transaction.db.record(session.row)
            }
        }
    }
}
