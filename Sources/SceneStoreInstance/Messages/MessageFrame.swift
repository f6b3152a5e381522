import SceneStoreValues

/// How a message stands in a stream: four letters with the version, its length in four bytes, the
/// highest first, and its bytes.
package enum MessageFrame {
    /// The form of the messages; another one has other letters.
    static let letters = Array("SSi1".utf8)
    static let headerBytes = 8
    /// Bytes of a message, the header not counted; what a payload may take, and its answer.
    package static let maximumBytes = 16 << 20

    /// A message with its header. Throws ``SceneStoreError/Code/limitExceeded``.
    package static func framed(
        _ message: [UInt8], limit: Int = maximumBytes
    ) throws(SceneStoreError) -> [UInt8] {
        guard message.count <= limit else {
            throw SceneStoreError(
                .limitExceeded,
                "the payloads take more than \(limit) bytes; pass fewer at once")
        }
        let length = UInt32(message.count)
        return letters
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) }
            + message
    }
}

/// Takes one message out of a stream, piece by piece. The bytes come from another process, so
/// nothing in them is trusted: no more is kept than was received, and never more than the limit.
package struct FrameReader: Sendable {
    private var bytes: [UInt8] = []
    private let limit: Int

    package init(limit: Int = MessageFrame.maximumBytes) {
        self.limit = limit
    }

    /// The bytes that are kept.
    package var count: Int { bytes.count }

    /// Takes a piece; answers the message once it is complete.
    ///
    /// Throws ``SceneStoreError/Code/malformedValue`` for other letters and for bytes behind the
    /// message, and ``SceneStoreError/Code/limitExceeded`` as soon as the header says that the
    /// message is too long.
    package mutating func append(
        _ piece: UnsafeRawBufferPointer
    ) throws(SceneStoreError) -> [UInt8]? {
        bytes.append(contentsOf: piece)
        let known = min(bytes.count, MessageFrame.letters.count)
        guard bytes[..<known].elementsEqual(MessageFrame.letters[..<known]) else {
            throw SceneStoreError(
                .malformedValue,
                "another process speaks another version of the protocol; update both")
        }
        guard bytes.count >= MessageFrame.headerBytes else {
            return nil
        }
        let length = bytes[known..<MessageFrame.headerBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw SceneStoreError(
                .limitExceeded, "another process sent a message longer than \(limit) bytes")
        }
        let end = MessageFrame.headerBytes + length
        guard bytes.count <= end else {
            throw SceneStoreError(.malformedValue, "another process sent more than one message")
        }
        return bytes.count == end ? Array(bytes[MessageFrame.headerBytes...]) : nil
    }
}
