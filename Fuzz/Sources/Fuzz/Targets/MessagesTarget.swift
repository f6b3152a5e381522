import SceneStore
import SceneStoreInstance

extension FuzzTarget {
    /// What another process writes into the socket of an app, and what an owner answers.
    ///
    /// The first byte says what the rest is: `R` a request, `A` an answer, anything else a stream,
    /// whose next byte is the size of its pieces.
    static let messages = FuzzTarget(
        "messages", maximumBytes: 16 << 10,
        line: TimeLine(baseNanoseconds: 20_000_000, nanosecondsPerByte: 10_000)
    ) { bytes in
        var input = FuzzInput(bytes)
        switch input.byte() {
        case UInt8(ascii: "R"): MessageChecks.request(input.remaining())
        case UInt8(ascii: "A"): MessageChecks.answer(input.remaining())
        default:
            let size = Int(input.byte()) + 1
            MessageChecks.stream(input.remaining(), pieces: size)
        }
    }
}

/// What is promised of any bytes.
private enum MessageChecks {
    static func request(_ bytes: [UInt8]) {
        guard let request = try? InstanceMessage.decodeRequest(bytes),
            let written = try? InstanceMessage.encode(request)
        else {
            return
        }
        require(
            (try? InstanceMessage.decodeRequest(written)) == request, "a request is read again")
    }

    static func answer(_ bytes: [UInt8]) {
        guard let answer = try? InstanceMessage.decodeAnswer(bytes),
            let written = try? InstanceMessage.encode(answer)
        else {
            return
        }
        require(
            (try? InstanceMessage.decodeAnswer(written)) == answer, "an answer is read again")
    }

    /// A message comes out of a stream however it is cut, and no more is kept than was received.
    static func stream(_ bytes: [UInt8], pieces size: Int) {
        let whole = read(bytes, size: max(bytes.count, 1))
        require(read(bytes, size: size) == whole, "pieces make no difference")
        if let message = whole {
            require((try? MessageFrame.framed(message)) == bytes, "a frame is written the same way")
        }
    }

    private static func read(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        var reader = FrameReader(limit: 8 << 10)
        var message: [UInt8]?
        for start in stride(from: 0, to: bytes.count, by: size) {
            let end = min(start + size, bytes.count)
            do {
                message = try bytes[start..<end].withUnsafeBytes { try reader.append($0) }
            } catch {
                return nil
            }
            require(reader.count <= end, "no more is kept than was received")
        }
        return message
    }
}
