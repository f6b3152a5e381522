extension ValueDictionary {
    /// Makes a pair of a key and its value.
    @inline(__always)
    package static func pair(_ key: String, _ value: Value) -> Pair {
        Pair(key: key, value: value)
    }
}
