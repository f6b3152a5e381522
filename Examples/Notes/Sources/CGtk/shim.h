// What Swift can't import of GTK: macros and variadic functions.
#pragma once
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>
#include <X11/extensions/Xrandr.h>

static inline void notes_connect(gpointer object, const char *signal, GCallback callback, gpointer data) {
    g_signal_connect(object, signal, callback, data);
}

static inline void notes_print(GApplicationCommandLine *line, const char *text) {
    g_application_command_line_print(line, "%s", text);
}

// A logout then ends the main loop; GTK 4.22 registers unasked.
static inline void notes_register_session(GtkApplication *application) {
    g_object_set(application, "register-session", TRUE, NULL);
}

static inline void notes_keep_still(void) {
    g_object_set(gtk_settings_get_default(), "gtk-cursor-blink", FALSE, "gtk-enable-animations",
                 FALSE, NULL);
}

static inline GtkWidget *notes_question(GtkWindow *window, const char *text) {
    GtkWidget *question = gtk_message_dialog_new(
        window, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
        "%s", text);
    gtk_window_set_title(GTK_WINDOW(question), text);
    gtk_dialog_add_buttons(GTK_DIALOG(question), "_Don't save", GTK_RESPONSE_NO, "_Cancel",
                           GTK_RESPONSE_CANCEL, "_Save", GTK_RESPONSE_YES, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(question), GTK_RESPONSE_YES);
    return question;
}

// GTK 4 leaves a window's place to the window manager; X11 lets an app ask for it, and hear of it.

static inline gulong notes_identifier(GtkWindow *window) {
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    return surface && GDK_IS_X11_SURFACE(surface) ? gdk_x11_surface_get_xid(surface) : 0;
}

static inline Display *notes_display(void) {
    GdkDisplay *display = gdk_display_get_default();
    return display && GDK_IS_X11_DISPLAY(display) ? gdk_x11_display_get_xdisplay(display) : NULL;
}

static inline gboolean notes_get_place(GtkWindow *window, int *x, int *y) {
    Window child;
    return notes_identifier(window) &&
           XTranslateCoordinates(notes_display(), notes_identifier(window),
                                 DefaultRootWindow(notes_display()), 0, 0, x, y, &child);
}

static inline void notes_set_place(GtkWindow *window, int x, int y) {
    if (!notes_identifier(window)) return;
    XMoveWindow(notes_display(), notes_identifier(window), x, y);
    XFlush(notes_display());
}

// The window that an event of X11 says has moved; 0 for other events.
static inline gulong notes_moved_window(gpointer event) {
    XEvent *x = event;
    return x->type == ConfigureNotify ? x->xconfigure.window : 0;
}

static inline void notes_hear_moves(GCallback callback, gpointer data) {
    if (notes_display()) g_signal_connect(gdk_display_get_default(), "xevent", callback, data);
}

// The displays, as RandR has them: GDK leaves out those that are a part of an output.

typedef void (*NotesDisplayTaker)(const char *name, int x, int y, int width, int height, gpointer data);

static inline void notes_each_display(NotesDisplayTaker take, gpointer data) {
    Display *display = notes_display();
    int count = 0;
    if (!display) return;
    XRRMonitorInfo *monitors = XRRGetMonitors(display, DefaultRootWindow(display), True, &count);
    for (int i = 0; i < count; i++) {
        char *name = XGetAtomName(display, monitors[i].name);
        take(name, monitors[i].x, monitors[i].y, monitors[i].width, monitors[i].height, data);
        XFree(name);
    }
    if (monitors) XRRFreeMonitors(monitors);
}

// Whether an event of X11 says that displays came, went or changed.
static inline gboolean notes_displays_changed(gpointer event) {
    XEvent *x = event;
    int base = 0, error = 0;
    if (x->type == ConfigureNotify) return x->xconfigure.window == DefaultRootWindow(notes_display());
    return XRRQueryExtension(notes_display(), &base, &error) && x->type == base + RRScreenChangeNotify;
}
