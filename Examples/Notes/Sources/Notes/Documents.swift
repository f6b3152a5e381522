import CGtk

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The notes that the user has saved, a file each.
struct Documents {
    /// What was saved under a name.
    subscript(_ note: String) -> String? {
        get { Self.read(path(of: note)) }
        nonmutating set { Self.write(newValue ?? "", to: path(of: note)) }
    }

    /// A preference: whether lines are wrapped.
    var wrapsLines: Bool {
        get { Self.read(Self.folder + "/unwrapped") == nil }
        nonmutating set {
            let path = Self.folder + "/unwrapped"
            if newValue {
                remove(path)
            } else {
                Self.write("", to: path)
            }
        }
    }

    private static let folder = String(cString: g_get_user_data_dir()) + "/notes"

    /// A note's name names no other folder.
    private func path(of note: String) -> String {
        Self.folder + "/" + note.split(separator: "/").joined(separator: "-") + ".txt"
    }

    private static func read(_ path: String) -> String? {
        var bytes: UnsafeMutablePointer<gchar>?
        guard g_file_get_contents(path, &bytes, nil, nil) != 0, let bytes else {
            return nil
        }
        defer { g_free(bytes) }
        return String(cString: bytes)
    }

    private static func write(_ text: String, to path: String) {
        g_mkdir_with_parents(folder, 0o700)
        var failure: UnsafeMutablePointer<GError>?
        if g_file_set_contents(path, text, -1, &failure) == 0, let failure {
            print("notes: \(String(cString: failure.pointee.message))")
            g_error_free(failure)
        }
    }
}
