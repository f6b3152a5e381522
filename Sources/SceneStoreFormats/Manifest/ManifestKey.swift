import SceneStoreValues

/// The keys of an Info.plist that mean something here.
///
/// Swift ports of UIKit spell those that begin with `UI` without it; both spellings are read.
package enum ManifestKey {
    package static let manifest = "UIApplicationSceneManifest"
    package static let supportsMultipleScenes = "UIApplicationSupportsMultipleScenes"
    package static let supportsTabbedSceneCollection = "UIApplicationSupportsTabbedSceneCollection"
    package static let preferredDefaultRole = "UIApplicationPreferredDefaultSceneSessionRole"
    package static let configurations = "UISceneConfigurations"
    package static let supportsDashboard = "CPSupportsDashboardNavigationScene"
    package static let supportsInstrumentCluster = "CPSupportsInstrumentClusterNavigationScene"
    /// Since iOS 26.2: whether older systems are spared the instrument cluster's scene. It says
    /// nothing about sessions.
    package static let instrumentClusterOptions = "CPInstrumentClusterNavigationSceneOptions"

    package static let configurationName = "UISceneConfigurationName"
    package static let sceneClassName = "UISceneClassName"
    package static let delegateClassName = "UISceneDelegateClassName"
    package static let storyboardFile = "UISceneStoryboardFile"
    package static let initialImmersionStyle = "UISceneInitialImmersionStyle"

    package static let activityTypes = "NSUserActivityTypes"
    package static let urlTypes = "CFBundleURLTypes"
    package static let urlSchemes = "CFBundleURLSchemes"
    package static let bundleIdentifier = "CFBundleIdentifier"
    package static let bundleVersion = "CFBundleVersion"
    /// Written by Xcode into the built product, such as `iphoneos27.0`.
    package static let sdkName = "DTSDKName"

    /// Keys inside the manifest.
    package static let inManifest = [
        supportsMultipleScenes, supportsTabbedSceneCollection, preferredDefaultRole,
        configurations, supportsDashboard, supportsInstrumentCluster, instrumentClusterOptions,
    ]

    /// Keys inside a configuration.
    package static let inConfiguration = [
        configurationName, sceneClassName, delegateClassName, storyboardFile,
        initialImmersionStyle,
    ]

    /// Keys at the top level, in both spellings.
    package static let topLevel: Set<String> = [
        manifest, unprefixed(manifest), preferredDefaultRole, unprefixed(preferredDefaultRole),
        activityTypes, urlTypes, bundleIdentifier, bundleVersion, sdkName,
    ]

    /// Keys that belong to the top level and are often found inside a configuration.
    package static let misplaced = [
        "UILaunchStoryboardName", "UIMainStoryboardFile", "UILaunchScreen",
        "NSUserActivityTypes", "UIRequiredDeviceCapabilities",
    ]

    /// A key without `UI`.
    package static func unprefixed(_ key: String) -> String {
        key.utf8.starts(with: "UI".utf8) ? String(key.dropFirst(2)) : key
    }

    /// The known name that is most like another, if it is like it enough to be a slip.
    package static func nearest(to name: String, among known: [String]) -> String? {
        var best: (name: String, distance: Int)?
        for candidate in known {
            let distance = distance(Array(name.utf8), Array(candidate.utf8), atMost: 3)
            if let distance, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// Levenshtein's distance, or nil when it is greater than a bound.
    private static func distance(_ left: [UInt8], _ right: [UInt8], atMost bound: Int) -> Int? {
        guard abs(left.count - right.count) <= bound else {
            return nil
        }
        var row = Array(0...right.count)
        for (i, one) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (one == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count] <= bound ? row[right.count] : nil
    }
}
