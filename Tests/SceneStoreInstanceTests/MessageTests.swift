#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import Testing

@testable import SceneStoreInstance

@Suite("Messages between processes")
struct MessageTests {
    static let payloads: [ForwardedPayload] = [
        ForwardedPayload(.urls([OpenURLContext(url: "notes://1")]), name: "a"),
        ForwardedPayload(
            .shortcut(ShortcutItem(type: "com.example.new")), name: "b", mayHaveBeenSeen: true),
        ForwardedPayload(.notification(NotificationResponse(identifier: "n")), name: "c"),
    ]

    private static let secret: StartRequest = {
        var request = StartRequest(
            arguments: ["notes", "--private", ""],
            environment: ["DESKTOP_STARTUP_ID": "old", "XDG_ACTIVATION_TOKEN": "token"])
        request.window = StartRequest.Window(
            role: .windowApplication, configurationName: "Note", privacy: .ephemeral)
        return request
    }()

    @Test("L-77 the token is the desktop's newer one, else the older one; junk is refused")
    func startRequests() throws {
        #expect(Self.secret.activationToken == "token")
        let older = StartRequest(arguments: [], environment: ["DESKTOP_STARTUP_ID": "old"])
        #expect(older.activationToken == "old")
        let good: ValueDictionary = [
            "arguments": [], "name": "s", "payloads": [], "window": ["privacy": "standard"],
        ]
        for (key, value) in [
            ("arguments", Value.array([1])), ("arguments", nil), ("name", ""), ("payloads", nil),
            ("payloads", 1), ("window", ["privacy": "none"]), ("window", ["role": "r"]),
            ("token", 1), ("other", 1),
        ] as [(String, Value?)] {
            var fields = good
            fields[key] = value
            let message: ValueDictionary = ["start": .dictionary(fields)]
            let bytes = try ValueCodec.encode(message, path: "request")
            #expect(throws: SceneStoreError(.malformedValue, ""), "\(key)") {
                try InstanceMessage.decodeRequest(bytes)
            }
        }
    }

    @Test(
        "L-77 a request comes out as it went in",
        arguments: [
            InstanceRequest.deliver(payloads), .deliver([]), .bringForward(nil),
            .bringForward(SceneSession.ID("A")),
            .start(StartRequest(), name: "s", []), .start(secret, name: "s", payloads),
        ])
    func requests(request: InstanceRequest) throws {
        let bytes = try InstanceMessage.encode(request)
        #expect(try InstanceMessage.decodeRequest(bytes) == request)
    }

    @Test("L-77 an answer comes out as it went in")
    func answers() throws {
        var taken = PayloadReceipt(session: SceneSession.ID("A"))
        taken.callbacks = ["fg", "url", "active"]
        taken.reasons = ["target prefers: a session prefers the target"]
        let declined = PayloadReceipt(
            error: SceneStoreError(.multipleScenesNotSupported, "no session can take it"))
        for answer in [
            InstanceAnswer.receipts([taken, declined]), .receipts([]), .later,
            .refused(SceneStoreError(.malformedValue, "no message")),
        ] {
            let bytes = try InstanceMessage.encode(answer)
            #expect(try InstanceMessage.decodeAnswer(bytes) == answer)
        }
    }

    @Test("L-77 a process hands over 64 payloads at once, not 65")
    func payloadLimit() throws {
        func request(_ count: Int) -> InstanceRequest {
            .deliver(
                (0..<count).map { ForwardedPayload(.urls([]), name: "payload \($0)") })
        }
        let bytes = try InstanceMessage.encode(request(64))
        #expect(try InstanceMessage.decodeRequest(bytes) == request(64))
        #expect(throws: SceneStoreError(.tooManyPayloads, "")) {
            try InstanceMessage.encode(request(65))
        }
        // What a foreign program sends is counted as well.
        var fields = try ValueCodec.decodeDictionary(bytes)
        let values = try #require(fields["payloads"]?.arrayValue)
        fields["payloads"] = .array(values + [values[0]])
        let more = try ValueCodec.encode(fields)
        #expect(throws: SceneStoreError(.tooManyPayloads, "")) {
            try InstanceMessage.decodeRequest(more)
        }
    }

    @Test("L-77 a payload's name has 64 bytes at most, and one at least")
    func nameLimit() throws {
        func bytes(_ count: Int) throws -> [UInt8] {
            try InstanceMessage.encode(
                .deliver([ForwardedPayload(.urls([]), name: String(repeating: "n", count: count))]))
        }
        #expect(throws: Never.self) { try InstanceMessage.decodeRequest(bytes(64)) }
        for count in [0, 65] {
            #expect(throws: SceneStoreError(.malformedValue, "")) {
                try InstanceMessage.decodeRequest(bytes(count))
            }
        }
    }

    @Test("L-77 what is cut off, or of another form, is an error and no trap")
    func hostile() throws {
        let request = try InstanceMessage.encode(.deliver(Self.payloads))
        for end in request.indices {
            #expect(throws: SceneStoreError.self) {
                try InstanceMessage.decodeRequest(Array(request[..<end]))
            }
        }
        let answer = try InstanceMessage.encode(.receipts([PayloadReceipt()]))
        for end in answer.indices {
            #expect(throws: SceneStoreError.self) {
                try InstanceMessage.decodeAnswer(Array(answer[..<end]))
            }
        }
        let others: [ValueDictionary] = [
            [:], ["payloads": .integer(1)], ["forward": .boolean(true)],
            ["payloads": .array([]), "forward": .string("")], ["payloads": .array([.null])],
            ["payloads": .array([.dictionary(["name": .string("a"), "seen": .boolean(true)])])],
            [
                "payloads": .array([
                    .dictionary([
                        "name": .string("a"), "seen": .boolean(true),
                        "payload": .data(Data([1, 2])),
                    ])
                ])
            ],
            ["later": .boolean(false)], ["receipts": .array([.integer(1)])],
            ["refused": .string("why")],
        ]
        for fields in others {
            let bytes = try ValueCodec.encode(fields)
            #expect(throws: SceneStoreError.self) { try InstanceMessage.decodeRequest(bytes) }
            #expect(throws: SceneStoreError.self) { try InstanceMessage.decodeAnswer(bytes) }
        }
    }
}

@Suite("Messages in a stream")
struct FrameTests {
    private func read(
        _ reader: inout FrameReader, _ bytes: [UInt8]
    ) throws(SceneStoreError) -> [UInt8]? {
        try bytes.withUnsafeBufferPointer { piece throws(SceneStoreError) in
            try reader.append(UnsafeRawBufferPointer(piece))
        }
    }

    @Test("L-77 a message may arrive in pieces of any size", arguments: [1, 2, 7, 8, 9, 100])
    func pieces(size: Int) throws {
        let message = (0..<50).map { UInt8($0) }
        let framed = try MessageFrame.framed(message)
        var reader = FrameReader()
        var found: [UInt8]?
        for start in stride(from: 0, to: framed.count, by: size) {
            #expect(found == nil)
            found = try read(&reader, Array(framed[start..<min(start + size, framed.count)]))
        }
        #expect(found == message)
    }

    @Test("L-77 a message of the limit is read, one byte more is refused by its header")
    func limit() throws {
        let message = [UInt8](repeating: 7, count: 100)
        let framed = try MessageFrame.framed(message, limit: 100)
        var reader = FrameReader(limit: 100)
        #expect(try read(&reader, framed) == message)
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try MessageFrame.framed(message, limit: 99)
        }
        var smaller = FrameReader(limit: 99)
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try read(&smaller, Array(framed[..<8]))
        }
        #expect(smaller.count == 8, "nothing is kept for what was announced")
    }

    @Test("L-77 other letters, and bytes behind the message, are refused at once")
    func otherForms() throws {
        let framed = try MessageFrame.framed([1, 2, 3])
        for place in 0..<4 {
            var wrong = framed
            wrong[place] ^= 1
            var reader = FrameReader()
            #expect(throws: SceneStoreError(.malformedValue, "")) {
                try read(&reader, Array(wrong[...place]))
            }
        }
        var reader = FrameReader()
        #expect(throws: SceneStoreError(.malformedValue, "")) {
            try read(&reader, framed + [4])
        }
    }
}
