/// Elements that wait, first in first out, within bounds that a flood can't exceed.
///
/// When it is full, what arrives is turned away and counted: those that came first keep their
/// places, and the memory stays what it is.
package struct BoundedQueue<Element: Sendable>: Sendable {
    /// The most elements.
    package let capacity: Int
    /// The most weight (for links: bytes) of all elements together.
    package let weightLimit: Int
    /// How many were turned away since the queue was made.
    package private(set) var droppedCount = 0
    /// How many were taken in since the queue was made.
    package private(set) var acceptedCount = 0
    /// The weight of those that wait.
    package private(set) var weight = 0
    private var waiting: [(element: Element, weight: Int)] = []
    /// Those before it have left.
    private var head = 0

    /// Makes an empty queue; 64 links of the default length fit by default.
    package init(capacity: Int = 64, weightLimit: Int = 128 << 10) {
        self.capacity = max(0, capacity)
        self.weightLimit = max(0, weightLimit)
    }

    /// How many wait.
    package var count: Int {
        waiting.count - head
    }

    /// Whether none waits.
    package var isEmpty: Bool {
        count == 0
    }

    /// Takes an element in, or turns it away.
    ///
    /// - Returns: Whether it waits now.
    package mutating func append(_ element: Element, weight: Int = 1) -> Bool {
        let weight = max(0, weight)
        guard count < capacity, weight <= weightLimit - self.weight else {
            droppedCount &+= 1
            return false
        }
        waiting.append((element, weight))
        self.weight += weight
        acceptedCount &+= 1
        return true
    }

    /// Removes the one that has waited longest.
    package mutating func popFirst() -> Element? {
        guard head < waiting.count else {
            return nil
        }
        let first = waiting[head]
        head += 1
        weight -= first.weight
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            head = 0
        } else if head > capacity {
            waiting.removeFirst(head)
            head = 0
        }
        return first.element
    }

    /// Removes all, in their order.
    package mutating func drain() -> [Element] {
        let all = waiting[head...].map(\.element)
        waiting = []
        head = 0
        weight = 0
        return all
    }
}
