/// The pairs of a dictionary that are made when somebody asks for them, and stay as they are.
protocol PairsOnDemand: AnyObject, Sendable {
    /// How many they are.
    var count: Int { get }
    /// Whether a value may be of a kind that is kept whole.
    var mayHoldOpaqueValues: Bool { get }
    /// The map, as it is stored.
    var bytes: ArraySlice<UInt8> { get }
    /// All pairs.
    var pairs: SortedPairs { get }
    /// The value of a key.
    subscript(key: String) -> Value? { get }
}
