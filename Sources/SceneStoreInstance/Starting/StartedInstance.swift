import SceneStore

/// The outcome of a process that started (L-77).
///
/// ```swift
/// let started = try SceneApplication.start(at: .directory(path + "/notes")) { store in
///     SceneApplication(store: store, delegate: NotesApp())
/// }
/// if case .running(let application) = started {
///     running = application  // this process owns the windows
///     try application.launch()  // when the toolkit can show them
/// }
/// ```
public enum StartedInstance<Application> {
    /// It owns the container, and listens for others. It has not launched: keep it, and launch it.
    case running(Application)
    /// Another process runs and got the payloads; the receipts have the outcome of each, in order.
    ///
    /// Without a payload, the receipt has the window that came forward. This process has nothing
    /// left to do.
    case forwarded(to: [PayloadReceipt])
}
