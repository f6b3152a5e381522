import SceneStoreSQLite
import SceneStoreValues

extension SceneSessionStore {
    /// The place of a container (S-01).
    ///
    /// ```swift
    /// let memory = SceneSessionStore.Location.memory  // for previews and tests
    /// let folder = SceneSessionStore.Location.directory("/var/lib/notes")
    /// ```
    public enum Location: Sendable, Hashable {
        /// A directory that contains only `scenes.sqlite`, the lock file, backups and set-aside
        /// files.
        case directory(String)
        /// No file at all: for previews, tests, and when no disk is usable (S-14).
        case memory

        /// Returns the default location of an app's container.
        ///
        /// It is in `$XDG_STATE_HOME` (or else `~/.local/state`), on Apple platforms in Application
        /// Support, by bundle identifier and profile. Two profiles never share a container, even if
        /// the file system ignores case.
        ///
        /// Throws ``SceneStoreError/Code/invalidLocation`` for an empty or overlong name, and
        /// ``SceneStoreError/Code/missing`` if there is no home folder.
        public static func standard(
            bundleIdentifier: String, profile: String = "default"
        ) throws(SceneStoreError) -> Location {
            try standard(
                bundleIdentifier: bundleIdentifier, profile: profile,
                environment: System.environment)
        }

        /// The default place, under other environment variables than the process's.
        package static func standard(
            bundleIdentifier: String, profile: String = "default",
            environment: (String) -> String?
        ) throws(SceneStoreError) -> Location {
            try translating {
                .directory(
                    try ContainerPlace.path(
                        bundleIdentifier: bundleIdentifier, profile: profile,
                        environment: environment))
            }
        }
    }
}
