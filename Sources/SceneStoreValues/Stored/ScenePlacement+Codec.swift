/// The stored form of a placement: a map whose last three fields are absent when they have their
/// default (L-45).
extension ScenePlacement {
    /// The value that is stored.
    package var storedValue: Value {
        var fields: ValueDictionary = [
            "x": .double(x), "y": .double(y), "width": .double(width), "height": .double(height),
        ]
        if let display {
            fields["display"] = .string(display)
        }
        if windowState != .normal {
            fields["state"] = .string(windowState.rawValue)
        }
        if stackingOrder != 0 {
            fields["order"] = .integer(Int64(stackingOrder))
        }
        return .dictionary(fields)
    }

    /// Makes a placement of what was stored; a window state of a newer version is ``normal``.
    ///
    /// Throws ``SceneStoreError/Code/malformedValue`` for anything else that is not as it should
    /// be.
    package init(storedValue: Value) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: "")
        self.init(
            x: try fields.required("x", \.doubleValue),
            y: try fields.required("y", \.doubleValue),
            width: try fields.required("width", \.doubleValue),
            height: try fields.required("height", \.doubleValue),
            display: try fields.optional("display", \.stringValue),
            windowState: try fields.optional("state", \.stringValue)
                .flatMap(WindowState.init(rawValue:)) ?? .normal,
            stackingOrder: try fields.optional("order") {
                $0.integerValue.flatMap(Int.init(exactly:))
            }
                ?? 0)
    }
}

extension ValueCodec {
    /// The bytes of a placement.
    package static func encode(
        _ placement: ScenePlacement, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encode(placement.storedValue, limits: limits, path: "placement")
    }

    /// The placement that bytes stand for.
    package static func decodePlacement(
        _ bytes: UnsafeRawBufferPointer, mode: ValueDecoder.Mode = .strict,
        limits: Limits = .standard
    ) throws(SceneStoreError) -> ScenePlacement {
        try ScenePlacement(storedValue: decode(bytes, mode: mode, limits: limits))
    }

    /// The placement that bytes stand for.
    package static func decodePlacement(
        _ bytes: [UInt8], mode: ValueDecoder.Mode = .strict, limits: Limits = .standard
    ) throws(SceneStoreError) -> ScenePlacement {
        try ScenePlacement(storedValue: decode(bytes, mode: mode, limits: limits))
    }
}
