import SceneStoreValues

/// A store's identity as text.
package struct StoreIdentity: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads 32 hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 32, let bytes = HexText.bytes(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// 32 hexadecimal digits.
    package var text: String { HexText.text(bytes) }
}
