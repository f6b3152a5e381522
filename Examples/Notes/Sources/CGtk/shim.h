// What Swift can't import of GTK: macros and variadic functions.
#pragma once
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

static inline void notes_connect(gpointer object, const char *signal, GCallback callback, gpointer data) {
    g_signal_connect(object, signal, callback, data);
}

static inline void notes_print(GApplicationCommandLine *line, const char *text) {
    g_application_command_line_print(line, "%s", text);
}

static inline void notes_disable_cursor_blinking(void) {
    g_object_set(gtk_settings_get_default(), "gtk-cursor-blink", FALSE, "gtk-enable-animations",
                 FALSE, NULL);
}

// GTK 4 leaves a window's place to the window manager; X11 lets an app ask.

static inline gboolean notes_get_place(GtkWindow *window, int *x, int *y) {
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    if (!surface || !GDK_IS_X11_SURFACE(surface)) return FALSE;
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    Window child;
    return XTranslateCoordinates(display, gdk_x11_surface_get_xid(surface),
                                 DefaultRootWindow(display), 0, 0, x, y, &child);
}

static inline void notes_set_place(GtkWindow *window, int x, int y) {
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    if (!surface || !GDK_IS_X11_SURFACE(surface)) return;
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    XMoveWindow(display, gdk_x11_surface_get_xid(surface), x, y);
    XFlush(display);
}
