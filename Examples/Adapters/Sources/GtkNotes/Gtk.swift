import CGtk

/// GTK in Swift, as small as an adapter can do with: it knows nothing of SceneStore. The main loop is
/// GLib's, which runs no actor.
final class Gtk {
    private let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(
        "org.scenestore.GtkNotes", G_APPLICATION_NON_UNIQUE)

    /// Runs the main loop, which first calls `begin`, and goes on without windows until the app ends.
    func run(_ begin: @escaping () throws -> Void) {
        connect(application, "activate") { [self] in
            g_application_hold(cast(application))
            do {
                try begin()
            } catch {
                print(error)
                end()
            }
        }
        g_application_run(cast(application), 0, nil)
    }

    func end() { g_application_quit(cast(application)) }

    func addMenuItem(_ name: String, _ key: String, _ work: @escaping () -> Void) {
        guard let action = g_simple_action_new(name, nil) else { return }
        connect(UnsafeMutableRawPointer(action), "activate", work)
        g_action_map_add_action(OpaquePointer(application), action)
        key.withCString { key in
            var keys: [UnsafePointer<CChar>?] = [key, nil]
            gtk_application_set_accels_for_action(application, "app.\(name)", &keys)
        }
    }
}

/// A window, which isn't shown yet.
class NativeWindow {
    private let window: UnsafeMutablePointer<GtkWindow> = cast(gtk_window_new())
    /// The window has the focus.
    var didFocus: () -> Void = {}
    var didResize: () -> Void = {}
    /// The user wants to close it; it is there until it is destroyed.
    var closeRequested: () -> Void = {}

    init() {
        gtk_window_set_application(window, cast(g_application_get_default()))
        connect(window, "close-request") { [weak self] in self?.closeRequested() }
        connect(window, "notify::default-width") { [weak self] in self?.didResize() }
        connect(window, "notify::default-height") { [weak self] in self?.didResize() }
        connect(window, "notify::is-active") { [weak self] in
            if let self, isActive { didFocus() }
        }
    }

    var isActive: Bool { gtk_window_is_active(window) != 0 }
    var title: String {
        get { gtk_window_get_title(window).map { String(cString: $0) } ?? "" }
        set { gtk_window_set_title(window, newValue) }
    }
    var size: (width: Double, height: Double) {
        get {
            var (width, height): (gint, gint) = (0, 0)
            gtk_window_get_default_size(window, &width, &height)
            return (Double(width), Double(height))
        }
        set { gtk_window_set_default_size(window, gint(newValue.width), gint(newValue.height)) }
    }
    var child: UnsafeMutablePointer<GtkWidget>? {
        didSet { gtk_window_set_child(window, child) }
    }

    /// Shows it in front, and gives it the focus.
    func present() { gtk_window_present(window) }
    func close() { gtk_window_close(window) }
    func destroy() { gtk_window_destroy(window) }
}

/// What a C callback performs.
private final class Work {
    let perform: () -> Void
    init(_ perform: @escaping () -> Void) { self.perform = perform }

    var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }
    static func perform(_ data: gpointer?) {
        data.map { Unmanaged<Work>.fromOpaque($0).takeUnretainedValue().perform() }
    }
    static func release(_ data: gpointer?) {
        data.map { Unmanaged<Work>.fromOpaque($0).release() }
    }
}

/// Performs work on the main loop, later; may be called from any thread.
func perform(after milliseconds: Int64, _ work: @escaping () -> Void) {
    let called: @convention(c) (gpointer?) -> gboolean = {
        Work.perform($0)
        return 0
    }
    g_timeout_add_full(
        G_PRIORITY_DEFAULT, guint(clamping: milliseconds), called, Work(work).retained,
        { Work.release($0) })
}

/// Performs work at each signal of an object; at `close-request` the window stays.
func connect(_ source: UnsafeMutableRawPointer, _ signal: String, _ work: @escaping () -> Void) {
    // The data is the first argument, so the others don't matter.
    let called: @convention(c) (gpointer?) -> gboolean = {
        Work.perform($0)
        return 1
    }
    g_signal_connect_data(
        source, signal, unsafeBitCast(called, to: GCallback.self), Work(work).retained,
        { data, _ in Work.release(data) }, G_CONNECT_SWAPPED)
}

/// GObject's casts, which are macros in C.
func cast<Target>(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Target> {
    pointer.assumingMemoryBound(to: Target.self)
}
