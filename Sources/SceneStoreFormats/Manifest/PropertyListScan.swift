import SceneStoreValues

/// Looks through a property list that nobody vouches for before the system's reader does.
/// (L-23)
///
/// The system's reader recurses with the nesting, and expands a binary list's shared objects each
/// time they are referred to; what could overflow its stack, or keep it busy for hours, is refused
/// here in time linear in the input. What passes can still be no property list: that is for the
/// system's reader to say.
package enum PropertyListScan {
    /// Bytes of a property list; real ones have some thousand.
    package static let maximumBytes = 4 << 20
    /// Values and keys, each counted as often as it is referred to.
    static let maximumObjects = 100_000
    /// Bytes of texts and data, each counted as often as it is referred to.
    static let maximumExpandedBytes = 16 << 20
    /// Levels of arrays and dictionaries.
    package static let maximumDepth = 64

    /// What the bytes seem to be.
    package enum Format {
        case xml, binary
    }

    /// What is known of bytes that the system's reader can be trusted with.
    struct Passed {
        var format: Format
        /// The paths of keys that stand twice in one dictionary; none of a binary list.
        var repeatedKeys: [String] = []
    }

    /// Throws unless the system's reader can be trusted with the bytes.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(SceneStoreError) -> Passed {
        guard bytes.count <= maximumBytes else {
            throw tooLarge("it has more than \(maximumBytes) bytes")
        }
        if bytes.starts(with: "bplist".utf8) {
            try BinaryPropertyListScan.check(bytes)
            return Passed(format: .binary)
        }
        // Of bytes that are no text a reader makes what happens to lie in memory.
        let isText = bytes.first != 0 && String(validating: bytes, as: UTF8.self) != nil
        guard isText else {
            throw malformed("it is not UTF-8; convert it with plutil -convert xml1")
        }
        var scan = XMLPropertyListScan(bytes)
        guard scan.isXML else {
            throw malformed(
                "it is neither XML nor binary; convert an old text list with plutil -convert xml1")
        }
        try scan.check()
        return Passed(format: .xml, repeatedKeys: scan.keys.repeated)
    }

    package static func malformed(_ reason: String) -> SceneStoreError {
        SceneStoreError(.notAPropertyList, "the input is not a property list: \(reason)")
    }

    package static func tooLarge(_ reason: String) -> SceneStoreError {
        SceneStoreError(.propertyListTooLarge, "the property list is too large: \(reason)")
    }

    package static func tooDeep() -> SceneStoreError {
        SceneStoreError(
            .propertyListTooDeep,
            "the property list is nested deeper than \(maximumDepth) levels")
    }
}

extension SceneStoreError.Code {
    /// The input is not a property list, is cut off, or is in a form that is not read.
    public static let notAPropertyList = Self("notAPropertyList")
    /// A property list has more bytes or values than are read.
    public static let propertyListTooLarge = Self("propertyListTooLarge")
    /// A property list is nested more deeply than is read.
    public static let propertyListTooDeep = Self("propertyListTooDeep")
}
