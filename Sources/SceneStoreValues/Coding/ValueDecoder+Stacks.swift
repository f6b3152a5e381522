/// What becomes of the stacks when a container is whole, or needs more room.
extension ValueDecoder {
    /// Makes the container of the innermost frame of its values and puts it in their place.
    package mutating func close(_ frame: UnsafeMutablePointer<Frame>) -> Bool {
        let first = frame.pointee.firstValue
        let count = valueCount &- first
        depth &-= 1
        switch frame.pointee.kind {
        case .array:
            var elements: [Value] = []
            elements.reserveCapacity(count)
            for index in first..<valueCount {
                elements.append((values + index).move())
            }
            valueCount = first
            push(.array(elements))
        case .map:
            let firstKey = frame.pointee.firstKey
            var pairs: [ValueDictionary.Pair] = []
            pairs.reserveCapacity(count)
            for index in 0..<count {
                pairs.append(
                    ValueDictionary.pair(
                        (keys + firstKey + index).move(), (values + first + index).move()))
            }
            valueCount = first
            keyCount = firstKey
            push(.dictionary(ValueDictionary(sortedPairs: pairs)))
        case .set:
            return closeSet(first, count)
        }
        return true
    }

    @inline(never)
    private mutating func closeSet(_ first: Int, _ count: Int) -> Bool {
        var elements = Set<Value>(minimumCapacity: count)
        var hasDuplicate = false
        for index in first..<valueCount {
            hasDuplicate = !elements.insert((values + index).move()).inserted || hasDuplicate
        }
        valueCount = first
        push(.set(elements))
        return hasDuplicate ? fail(.duplicate) : true
    }

    // MARK: - Room

    @inline(never)
    mutating func growValues(_ extra: Int) {
        let isFirst = valueCapacity == Block.values
        valueCapacity = max(valueCapacity &* 2, valueCount &+ extra)
        values = Self.moved(values, count: valueCount, capacity: valueCapacity, isFirst: isFirst)
    }

    @inline(never)
    mutating func growKeys(_ extra: Int) {
        let isFirst = keyCapacity == Block.keys
        keyCapacity = max(keyCapacity &* 2, keyCount &+ extra)
        keys = Self.moved(keys, count: keyCount, capacity: keyCapacity, isFirst: isFirst)
    }

    @inline(never)
    mutating func growFrames() {
        let isFirst = frameCapacity == Block.frames
        frameCapacity &*= 2
        frames = Self.moved(frames, count: depth, capacity: frameCapacity, isFirst: isFirst)
    }

    /// Moves a stack to a larger place; its first one belongs to the block.
    private static func moved<Element>(
        _ stack: UnsafeMutablePointer<Element>, count: Int, capacity: Int, isFirst: Bool
    ) -> UnsafeMutablePointer<Element> {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: stack, count: count)
        if !isFirst {
            stack.deallocate()
        }
        return larger
    }
}
