/// Tells calls that only write a log from those that do something.
enum LogCalls {
    private static let names: Set<String> = [
        "print", "debugPrint", "dump", "NSLog", "os_log", "os_log_info", "os_log_debug",
        "os_log_error", "printf", "assert", "assertionFailure", "precondition", "NSAssert",
        "CLSLog", "CLSNSLog", "NSParameterAssert", "fprintf", "puts",
    ]

    /// Whether a function, or the receiver of a method, is a log by its name.
    static func isLog(_ name: String) -> Bool {
        if names.contains(name) {
            return true
        }
        let parts = parts(of: name)
        if parts.last == "print" || parts.last == "println" {
            return true
        }
        guard
            let index = parts.firstIndex(where: {
                $0 == "log" || $0 == "logger" || $0 == "logs" || $0 == "logging"
            })
        else {
            return false
        }
        // `logIn`, `logOut`.
        return index + 1 == parts.count || !["in", "out", "on", "off"].contains(parts[index + 1])
    }

    /// Whether a method writes to a log, if what has it is one.
    static func isLevel(_ name: String) -> Bool {
        [
            "trace", "verbose", "debug", "info", "notice", "warning", "warn", "error", "critical",
            "fault", "log",
        ].contains(name)
    }

    /// The words of a name in camel case, in small letters.
    private static func parts(of name: String) -> [String] {
        var parts: [String] = []
        var current = ""
        let letters = Array(name.unicodeScalars)
        for (index, letter) in letters.enumerated() {
            let isUpper = ("A"..."Z").contains(letter)
            let beginsWord =
                isUpper
                && (index == 0 || !("A"..."Z").contains(letters[index - 1])
                    || (index + 1 < letters.count && ("a"..."z").contains(letters[index + 1])))
            if beginsWord || letter == "_" {
                if !current.isEmpty {
                    parts.append(current.lowercased())
                }
                current = letter == "_" ? "" : String(letter)
            } else {
                current.unicodeScalars.append(letter)
            }
        }
        return current.isEmpty ? parts : parts + [current.lowercased()]
    }
}
