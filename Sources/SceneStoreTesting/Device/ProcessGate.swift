import SceneStore
import SceneStoreInstance

/// How the processes of a device come to own its container, and reach the one that does (L-77). A
/// device without one opens the store, and hands over, by itself.
package protocol ProcessGate: AnyObject {
    /// Opens the container for a process that launches; with `isTakingOver` for the one that handed
    /// payloads to a process that died.
    func open(
        _ payloads: [Payload], isTakingOver: Bool, options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> SceneSessionStore
    /// What the launch of the process is given.
    func admit(to application: SceneApplication) throws(SceneStoreError) -> [Payload]
    /// The process has launched, and hears others.
    func listen(for application: SceneApplication)
    /// Starts a process beside the one that runs, with an open container's options. Returns why each
    /// payload was declined, or nil if the one that runs died before it answered.
    func handOver(
        _ payloads: [ForwardedPayload], options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> [SceneStoreError?]?
    /// The process is gone.
    func end()
}
