import CGtk
import SceneStore

/// Windows that are not shown, or shown without the text that was saved.
struct MissingWindow {
    /// What brings them back; nil for one that is gone with what a damaged store lost.
    let windows: ReturnableWindows?
    let title: String
    /// What is the matter, and why.
    let matter: String

    init(_ windows: ReturnableWindows) {
        self.windows = windows
        title = windows.sessions.map { $0.title ?? "Untitled" }.joined(separator: ", ")
        let word =
            switch windows.cause {
            case .closed: "closed"
            case .parked(.leftBehind): "left behind"
            case .parked: "parked"
            case .held: "held"
            case .withheld: "withheld"
            case .waiting: "waiting"
            }
        matter = "\(word): \(windows.reason)"
    }

    init(lost entry: LaunchLedger.Entry) {
        (windows, title, matter) = (nil, "A window", entry.reason)
    }
}

/// What did not come back, why, and how the user brings it back: public calls of the library alone.
extension NotesApp {
    /// The newest first. What was closed has its own way back.
    func missingWindows() throws(SceneStoreError) -> [MissingWindow] {
        guard let application = hosted?.application else {
            return []
        }
        let lost = application.launchLedger.exceptions.filter { $0.outcome == .lost }
        return try application.returnableWindows().filter { $0.cause != .closed }
            .map(MissingWindow.init) + lost.map(MissingWindow.init(lost:))
    }

    /// Its window comes to the front, with what was saved.
    func bringBack(_ missing: MissingWindow) throws(SceneStoreError) {
        if let windows = missing.windows {
            try hosted?.application.bringBack(windows)
        }
    }
}

/// Lists the windows that did not come back, with a button for each and one for all. It has no
/// session: it never comes back itself.
final class RestorePage {
    /// What a button brings back.
    private final class Row {
        unowned let page: RestorePage
        let missing: MissingWindow
        let button: UnsafeMutablePointer<GtkWidget>

        init(_ page: RestorePage, _ missing: MissingWindow) {
            self.page = page
            self.missing = missing
            button = gtk_button_new_with_label("Bring back")
        }

        func bringBack() { page.bringBack([missing]) }
    }

    private unowned let app: NotesApp
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var rows: [Row] = []
    private var window: UnsafeMutablePointer<GtkWindow> { cast(widget) }

    init(_ app: NotesApp) {
        self.app = app
        widget = gtk_application_window_new(app.pointer)
        gtk_window_set_titlebar(window, gtk_header_bar_new())
        gtk_window_set_title(window, "Restore windows")
        let closed: Signal.Plain = { _, data in data.object(RestorePage.self)?.app.restorePage = nil
        }
        Signal.connect(widget, "destroy", self, closed)
    }

    var isActive: Bool { gtk_window_is_active(window) != 0 }

    func close() { gtk_window_destroy(window) }

    func show(_ missing: [MissingWindow]) {
        rows = missing.map { Row(self, $0) }
        gtk_window_set_child(window, content())
        gtk_window_present(window)
    }

    /// A line for each window, with where its button is, once that is laid out.
    var description: String {
        rows.map { row in
            let missing = row.missing
            let (width, height) = (
                gtk_widget_get_width(row.button), gtk_widget_get_height(row.button)
            )
            var (x, y) = (0.0, 0.0)
            gtk_widget_translate_coordinates(
                row.button, widget, Double(width) / 2, Double(height) / 2, &x, &y)
            return "Missing \"\(missing.title)\" \(missing.matter)"
                + (width > 0 ? " at \(Int(x)),\(Int(y))\n" : "\n")
        }.joined()
    }

    private func bringBack(_ missing: [MissingWindow]) {
        // The most recently active one last, so that it is in front.
        for window in missing.reversed() {
            app.attempt { () throws(SceneStoreError) in try app.bringBack(window) }
        }
        app.showMissing()
    }

    // MARK: Drawing

    private func content() -> UnsafeMutablePointer<GtkWidget>? {
        let list = gtk_list_box_new()
        gtk_list_box_set_selection_mode(OpaquePointer(list), GTK_SELECTION_NONE)
        gtk_list_box_set_show_separators(OpaquePointer(list), 1)
        rows.forEach { gtk_list_box_append(OpaquePointer(list), line(for: $0)) }
        let scroller = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(OpaquePointer(scroller), list)
        gtk_scrolled_window_set_policy(
            OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(OpaquePointer(scroller), 1)
        gtk_scrolled_window_set_max_content_height(OpaquePointer(scroller), 400)
        let clicked: Signal.Plain = { _, data in
            if let page = data.object(RestorePage.self) {
                page.bringBack(page.rows.map(\.missing))
            }
        }
        guard let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
            let all = gtk_button_new_with_mnemonic("Bring _all back")
        else {
            return nil
        }
        gtk_widget_add_css_class(all, "suggested-action")
        gtk_widget_set_halign(all, GTK_ALIGN_END)
        inset(all)
        Signal.connect(all, "clicked", self, clicked)
        gtk_box_append(cast(box), scroller)
        gtk_box_append(cast(box), all)
        return box
    }

    private func line(for row: Row) -> UnsafeMutablePointer<GtkWidget>? {
        let missing = row.missing
        guard let line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12),
            let names = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2)
        else {
            return nil
        }
        gtk_widget_set_hexpand(names, 1)
        gtk_box_append(cast(names), label(missing.title, "heading"))
        gtk_box_append(
            cast(names), label(missing.matter, "dim-label"))
        gtk_widget_set_valign(row.button, GTK_ALIGN_CENTER)
        gtk_widget_set_sensitive(row.button, missing.windows == nil ? 0 : 1)
        let clicked: Signal.Plain = { _, data in data.object(Row.self)?.bringBack() }
        Signal.connect(row.button, "clicked", row, clicked)
        gtk_box_append(cast(line), names)
        gtk_box_append(cast(line), row.button)
        inset(line)
        return line
    }

    private func label(_ text: String, _ style: String) -> UnsafeMutablePointer<GtkWidget>? {
        let label = gtk_label_new(text)
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_label_set_wrap(OpaquePointer(label), 1)
        gtk_label_set_width_chars(OpaquePointer(label), 38)
        gtk_label_set_max_width_chars(OpaquePointer(label), 38)
        gtk_widget_add_css_class(label, style)
        return label
    }

    private func inset(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_set_margin_start(widget, 12)
        gtk_widget_set_margin_end(widget, 12)
        gtk_widget_set_margin_top(widget, 8)
        gtk_widget_set_margin_bottom(widget, 8)
    }
}
