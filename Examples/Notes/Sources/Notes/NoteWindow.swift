import CGtk

/// A window: an editor of one note, or an inspector that counts a note's words.
final class NoteWindow {
    enum Kind {
        case editor
        case inspector
    }

    let kind: Kind
    let widget: UnsafeMutablePointer<GtkWidget>
    private unowned let app: NotesApp
    private let textView: UnsafeMutablePointer<GtkWidget>
    private let scroller: UnsafeMutablePointer<GtkWidget>
    /// Where to scroll to once the text is laid out far enough.
    private var wantedScroll: Double?
    private var wantedPlace: (x: Int, y: Int)?

    /// The note's name; the window's title follows it.
    var note: String {
        didSet { gtk_window_set_title(window, title) }
    }

    var title: String { kind == .editor ? note : "About \(note)" }

    init(_ app: NotesApp, kind: Kind, note: String) {
        self.app = app
        self.kind = kind
        self.note = note
        widget = gtk_application_window_new(cast(app.pointer))
        textView = gtk_text_view_new()
        scroller = gtk_scrolled_window_new()
        size = kind == .editor ? (420, 300) : (300, 170)
        gtk_window_set_titlebar(window, gtk_header_bar_new())
        gtk_window_set_title(window, title)
        gtk_text_view_set_wrap_mode(cast(textView), GTK_WRAP_WORD_CHAR)
        gtk_text_view_set_left_margin(cast(textView), 12)
        gtk_text_view_set_right_margin(cast(textView), 12)
        gtk_text_view_set_top_margin(cast(textView), 10)
        if kind == .inspector {
            gtk_text_view_set_editable(cast(textView), 0)
            gtk_text_view_set_cursor_visible(cast(textView), 0)
        }
        gtk_scrolled_window_set_child(OpaquePointer(scroller), textView)
        gtk_scrolled_window_set_overlay_scrolling(OpaquePointer(scroller), 0)
        gtk_window_set_child(window, scroller)
        gtk_window_set_focus(window, textView)
        connect()
    }

    private var window: UnsafeMutablePointer<GtkWindow> { cast(widget) }
    private var buffer: UnsafeMutablePointer<GtkTextBuffer> {
        gtk_text_view_get_buffer(cast(textView))
    }
    private var adjustment: UnsafeMutablePointer<GtkAdjustment> {
        gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
    }

    // MARK: What it shows

    var text: String {
        get {
            var start = GtkTextIter()
            var end = GtkTextIter()
            gtk_text_buffer_get_bounds(buffer, &start, &end)
            guard let bytes = gtk_text_buffer_get_text(buffer, &start, &end, 1) else {
                return ""
            }
            defer { g_free(bytes) }
            return String(cString: bytes)
        }
        set { gtk_text_buffer_set_text(buffer, newValue, -1) }
    }

    /// In characters from the beginning, as GTK counts them.
    var cursor: Int {
        get {
            var position = GtkTextIter()
            gtk_text_buffer_get_iter_at_mark(
                buffer, &position, gtk_text_buffer_get_insert(buffer))
            return Int(gtk_text_iter_get_offset(&position))
        }
        set {
            var position = GtkTextIter()
            gtk_text_buffer_get_iter_at_offset(buffer, &position, gint(clamping: newValue))
            gtk_text_buffer_place_cursor(buffer, &position)
        }
    }

    /// The first visible line of pixels.
    var scroll: Double {
        get { wantedScroll ?? gtk_adjustment_get_value(adjustment) }
        set {
            wantedScroll = newValue
            scrollAsWanted()
        }
    }

    private func scrollAsWanted() {
        let last = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        if let wanted = wantedScroll, gtk_widget_get_mapped(widget) != 0, last >= wanted {
            wantedScroll = nil
            gtk_adjustment_set_value(adjustment, wanted)
        }
    }

    var size: (width: Int, height: Int) {
        get {
            var width: gint = 0
            var height: gint = 0
            gtk_window_get_default_size(window, &width, &height)
            return (Int(width), Int(height))
        }
        set {
            gtk_window_set_default_size(
                window, gint(clamping: newValue.width), gint(clamping: newValue.height))
        }
    }

    /// Where it is on the screen, where the display system tells.
    var place: (x: Int, y: Int)? {
        get {
            var x: gint = 0
            var y: gint = 0
            guard wantedPlace == nil, notes_get_place(window, &x, &y) != 0 else {
                return wantedPlace
            }
            return (Int(x), Int(y))
        }
        set { wantedPlace = newValue }
    }

    // MARK: Showing

    func present() {
        gtk_window_present(window)
        if let place = wantedPlace {
            wantedPlace = nil
            notes_set_place(window, gint(clamping: place.x), gint(clamping: place.y))
        }
        scrollAsWanted()
    }

    func destroy() {
        gtk_window_destroy(window)
    }

    // MARK: Listening

    private func connect() {
        let changed: Signal.Plain = { _, data in data.object(NoteWindow.self)?.changed() }
        let noted: Signal.Detailed = { _, _, data in data.object(NoteWindow.self)?.changed() }
        let moved: Signal.Plain = { _, data in data.object(NoteWindow.self)?.scrolled() }
        let focused: Signal.Detailed = { _, _, data in data.object(NoteWindow.self)?.focused() }
        let closing: Signal.Question = { _, data in
            if let window = data.object(NoteWindow.self) {
                window.app.userCloses(window)
            }
            // The app takes the window away itself, once its session is gone.
            return 1
        }
        Signal.connect(buffer, "changed", self, changed)
        Signal.connect(buffer, "notify::cursor-position", self, noted)
        Signal.connect(adjustment, "value-changed", self, moved)
        Signal.connect(adjustment, "changed", self, moved)
        Signal.connect(widget, "notify::default-width", self, noted)
        Signal.connect(widget, "notify::default-height", self, noted)
        Signal.connect(widget, "notify::is-active", self, focused)
        Signal.connect(widget, "close-request", self, closing)
    }

    private func changed() {
        app.didChange(self)
    }

    private func scrolled() {
        scrollAsWanted()
        app.didChange(self)
    }

    private func focused() {
        if gtk_window_is_active(window) != 0 {
            app.didBecomeActive(self)
        }
    }
}
