import SceneStoreValues

extension Diagnostic.Code {
    /// A part of the manifest has the wrong type, or is empty.
    public static let malformedManifestValue = Self("malformedManifestValue")
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
}
