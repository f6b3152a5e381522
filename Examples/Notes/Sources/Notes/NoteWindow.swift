import CGtk
import SceneStore

/// A window: an editor of one note, an inspector that counts a note's words, or the preferences.
final class NoteWindow {
    enum Kind {
        case editor
        case privateEditor
        case inspector
        case preferences

        init(_ session: SceneSession) {
            switch session.configuration.name {
            case "Inspector": self = .inspector
            case "Private": self = .privateEditor
            case "Preferences": self = .preferences
            default: self = .editor
            }
        }
    }

    let kind: Kind
    let widget: UnsafeMutablePointer<GtkWidget>
    private unowned let app: NotesApp
    private let textView: UnsafeMutablePointer<GtkWidget>
    private let scroller: UnsafeMutablePointer<GtkWidget>
    /// Where to scroll to once the text is laid out far enough.
    private var wantedScroll: Double?
    /// Where it is to be shown.
    private var wantedPlace: (x: Int, y: Int)?
    /// Where it is on its way to, moved by the app and not by the user.
    private var awaitedPlace: (x: Int, y: Int)?
    private var knownPlace: (x: Int, y: Int)?
    /// The question whether the window may close, while it is asked.
    private var question: UnsafeMutablePointer<GtkWidget>?

    /// The note's name; the window's title follows it.
    var note: String {
        didSet { gtk_window_set_title(window, title) }
    }

    var title: String {
        switch kind {
        case .editor: note
        case .privateEditor: "Private"
        case .inspector: "About \(note)"
        case .preferences: "Preferences"
        }
    }

    init(_ app: NotesApp, kind: Kind, note: String) {
        self.app = app
        self.kind = kind
        self.note = note
        widget = gtk_application_window_new(app.pointer)
        textView = gtk_text_view_new()
        scroller = gtk_scrolled_window_new()
        size = kind == .inspector || kind == .preferences ? (300, 170) : (420, 300)
        gtk_window_set_titlebar(window, gtk_header_bar_new())
        gtk_window_set_title(window, title)
        if kind == .preferences {
            showPreferences()
        } else {
            showText()
        }
        connect()
    }

    private func showText() {
        gtk_text_view_set_left_margin(cast(textView), 12)
        gtk_text_view_set_right_margin(cast(textView), 12)
        gtk_text_view_set_top_margin(cast(textView), 10)
        wrapLines(app.documents.wrapsLines)
        if kind == .inspector {
            gtk_text_view_set_editable(cast(textView), 0)
            gtk_text_view_set_cursor_visible(cast(textView), 0)
        }
        gtk_scrolled_window_set_child(OpaquePointer(scroller), textView)
        gtk_scrolled_window_set_overlay_scrolling(OpaquePointer(scroller), 0)
        gtk_window_set_child(window, scroller)
        gtk_window_set_focus(window, textView)
    }

    private func showPreferences() {
        let button: UnsafeMutablePointer<GtkWidget> = gtk_check_button_new_with_mnemonic(
            "_Wrap lines")
        gtk_check_button_set_active(cast(button), app.documents.wrapsLines ? 1 : 0)
        gtk_widget_set_margin_start(button, 12)
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        let toggled: Signal.Plain = { button, data in
            if let button {
                data.object(NoteWindow.self)?.app.wrapLines(
                    gtk_check_button_get_active(cast(button)) != 0)
            }
        }
        Signal.connect(button, "toggled", self, toggled)
        gtk_window_set_child(window, button)
    }

    private var window: UnsafeMutablePointer<GtkWindow> { cast(widget) }
    private var buffer: UnsafeMutablePointer<GtkTextBuffer> {
        gtk_text_view_get_buffer(cast(textView))
    }
    private var adjustment: UnsafeMutablePointer<GtkAdjustment> {
        gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
    }

    // MARK: What it shows

    var state: NoteState {
        get { NoteState(note: note, text: text, cursor: cursor, scroll: scroll) }
        set {
            (note, text) = (newValue.note, newValue.text)
            (cursor, scroll) = (newValue.cursor, newValue.scroll)
        }
    }

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
    private var cursor: Int {
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
    private var scroll: Double {
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

    func wrapLines(_ isWrapped: Bool) {
        gtk_text_view_set_wrap_mode(
            cast(textView), isWrapped ? GTK_WRAP_WORD_CHAR : GTK_WRAP_NONE)
    }

    func showFacts(of editor: NoteWindow) {
        let words = editor.text.split { $0 == " " || $0 == "\n" }.count
        let facts = "Words: \(words)\nCharacters: \(editor.text.count)\nCursor: \(editor.cursor)"
        if text != facts {
            text = facts
        }
    }

    // MARK: Where it is

    private var size: (width: Int, height: Int) {
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
    private var place: (x: Int, y: Int)? {
        var x: gint = 0
        var y: gint = 0
        guard wantedPlace == nil, notes_get_place(window, &x, &y) != 0 else {
            return wantedPlace
        }
        return (Int(x), Int(y))
    }

    /// Its size alone on Wayland, where no app knows the place.
    var placement: ScenePlacement? {
        get {
            guard size.width > 0 else {
                return nil
            }
            let place = place
            return ScenePlacement(
                x: place.map { Double($0.x) }, y: place.map { Double($0.y) },
                width: Double(size.width), height: Double(size.height))
        }
        set {
            guard let newValue else {
                return
            }
            size = (Int(newValue.width), Int(newValue.height))
            if let x = newValue.x, let y = newValue.y {
                wantedPlace = (Int(x), Int(y))
            }
        }
    }

    // MARK: Showing

    /// Whether the display system has seen it.
    private(set) var isDrawn = false

    var isActive: Bool { gtk_window_is_active(window) != 0 }

    func present() {
        gtk_window_present(window)
        moveAsWanted()
        scrollAsWanted()
    }

    func moveAsWanted() {
        if let place = wantedPlace {
            wantedPlace = nil
            awaitedPlace = place
            notes_set_place(window, gint(clamping: place.x), gint(clamping: place.y))
        }
    }

    func destroy() {
        gtk_window_destroy(window)
    }

    /// All that is seen of it, in one line.
    var description: String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let place = place.map { " at \($0.x),\($0.y)" } ?? ""
        return "\"\(title)\"\(isUnsaved ? " unsaved" : "")"
            + " cursor \(cursor) scroll \(Int(scroll))"
            + " size \(size.width)x\(size.height)\(place)"
            + " text \(lines.joined(separator: "|"))"
    }

    // MARK: Saving

    /// Whether the user saved something else under the note's name, or nothing.
    var isUnsaved: Bool { kind == .editor && text != app.documents[note] ?? "" }

    func save() {
        if kind == .editor {
            app.documents[note] = text
        }
    }

    /// Asks the user about a note that is not saved.
    func askUser() -> ClosingAnswer {
        guard question == nil, let question = notes_question(window, "Save \(note)?") else {
            return .later
        }
        self.question = question
        let answered: Signal.Response = { _, response, data in
            data.object(NoteWindow.self)?.answer(response)
        }
        Signal.connect(question, "response", self, answered)
        gtk_window_present(cast(question))
        return .later
    }

    private func answer(_ response: gint) {
        guard let question else {
            return
        }
        self.question = nil
        gtk_window_destroy(cast(question))
        if response == GTK_RESPONSE_YES.rawValue {
            save()
        }
        let mayClose =
            response == GTK_RESPONSE_YES.rawValue || response == GTK_RESPONSE_NO.rawValue
        app.answer(mayClose ? .close : .keep, for: self)
    }

    // MARK: Listening

    private func connect() {
        let changed: Signal.Plain = { _, data in data.object(NoteWindow.self)?.changed() }
        let noted: Signal.Detailed = { _, _, data in data.object(NoteWindow.self)?.changed() }
        let scrolled: Signal.Plain = { _, data in data.object(NoteWindow.self)?.scrolled() }
        let resized: Signal.Detailed = { _, _, data in data.object(NoteWindow.self)?.resized() }
        let focused: Signal.Detailed = { _, _, data in data.object(NoteWindow.self)?.focused() }
        let realized: Signal.Plain = { _, data in data.object(NoteWindow.self)?.hearOfDrawing() }
        let closing: Signal.Question = { _, data in
            if let window = data.object(NoteWindow.self) {
                window.app.hosted?.closeWindow(window)
            }
            // The app takes the window away itself, once its session is gone.
            return 1
        }
        Signal.connect(buffer, "changed", self, changed)
        Signal.connect(buffer, "notify::cursor-position", self, noted)
        Signal.connect(adjustment, "value-changed", self, scrolled)
        Signal.connect(adjustment, "changed", self, scrolled)
        Signal.connect(widget, "notify::default-width", self, resized)
        Signal.connect(widget, "notify::default-height", self, resized)
        Signal.connect(widget, "notify::is-active", self, focused)
        Signal.connect(widget, "close-request", self, closing)
        Signal.connect(widget, "realize", self, realized)
    }

    private func hearOfDrawing() {
        let drawn: Signal.Plain = { _, data in data.object(NoteWindow.self)?.drawn() }
        if let clock = gtk_widget_get_frame_clock(widget) {
            Signal.connect(UnsafeMutableRawPointer(clock), "after-paint", self, drawn)
        }
    }

    private func drawn() {
        if !isDrawn {
            isDrawn = true
            app.didDraw(self)
        }
    }

    private func changed() {
        app.didChange(self)
    }

    private func scrolled() {
        scrollAsWanted()
        app.didChange(self)
    }

    private func resized() {
        if awaitedPlace == nil {
            app.hosted?.windowDidMove(self)
        }
    }

    /// What X11 knows the window by.
    var identifier: UInt { notes_identifier(window) }

    /// X11 says that it may be elsewhere.
    func moved() {
        guard let place, wantedPlace == nil else {
            return
        }
        if let awaited = awaitedPlace {
            if place == awaited {
                (awaitedPlace, knownPlace) = (nil, place)
            }
        } else if knownPlace.map({ $0 != place }) ?? true {
            knownPlace = place
            app.hosted?.windowDidMove(self)
        }
    }

    private func focused() {
        if isActive {
            app.didBecomeActive(self)
        }
    }
}
