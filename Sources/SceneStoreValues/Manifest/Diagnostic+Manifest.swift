extension Diagnostic.Code {
    /// A part of the manifest has the wrong type, or is empty.
    public static let malformedManifestValue = Self("malformedManifestValue")
    /// Two configurations of a role have one name; the second counts as absent.
    public static let duplicateConfigurationName = Self("duplicateConfigurationName")
    /// A configuration names no delegate class.
    public static let missingDelegateClass = Self("missingDelegateClass")
    /// A role has an empty list of configurations.
    public static let emptyConfigurations = Self("emptyConfigurations")
    /// A key of the manifest means nothing here.
    public static let unknownManifestKey = Self("unknownManifestKey")
    /// Keys are spelled without their `UI`.
    public static let unprefixedManifestKeys = Self("unprefixedManifestKeys")
    /// A key occurs in both spellings; the one with `UI` counts.
    public static let doubleManifestKey = Self("doubleManifestKey")
    /// A key occurs twice in one dictionary of an XML property list.
    public static let repeatedManifestKey = Self("repeatedManifestKey")

    /// The property list has no scene manifest.
    public static let noSceneManifest = Self("noSceneManifest")
    /// A role has several configurations, of which one is used unless code asks for another.
    public static let severalConfigurationsNeedProvider = Self("severalConfigurationsNeedProvider")
    /// A URL scheme is longer than some readers of links take.
    public static let longURLScheme = Self("longURLScheme")
    /// The manifest has no configurations.
    public static let noConfigurations = Self("noConfigurations")
    /// The manifest has configurations, but none for windows.
    public static let noWindowConfiguration = Self("noWindowConfiguration")
    /// A configuration has no name.
    public static let configurationWithoutName = Self("configurationWithoutName")
    /// A role is not one of UIKit's.
    public static let unknownRole = Self("unknownRole")
    /// A role has its older name.
    public static let deprecatedRole = Self("deprecatedRole")
    /// The role of a first launch has no configuration.
    public static let preferredRoleWithoutConfiguration = Self("preferredRoleWithoutConfiguration")
    /// There are several window configurations, but the app allows only one window.
    public static let severalConfigurationsForOneScene = Self("severalConfigurationsForOneScene")
    /// A scene class belongs to another role.
    public static let sceneClassOfOtherRole = Self("sceneClassOfOtherRole")
    /// A CarPlay scene is configured but not switched on.
    public static let carSceneNotSupported = Self("carSceneNotSupported")
    /// A CarPlay scene is switched on but not configured.
    public static let carSceneNotConfigured = Self("carSceneNotConfigured")
    /// An activity type is not in reverse-DNS form.
    public static let activityTypeNotReverseDNS = Self("activityTypeNotReverseDNS")
    /// An activity type or URL scheme is declared twice.
    public static let declaredTwice = Self("declaredTwice")
    /// A URL scheme is malformed (RFC 3986).
    public static let invalidURLScheme = Self("invalidURLScheme")
    /// A URL scheme belongs to the system or never routes.
    public static let reservedURLScheme = Self("reservedURLScheme")
    /// The property list contains a build variable where only its value can be compared.
    public static let unresolvedBuildVariable = Self("unresolvedBuildVariable")
    /// A build variable has no closing bracket.
    public static let malformedBuildVariable = Self("malformedBuildVariable")
}
