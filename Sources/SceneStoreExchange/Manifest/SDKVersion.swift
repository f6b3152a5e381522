/// The version of the SDK that an app was built with, and what it means for an app without the scene
/// life cycle.
///
/// Follows Apple's
/// [TN3187](https://developer.apple.com/documentation/technotes/tn3187-migrating-to-the-uikit-scene-based-life-cycle).
struct SDKVersion: Comparable {
    let major: Int
    let minor: Int

    /// From here on UIKit logs that the process does not adopt the scene life cycle.
    static let logged = SDKVersion(major: 18, minor: 4)
    /// From here on UIKit ends such a process at its launch.
    static let required = SDKVersion(major: 27, minor: 0)

    init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The version in `iphoneos26.1` or `iphonesimulator26.1`; nil for another text, and for SDKs of
    /// other systems, whose numbers mean something else.
    init?(name: String) {
        let platforms = ["iphoneos", "iphonesimulator"]
        guard let platform = platforms.first(where: name.hasPrefix) else {
            return nil
        }
        let parts = name.dropFirst(platform.count).split(separator: ".").map { Int($0) }
        guard let major = parts.first ?? nil else {
            return nil
        }
        self.init(major: major, minor: (parts.count > 1 ? parts[1] : nil) ?? 0)
    }

    static func < (left: SDKVersion, right: SDKVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// What becomes of an app that adopts no scenes and was built with a version; nil is not known.
    static func consequence(of version: SDKVersion?) -> String {
        guard let version else {
            return "built with the SDK of iOS 27 or later, a UIKit app without scenes does not "
                + "launch; with that of iOS 18.4 to 26 the system logs that the process does not "
                + "adopt the scene life cycle"
        }
        let built =
            "built with the SDK of iOS \(version.major).\(version.minor), a UIKit app without "
        if version >= required {
            return built + "scenes does not launch"
        }
        if version >= logged {
            return built + "scenes makes the system log that the process does not adopt the scene "
                + "life cycle; built with that of iOS 27 it will not launch"
        }
        return built + "scenes has the life cycle from before scenes; built with that of iOS 27 it "
            + "will not launch"
    }
}
