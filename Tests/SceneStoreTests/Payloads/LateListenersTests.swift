import SceneStore
import Testing

@Suite("late listeners")
struct LateListenersTests {
    @Test("L-66 what comes before anybody listens waits for the first one, in its order")
    func waits() {
        let links = LateListeners<String>()
        links.receive("a")
        links.receive("b")
        #expect(links.waiting == ["a", "b"])
        var first: [String] = []
        var second: [String] = []
        let one = links.listen { first.append($0) }
        let two = links.listen { second.append($0) }
        #expect(first == ["a", "b"])
        #expect(second == [])
        links.receive("c")
        #expect(first == ["a", "b", "c"])
        #expect(second == ["c"])
        #expect(links.waiting == [])
        one.cancel()
        links.receive("d")
        #expect(first.count == 3)
        #expect(second == ["c", "d"])
        two.cancel()
        #expect(!links.isHeard)
        links.receive("e")
        #expect(links.waiting == ["e"])
    }

    @Test("L-66 a listener that is released listens no longer")
    func released() {
        let links = LateListeners<Int>()
        var heard: [Int] = []
        do {
            let listening = links.listen { heard.append($0) }
            links.receive(1)
            _ = listening
        }
        links.receive(2)
        #expect(heard == [1])
        #expect(links.waiting == [2])
    }

    @Test("L-66 as many wait as may, and the earlier ones stay")
    func limit() {
        let links = LateListeners<Int>(capacity: 2)
        #expect(links.receive(1))
        #expect(links.receive(2))
        #expect(!links.receive(3))
        #expect(links.waiting == [1, 2])
        var heard: [Int] = []
        let listening = links.listen { heard.append($0) }
        #expect(links.receive(4))
        #expect(heard == [1, 2, 4])
        listening.cancel()
        #expect(LateListeners<Int>(capacity: 0).capacity == 1)
    }

    @Test("L-66 what a listener gives comes after what it is called with")
    func nested() {
        let links = LateListeners<Int>()
        var heard: [Int] = []
        let first = links.listen { element in
            if element == 1 {
                links.receive(2)
            }
            heard.append(element)
        }
        let second = links.listen { heard.append($0 * 10) }
        links.receive(1)
        #expect(heard == [1, 10, 2, 20])
        first.cancel()
        second.cancel()
    }
}
