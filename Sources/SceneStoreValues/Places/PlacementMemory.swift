/// Where a window was, on each arrangement of displays that it was moved on (L-49).
///
/// Stored as one value: the fields of the placement that was reported last, and beside them what
/// earlier libraries skip.
package struct PlacementMemory: Hashable, Sendable {
    /// Where the user had the window last; nothing that was made to fit.
    package var placement: ScenePlacement
    /// Where it was on each arrangement, the one used last first; at most eight.
    package private(set) var arranged: [Arranged]

    /// Where a window was on one arrangement.
    package struct Arranged: Hashable, Sendable {
        package var arrangement: Int64
        package var placement: ScenePlacement
    }

    /// How many arrangements are remembered.
    package static let capacity = 8

    package init(_ placement: ScenePlacement, arranged: [Arranged] = []) {
        self.placement = placement
        self.arranged = Array(arranged.prefix(Self.capacity))
    }

    /// Where the window was on an arrangement.
    package func placement(on arrangement: Int64) -> ScenePlacement? {
        arranged.first { $0.arrangement == arrangement }?.placement
    }

    /// Remembers where the window is on an arrangement; a ninth takes the place of the one that was
    /// not used for longest.
    package mutating func remember(_ placement: ScenePlacement, on arrangement: Int64) {
        // Whose it is, is said once.
        var place = placement
        place.parent = nil
        place.tab = nil
        arranged.removeAll { $0.arrangement == arrangement }
        arranged.insert(Arranged(arrangement: arrangement, placement: place), at: 0)
        arranged = Array(arranged.prefix(Self.capacity))
    }
}

extension [Display] {
    /// Stands for the displays' identities and geometry, whatever their order; nil without any.
    package var arrangement: Int64? {
        guard !isEmpty else {
            return nil
        }
        let texts = map { display in
            let frame = display.frame
            return "\(display.identifier)\u{0}\(frame.x) \(frame.y) \(frame.width) \(frame.height)"
                + " \(display.scale)"
        }
        var hash = ContentHash()
        for text in texts.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            hash.update([UInt8]((text + "\u{0}").utf8))
        }
        return Int64(bitPattern: hash.value)
    }
}

extension PlacementMemory {
    /// The value that is stored.
    package var storedValue: Value {
        guard !arranged.isEmpty, case .dictionary(var fields) = placement.storedValue else {
            return placement.storedValue
        }
        fields["arrangements"] = .array(
            arranged.map {
                .array([.integer($0.arrangement), $0.placement.storedValue])
            })
        return .dictionary(fields)
    }

    /// Makes a memory of what was stored; throws as ``ScenePlacement/init(storedValue:)`` does.
    package init(storedValue: Value) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: "")
        let arranged = try fields.elements("arrangements") { value, path throws(SceneStoreError) in
            guard case .array(let pair) = value, pair.count == 2,
                let arrangement = pair[0].integerValue
            else {
                throw StoredFields.malformed(path)
            }
            return Arranged(
                arrangement: arrangement, placement: try ScenePlacement(storedValue: pair[1]))
        }
        self.init(try ScenePlacement(storedValue: storedValue), arranged: arranged)
    }
}

extension ValueCodec {
    /// The bytes of a window's placements.
    package static func encode(
        _ memory: PlacementMemory, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encode(memory.storedValue, limits: limits, path: "placement")
    }

    /// The placements that bytes stand for.
    package static func decodePlacement(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(SceneStoreError) -> PlacementMemory {
        try PlacementMemory(storedValue: decode(bytes, limits: limits))
    }
}
