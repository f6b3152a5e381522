extension ValueEncoder {
    /// Throws what the appending functions noticed, or that all of it together is too much.
    package mutating func finish(path: String) throws(SceneStoreError) {
        if failure == nil, count > limits.sessionBytes {
            _ = fail(.total)
        }
        guard var failure else {
            return
        }
        failure.path = KeyPathText.text(root: path, steps: failureSteps.reversed())
        throw failure
    }

    /// Counts one value more.
    @inline(__always)
    package mutating func takeNode() -> Bool {
        nodesLeft &-= 1
        return nodesLeft >= 0 || fail(.nodes)
    }

    /// Why a value is not written.
    package enum Refusal {
        case depth, nodes, value, key, total, opaque
    }

    /// Notes why the value is not written, and answers false.
    @inline(never)
    package mutating func fail(_ refusal: Refusal) -> Bool {
        failure =
            switch refusal {
            case .depth:
                SceneStoreError(
                    .limitExceeded,
                    "the value is nested deeper than \(limits.depth) levels; flatten it")
            case .nodes:
                SceneStoreError(
                    .limitExceeded, "there are more than \(limits.nodes) values; save fewer")
            case .value:
                SceneStoreError(
                    .limitExceeded,
                    "the value is longer than \(limits.valueBytes) bytes; keep it in a file")
            case .key:
                SceneStoreError(
                    .limitExceeded,
                    "a key or name is longer than \(limits.keyBytes) bytes; shorten it")
            case .total:
                SceneStoreError(
                    .limitExceeded,
                    "the state is larger than \(limits.sessionBytes) bytes here; save less")
            case .opaque:
                SceneStoreError(.malformedValue, "the kept value is not one well-formed item")
            }
        return false
    }

    /// Notes a step of the path on the way out of a failure.
    @inline(never)
    package mutating func note(_ step: KeyPathText.Step) -> Bool {
        failureSteps.append(step)
        return false
    }
}
