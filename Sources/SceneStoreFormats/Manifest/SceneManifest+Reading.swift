#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreValues

extension SceneManifest {
    /// Reads an Info.plist, XML or binary. Import `SceneStoreFormats` for it.
    ///
    /// Reads `UIApplicationSceneManifest`, and also `NSUserActivityTypes`, `CFBundleURLTypes`,
    /// `CFBundleIdentifier`, `CFBundleVersion` and `UIApplicationPreferredDefaultSceneSessionRole`.
    /// Also reads the spellings without `UI` that Swift ports of UIKit use. Build variables such as
    /// `$(PRODUCT_MODULE_NAME)` are kept unchanged. A malformed value counts as absent and is
    /// reported in ``diagnostics``.
    ///
    /// Throws ``SceneStoreError/Code/notAPropertyList``,
    /// ``SceneStoreError/Code/propertyListTooLarge`` (more than 4 MiB, 100 000 values or 16 MiB of
    /// text when shared objects are expanded) or ``SceneStoreError/Code/propertyListTooDeep`` (more
    /// than 64 levels). Follows Apple's page
    /// [UIApplicationSceneManifest](https://developer.apple.com/documentation/bundleresources/information-property-list/uiapplicationscenemanifest).
    public init(propertyList bytes: some Collection<UInt8>) throws(SceneStoreError) {
        self = try Self.reader(of: bytes).manifest
    }

    /// A reader that has read the list.
    package static func reader(
        of bytes: some Collection<UInt8>
    ) throws(SceneStoreError) -> ManifestReader {
        guard bytes.count <= PropertyListScan.maximumBytes else {
            throw PropertyListScan.tooLarge(
                "it has more than \(PropertyListScan.maximumBytes) bytes")
        }
        let copy = Array(bytes)
        let passed = try copy.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            try PropertyListScan.check(UnsafeRawBufferPointer(bytes))
        }
        let info: InfoPropertyList
        do {
            info = try PropertyListDecoder().decode(InfoPropertyList.self, from: Data(copy))
        } catch {
            throw PropertyListScan.malformed(
                passed.format == .xml
                    ? "its XML is damaged, or its top level is not a dictionary"
                    : "its objects are damaged, or its top level is not a dictionary")
        }
        var reader = ManifestReader(info)
        reader.reportRepeated(passed.repeatedKeys)
        reader.read()
        return reader
    }
}
