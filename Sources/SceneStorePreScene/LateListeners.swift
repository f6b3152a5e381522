import SceneStore

/// A queue that keeps elements until the first listener appears (L-66).
///
/// A link that starts the app arrives before the plug-in that needs it exists. Give every element
/// to ``receive(_:)``. Without a listener the elements wait in order, and the first listener gets
/// all of them. From then on every listener gets each element immediately.
///
/// ```swift
/// let links = LateListeners<OpenURLContext>()
/// links.receive(context)  // nobody listens: it waits
/// let listening = links.listen { opened.append($0.url) }  // gets it now
/// listening.cancel()
/// ```
///
/// At most ``capacity`` elements wait. It keeps them in memory; `SceneApplicationOptions`'
/// `persistsInbox` keeps payloads over a crash. It belongs to no isolation; use it where the app's
/// delegates are called.
public final class LateListeners<Element> {
    /// The registration of a listener, until ``cancel()`` is called or it is released.
    public final class Listening {
        fileprivate let handler: (Element) -> Void
        fileprivate private(set) weak var owner: LateListeners?

        fileprivate init(_ owner: LateListeners, _ handler: @escaping (Element) -> Void) {
            self.owner = owner
            self.handler = handler
        }

        /// Stops listening. Without any listener, elements wait again.
        public func cancel() {
            owner?.remove(self)
            owner = nil
        }
    }

    private struct Weak {
        weak var listening: Listening?
    }

    /// The greatest number of elements that wait.
    public let capacity: Int
    /// The waiting elements, oldest first.
    public private(set) var waiting: [Element] = []
    private var listeners: [Weak] = []
    private var isDelivering = false

    /// Makes a queue without listeners. A capacity below 1 counts as 1.
    public init(capacity: Int = 100) {
        self.capacity = max(capacity, 1)
    }

    /// Whether somebody listens.
    public var isHeard: Bool { listeners.contains { $0.listening != nil } }

    /// Passes an element to all listeners, or keeps it for the first one.
    ///
    /// Returns false if the element was dropped, because ``capacity`` elements already wait; those
    /// stay. If a listener passes on an element while it is called, that element comes after the
    /// current one.
    @discardableResult
    public func receive(_ element: Element) -> Bool {
        guard waiting.count < capacity else {
            return false
        }
        waiting.append(element)
        deliver()
        return true
    }

    /// Adds a listener, which gets the waiting elements before this returns, oldest first.
    public func listen(_ handler: @escaping (Element) -> Void) -> Listening {
        let listening = Listening(self, handler)
        listeners.append(Weak(listening: listening))
        deliver()
        return listening
    }

    private func deliver() {
        guard !isDelivering else {
            return
        }
        isDelivering = true
        defer { isDelivering = false }
        while !waiting.isEmpty {
            let heard = listeners.compactMap(\.listening)
            guard !heard.isEmpty else {
                return
            }
            let element = waiting.removeFirst()
            // Without its owner it was cancelled by one before it.
            for listening in heard where listening.owner != nil {
                listening.handler(element)
            }
        }
    }

    private func remove(_ listening: Listening) {
        listeners.removeAll { $0.listening == nil || $0.listening === listening }
    }
}
