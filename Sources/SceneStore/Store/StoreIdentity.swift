/// A store's identity as text.
struct StoreIdentity: Hashable, Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads 32 hexadecimal digits.
    init?(_ text: String) {
        guard text.utf8.count == 32, let bytes = HexText.bytes(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// 32 hexadecimal digits.
    var text: String { HexText.text(bytes) }
}
