import SceneStoreValues

/// The rules for a link's form, which are checked before anything else.
///
/// ```swift
/// var policy = LinkPolicy()
/// policy.maximumBytes = 512
/// let link = try CheckedLink("deeplink://videos", policy: policy)
/// ```
public struct LinkPolicy: Hashable, Sendable {
    /// The longest link in bytes; 2 048. Every check is linear in the length.
    public var maximumBytes: Int = 2_048
    /// Hosts that may hold internationalised labels (`xn--…`), in their ASCII spelling.
    ///
    /// Look-alike names are written with such labels, so they must be listed one by one.
    public var listedHosts: Set<String> = []
    /// Whether links of a custom scheme may carry user information, as `ssh://user@host` does.
    public var allowsUserInfo = false
    /// Whether links of a custom scheme may carry a port, as `ssh://host:22` does.
    public var allowsPort = false

    /// Makes the default policy.
    public init() {}

    /// Schemes that never route, even if an app declares them.
    public static let forbiddenSchemes: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "jar", "javascript", "vbscript",
        "view-source",
    ]
}
