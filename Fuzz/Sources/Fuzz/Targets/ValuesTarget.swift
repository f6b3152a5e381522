import SceneStore
import SceneStoreFormats

extension FuzzTarget {
    /// Stored values: what the decoder takes in, and the types made of it.
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
    /// What is taken in is written as the very same bytes.
    static func value(_ bytes: [UInt8]) {
        guard let value = try? ValueCodec.decode(bytes) else {
            return
        }
        require((try? ValueCodec.encode(value)) == bytes, "values are canonical")
        // The codec makes a value when it is looked at, the decoder all at once.
        let atOnce = bytes.withUnsafeBytes { bytes -> Value? in
            var decoder = CBORReader(bytes)
            return (try? decoder.check()) == nil ? nil : decoder.value()
        }
        require(atOnce == value, "values that are made at once are the same")
        require(
            atOnce.flatMap { try? ValueCodec.encode($0) } == bytes,
            "values that were made are canonical")
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
                (try? ValueCodec.encode(dictionary)) == bytes, "dictionaries are canonical")
            require(
                (try? ValueCodec.encode(ValueDictionary(sortedPairs: dictionary.pairs))) == bytes,
                "dictionaries are canonical, made at once")
            // A session's userInfo is a dictionary of fewer kinds.
            _ = try? PropertyListCheck.check(dictionary)
        }
    }

    static func activity(_ bytes: [UInt8]) {
        guard let activity = try? ValueCodec.decodeActivity(bytes),
            let stored = try? ValueCodec.encode(activity)
        else {
            return
        }
        require(
            (try? ValueCodec.decodeActivity(stored)) == activity, "a stored activity is read again")
        _ = activity.prunedToRequiredKeys()
    }

    static func payload(_ bytes: [UInt8]) {
        guard let payload = try? ValueCodec.decodePayload(bytes),
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
