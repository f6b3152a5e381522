import SceneStore

extension FuzzTarget {
    /// Stored values: what the decoder takes in, strict and lenient, and the types made of it.
    ///
    /// The first byte says what the rest is: `V` a value, `D` a dictionary, `A` an activity, `P` a
    /// payload, `C` activation conditions, `W` a window's placement.
    static let values = FuzzTarget(
        "values", maximumBytes: 16 << 10,
        line: TimeLine(baseNanoseconds: 20_000_000, nanosecondsPerByte: 10_000)
    ) { bytes in
        var input = FuzzInput(bytes)
        let kind = input.byte()
        let bytes = input.remaining()
        switch kind {
        case UInt8(ascii: "D"): ValueChecks.dictionary(bytes)
        case UInt8(ascii: "A"): ValueChecks.activity(bytes)
        case UInt8(ascii: "P"): ValueChecks.payload(bytes)
        case UInt8(ascii: "C"): ValueChecks.conditions(bytes)
        case UInt8(ascii: "W"): _ = try? ValueCodec.decodePlacement(bytes)
        default: ValueChecks.value(bytes)
        }
    }
}

/// What is promised of any bytes.
private enum ValueChecks {
    /// What the strict decoder takes in is written as the very same bytes; what the lenient one
    /// takes in, the strict one finds again.
    static func value(_ bytes: [UInt8]) {
        if let value = try? ValueCodec.decode(bytes) {
            require((try? ValueCodec.encode(value)) == bytes, "strict values are canonical")
            // The lenient decoder makes all at once, the strict one when it is compared.
            let atOnce = try? ValueCodec.decode(bytes, mode: .lenient)
            require(atOnce == value, "what is strict is lenient")
            require(
                atOnce.flatMap { try? ValueCodec.encode($0) } == bytes,
                "values that were made are canonical")
        }
        guard let value = try? ValueCodec.decode(bytes, mode: .lenient) else {
            return
        }
        // Canonical bytes can be longer than those that were read, and so be over a limit.
        if let canonical = try? ValueCodec.encode(value) {
            require(
                (try? ValueCodec.decode(canonical)) == value,
                "what was written is read again, and equal")
        }
        exported(value)
        require(
            ContentHash.hash(bytes) == streamed(bytes), "a hash is the same in one piece and many")
    }

    /// What an export writes of a value is read as the same value.
    private static func exported(_ value: Value) {
        let text = CanonicalJSON(portable: value).text
        guard let json = try? CanonicalJSON(parsing: text) else {
            // A value of full depth has marks around what JSON has no type for.
            return
        }
        require(
            (try? Value(portable: json, path: "")) == value, "an exported value comes back")
    }

    private static func streamed(_ bytes: [UInt8]) -> UInt64 {
        var hash = ContentHash()
        for start in stride(from: 0, to: bytes.count, by: 37) {
            hash.update(Array(bytes[start..<min(start + 37, bytes.count)]))
        }
        return hash.value
    }

    static func dictionary(_ bytes: [UInt8]) {
        if let dictionary = try? ValueCodec.decodeDictionary(bytes) {
            require(
                (try? ValueCodec.encode(dictionary)) == bytes, "strict dictionaries are canonical")
            require(
                (try? ValueCodec.encode(ValueDictionary(sortedPairs: dictionary.pairs))) == bytes,
                "strict dictionaries are canonical, made at once")
            // A session's userInfo is a dictionary of fewer kinds.
            _ = try? ValueCodec.encode(propertyList: dictionary)
        }
        _ = try? ValueCodec.decodeDictionary(bytes, mode: .lenient)
    }

    static func activity(_ bytes: [UInt8]) {
        guard let activity = try? ValueCodec.decodeActivity(bytes, mode: .lenient),
            let stored = try? ValueCodec.encode(activity)
        else {
            return
        }
        require(
            (try? ValueCodec.decodeActivity(stored)) == activity, "a stored activity is read again")
        _ = activity.prunedToRequiredKeys()
    }

    static func payload(_ bytes: [UInt8]) {
        guard let payload = try? ValueCodec.decodePayload(bytes, mode: .lenient),
            let stored = try? ValueCodec.encode(payload)
        else {
            return
        }
        require(
            (try? ValueCodec.decodePayload(stored)) == payload, "a stored payload is read again")
    }

    static func conditions(_ bytes: [UInt8]) {
        guard let conditions = try? ValueCodec.decodeConditions(bytes) else {
            return
        }
        _ = conditions.canActivate.allows("deeplink://videos/42")
        _ = conditions.prefersToActivate.allows(nil)
        if let stored = try? ValueCodec.encode(conditions) {
            require(
                (try? ValueCodec.decodeConditions(stored)) == conditions,
                "stored conditions are read again")
        }
    }
}
