#if canImport(Darwin)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
#endif

/// Where a container lies when the app does not say (S-01).
package enum DefaultContainerPath {
    /// `<state folder>/<bundle identifier>/scenes/<profile>`.
    ///
    /// The state folder is `$XDG_STATE_HOME`, else `~/.local/state`; on Apple's platforms it is
    /// Application Support. Different bundles and profiles have different folders, also on disks
    /// that take capital and small letters for the same.
    package static func path(
        bundleIdentifier: String, profile: String = "default",
        environment: (String) -> String? = System.environment
    ) throws(ContainerError) -> String {
        let bundle = try component(bundleIdentifier, what: "bundle identifier")
        let profile = try component(profile, what: "profile name")
        return "\(try stateFolder(environment))/\(bundle)/scenes/\(profile)"
    }

    #if canImport(Darwin)
        private static func stateFolder(
            _ environment: (String) -> String?
        ) throws(ContainerError) -> String {
            URL.applicationSupportDirectory.path(percentEncoded: false)
        }
    #else
        private static func stateFolder(
            _ environment: (String) -> String?
        ) throws(ContainerError) -> String {
            // The XDG specification has relative paths ignored.
            if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
                return trimmed(state)
            }
            for case let home? in [environment("HOME"), System.home] where home.hasPrefix("/") {
                return trimmed(home) + "/.local/state"
            }
            throw ContainerError(
                .missing, "there is no home folder; set XDG_STATE_HOME to an absolute path")
        }

        private static func trimmed(_ path: String) -> String {
            var path = Substring(path)
            while path.hasSuffix("/") { path.removeLast() }
            return String(path)
        }
    #endif

    /// A name as one component of a path. Small letters, digits, `-`, `_` and inner dots stand
    /// for themselves; every other byte becomes `%XX`, so that no two names meet.
    private static func component(
        _ name: String, what: String
    ) throws(ContainerError) -> String {
        let result = percentEncoded(name) { byte, isFirst in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            case UInt8(ascii: "."): !isFirst
            default: false
            }
        }
        guard !result.isEmpty, result.utf8.count <= 240 else {
            throw ContainerError(.invalidName, "the \(what) is empty or too long")
        }
        return result
    }
}
