extension ValueDecoder {
    /// Why input is refused.
    package enum Refusal {
        case truncated, malformed, notCanonical, trailing, duplicate, invalidText, mixedKeys
        case depth, nodes, valueBytes, keyBytes, total
    }

    /// What is thrown for a refusal; places are named by their bytes, and no value is shown.
    package func error(_ refusal: Refusal) -> SceneStoreError {
        let place = "at byte \(offset) of \(bytes.count)"
        return switch refusal {
        case .truncated: SceneStoreError(.malformedValue, "the value ends too early, \(place)")
        case .malformed: SceneStoreError(.malformedValue, "the value is not CBOR, \(place)")
        case .notCanonical:
            SceneStoreError(.malformedValue, "the value is not deterministic CBOR, \(place)")
        case .trailing: SceneStoreError(.malformedValue, "bytes follow the value, \(place)")
        case .duplicate:
            SceneStoreError(.malformedValue, "a key or element occurs twice, \(place)")
        case .invalidText: SceneStoreError(.malformedValue, "a text is not UTF-8, \(place)")
        case .mixedKeys:
            SceneStoreError(
                .malformedValue, "a map has keys that are text and others that are not, \(place)")
        case .depth:
            SceneStoreError(
                .limitExceeded, "the value is nested deeper than \(limits.depth) levels, \(place)")
        case .nodes:
            SceneStoreError(
                .limitExceeded, "the value holds more than \(limits.nodes) values, \(place)")
        case .valueBytes:
            SceneStoreError(
                .limitExceeded, "a text or data is longer than \(limits.valueBytes) bytes, \(place)"
            )
        case .keyBytes:
            SceneStoreError(
                .limitExceeded, "a key is longer than \(limits.keyBytes) bytes, \(place)")
        case .total:
            SceneStoreError(
                .limitExceeded,
                "the value takes \(bytes.count) bytes, the limit is \(limits.sessionBytes)")
        }
    }
}
