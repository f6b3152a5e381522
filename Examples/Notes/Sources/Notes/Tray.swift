import CGtk

/// The app's icon in the desktop's tray: a StatusNotifierItem on the session bus, which panels such as
/// KDE's, Xfce's and Waybar show. A click asks for the windows.
final class Tray {
    private static let path = "/StatusNotifierItem"
    private static let watcher = "org.kde.StatusNotifierWatcher"
    private static let interface = """
        <node><interface name='org.kde.StatusNotifierItem'>
          <property name='Category' type='s' access='read'/>
          <property name='Id' type='s' access='read'/>
          <property name='Title' type='s' access='read'/>
          <property name='Status' type='s' access='read'/>
          <property name='IconName' type='s' access='read'/>
          <property name='ItemIsMenu' type='b' access='read'/>
          <method name='Activate'><arg type='i' direction='in'/><arg type='i' direction='in'/></method>
          <method name='SecondaryActivate'>
            <arg type='i' direction='in'/><arg type='i' direction='in'/>
          </method>
        </interface></node>
        """

    private let clicked: () -> Void
    private let connection: OpaquePointer
    private let calls = UnsafeMutablePointer<GDBusInterfaceVTable>.allocate(capacity: 1)

    /// Shows the icon wherever there is a tray, also one that appears later.
    init?(on connection: OpaquePointer?, clicked: @escaping () -> Void) {
        guard let connection else {
            return nil
        }
        self.connection = connection
        self.clicked = clicked
        calls.initialize(to: GDBusInterfaceVTable())
        calls.pointee.method_call = { _, _, _, _, _, _, call, data in
            data.object(Tray.self)?.clicked()
            g_dbus_method_invocation_return_value(call, nil)
        }
        calls.pointee.get_property = { _, _, _, _, name, _, _ in
            Tray.property(name.map { String(cString: $0) } ?? "")
        }
        let node = g_dbus_node_info_new_for_xml(Self.interface, nil)
        defer { g_dbus_node_info_unref(node) }
        g_dbus_connection_register_object(
            connection, Self.path,
            g_dbus_node_info_lookup_interface(node, "org.kde.StatusNotifierItem"), calls,
            Unmanaged.passUnretained(self).toOpaque(), nil, nil)
        g_bus_watch_name_on_connection(
            connection, Self.watcher, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, _, data in data.object(Tray.self)?.register() }, nil,
            Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    /// Tells the tray that there is an icon.
    private func register() {
        var argument = g_variant_new_string(Self.path)
        g_dbus_connection_call(
            connection, Self.watcher, "/StatusNotifierWatcher", Self.watcher,
            "RegisterStatusNotifierItem", g_variant_new_tuple(&argument, 1), nil,
            G_DBUS_CALL_FLAGS_NONE, -1, nil, nil, nil)
    }

    private static func property(_ name: String) -> OpaquePointer? {
        switch name {
        case "Category": g_variant_new_string("ApplicationStatus")
        case "Status": g_variant_new_string("Active")
        case "IconName": g_variant_new_string("accessories-text-editor")
        case "ItemIsMenu": g_variant_new_boolean(0)
        default: g_variant_new_string("Notes")
        }
    }
}
