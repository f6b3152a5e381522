#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

/// What a process asks of the one that owns the container.
package enum InstanceRequest: Hashable, Sendable {
    /// To hand over payloads, each to the window that takes it.
    case deliver([ForwardedPayload])
    /// To bring a session's window forward; nil is the one in front.
    case bringForward(SceneSession.ID?)
    /// To do what a process that starts wants, under a name, and then to hand over its payloads.
    case start(StartRequest, name: String, [ForwardedPayload])

    /// Payloads of one request; as many as wait for a scene at once.
    package static let maximumPayloads = 64
    /// Bytes of the name under which a payload is handed over.
    package static let maximumNameBytes = 64
}

/// What the owner answers.
package enum InstanceAnswer: Equatable, Sendable {
    /// What became of each payload, or of the window.
    case receipts([PayloadReceipt])
    /// It is ending, or not ready: ask again, or own the container.
    case later
    /// The request can't be read, or asks for what this version does not know.
    case refused(SceneStoreError)
}

/// Requests and answers as bytes: dictionaries of the value format (<doc:ValueFormat>), read strictly
/// and within limits. Decoding throws ``SceneStoreError/Code/malformedValue`` or
/// ``SceneStoreError/Code/limitExceeded``, and no input traps.
package enum InstanceMessage {
    // MARK: Requests

    package static func encode(_ request: InstanceRequest) throws(SceneStoreError) -> [UInt8] {
        var fields = ValueDictionary()
        switch request {
        case .deliver(let payloads): fields["payloads"] = try value(of: payloads)
        case .start(let start, let name, let payloads):
            var asked = start.fields
            asked["name"] = .string(name)
            asked["payloads"] = try value(of: payloads)
            fields["start"] = .dictionary(asked)
        case .bringForward(let session):
            fields["forward"] = .string(session?.rawValue ?? "")
        }
        return try ValueCodec.encode(fields, path: "request")
    }

    package static func decodeRequest(_ bytes: [UInt8]) throws(SceneStoreError) -> InstanceRequest {
        let fields = try ValueCodec.decodeDictionary(bytes)
        guard fields.count == 1, let field = fields.first else {
            throw malformed
        }
        switch (field.key, field.value) {
        case ("payloads", let value): return .deliver(try payloads(value))
        case ("start", .dictionary(var asked)):
            let payloads = try payloads(asked["payloads"])
            let name = asked["name"]?.stringValue ?? ""
            (asked["payloads"], asked["name"]) = (nil, nil)
            guard let start = StartRequest(asked), isName(name) else {
                throw malformed
            }
            return .start(start, name: name, payloads)
        case ("forward", .string(let session)):
            return .bringForward(session.isEmpty ? nil : SceneSession.ID(session))
        default: throw malformed
        }
    }

    private static func value(
        of payloads: [ForwardedPayload]
    ) throws(SceneStoreError) -> Value {
        guard payloads.count <= InstanceRequest.maximumPayloads else {
            throw tooManyPayloads
        }
        return .array(
            try payloads.map { payload throws(SceneStoreError) in
                .dictionary(try fields(of: payload))
            })
    }

    private static func payloads(_ value: Value?) throws(SceneStoreError) -> [ForwardedPayload] {
        guard case .array(let values)? = value else {
            throw malformed
        }
        guard values.count <= InstanceRequest.maximumPayloads else {
            throw tooManyPayloads
        }
        return try values.map(forwarded)
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= InstanceRequest.maximumNameBytes
    }

    private static func fields(
        of payload: ForwardedPayload
    ) throws(SceneStoreError) -> ValueDictionary {
        [
            "name": .string(payload.name),
            "payload": .data(Data(try ValueCodec.encode(payload.payload))),
            "seen": .boolean(payload.mayHaveBeenSeen),
        ]
    }

    private static func forwarded(_ value: Value) throws(SceneStoreError) -> ForwardedPayload {
        guard case .dictionary(let fields) = value, fields.count == 3,
            let name = fields["name"]?.stringValue, let seen = fields["seen"]?.boolValue,
            case .data(let bytes)? = fields["payload"], isName(name)
        else {
            throw malformed
        }
        return ForwardedPayload(
            try ValueCodec.decodePayload(Array(bytes)), name: name, mayHaveBeenSeen: seen)
    }

    // MARK: Answers

    package static func encode(_ answer: InstanceAnswer) throws(SceneStoreError) -> [UInt8] {
        var fields = ValueDictionary()
        switch answer {
        case .receipts(let receipts):
            fields["receipts"] = .array(receipts.map { .dictionary(Self.fields(of: $0)) })
        case .later: fields["later"] = .boolean(true)
        case .refused(let error):
            fields["refused"] = .dictionary(Self.fields(of: error))
        }
        return try ValueCodec.encode(fields, path: "answer")
    }

    package static func decodeAnswer(_ bytes: [UInt8]) throws(SceneStoreError) -> InstanceAnswer {
        let fields = try ValueCodec.decodeDictionary(bytes)
        guard fields.count == 1, let field = fields.first else {
            throw malformed
        }
        switch (field.key, field.value) {
        case ("receipts", .array(let values)):
            // A window that was asked for has one, too.
            guard values.count <= InstanceRequest.maximumPayloads + 1 else {
                throw tooManyPayloads
            }
            var receipts: [PayloadReceipt] = []
            for value in values {
                receipts.append(try receipt(value))
            }
            return .receipts(receipts)
        case ("later", .boolean(true)): return .later
        case ("refused", let value): return .refused(try error(value))
        default: throw malformed
        }
    }

    private static func fields(of receipt: PayloadReceipt) -> ValueDictionary {
        var fields: ValueDictionary = [
            "callbacks": .array(receipt.callbacks.map { .string($0) }),
            "reasons": .array(receipt.reasons.map { .string($0) }),
        ]
        fields["session"] = receipt.session.map { .string($0.rawValue) }
        fields["error"] = receipt.error.map { .dictionary(Self.fields(of: $0)) }
        return fields
    }

    private static func receipt(_ value: Value) throws(SceneStoreError) -> PayloadReceipt {
        guard case .dictionary(let fields) = value else {
            throw malformed
        }
        var receipt = PayloadReceipt()
        receipt.callbacks = try texts(fields["callbacks"])
        receipt.reasons = try texts(fields["reasons"])
        if let session = fields["session"] {
            guard let text = session.stringValue, !text.isEmpty else {
                throw malformed
            }
            receipt.session = SceneSession.ID(text)
        }
        if let declined = fields["error"] {
            receipt.error = try error(declined)
        }
        return receipt
    }

    static func texts(_ value: Value?) throws(SceneStoreError) -> [String] {
        guard case .array(let values)? = value else {
            throw malformed
        }
        let texts = values.compactMap(\.stringValue)
        guard texts.count == values.count else {
            throw malformed
        }
        return texts
    }

    private static func fields(of error: SceneStoreError) -> ValueDictionary {
        ["code": .string(error.code.rawValue), "message": .string(error.message)]
    }

    private static func error(_ value: Value) throws(SceneStoreError) -> SceneStoreError {
        guard case .dictionary(let fields) = value, let code = fields["code"]?.stringValue,
            let message = fields["message"]?.stringValue
        else {
            throw malformed
        }
        return SceneStoreError(SceneStoreError.Code(code), message)
    }

    private static var malformed: SceneStoreError {
        SceneStoreError(.malformedValue, "another process sent a malformed message")
    }

    private static var tooManyPayloads: SceneStoreError {
        SceneStoreError(
            .tooManyPayloads,
            "there are more than \(InstanceRequest.maximumPayloads) payloads; pass fewer at once")
    }
}
