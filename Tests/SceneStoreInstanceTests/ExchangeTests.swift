import SceneStore
import Testing

@testable import SceneStoreInstance

@Suite("One peer of the owner")
struct PeerExchangeTests {
    private func receive(
        _ exchange: inout PeerExchange, _ bytes: [UInt8], now: Int64 = 0
    ) -> PeerExchange.Action {
        bytes.withUnsafeBytes { exchange.receive($0, now: now) }
    }

    @Test("L-77 a request is decided once, and its answer sent in as many pieces as it takes")
    func whole() throws {
        var exchange = PeerExchange(.init(), now: 0)
        let framed = try MessageFrame.framed([1, 2, 3])
        #expect(receive(&exchange, Array(framed[..<5])) == .wait)
        #expect(receive(&exchange, Array(framed[5...])) == .decide([1, 2, 3]))
        #expect(receive(&exchange, framed) == .wait, "nothing more is read")
        exchange.answer([9, 8, 7], now: 10)
        #expect(exchange.unsent == [9, 8, 7])
        #expect(exchange.noteSent(2) == .wait)
        #expect(exchange.unsent == [7])
        #expect(exchange.noteSent(1) == .close)
    }

    @Test("L-77 a slow peer has its time, from its arrival on, whatever it sends meanwhile")
    func slow() throws {
        var limits = PeerExchange.Limits()
        limits.patience = 100
        limits.decision = 1_000
        var exchange = PeerExchange(limits, now: 50)
        let framed = try MessageFrame.framed([1])
        #expect(receive(&exchange, Array(framed[..<1]), now: 149) == .wait)
        #expect(!exchange.isLate(149))
        #expect(exchange.isLate(150))
        #expect(receive(&exchange, Array(framed[1...]), now: 149) == .decide([1]))
        #expect(!exchange.isLate(1_148))
        #expect(exchange.isLate(1_149))
        exchange.answer([1], now: 1_100)
        #expect(exchange.isLate(1_200))
    }

    @Test("L-77 a peer gives its place up a second after its arrival, unless its request is there")
    func givesWay() throws {
        var exchange = PeerExchange(.init(), now: 50)
        #expect(exchange.givesWay == 1_050)
        let framed = try MessageFrame.framed([1])
        #expect(receive(&exchange, Array(framed[..<5]), now: 900) == .wait)
        #expect(exchange.givesWay == 1_050)
        #expect(receive(&exchange, Array(framed[5...]), now: 950) == .decide([1]))
        #expect(exchange.givesWay == nil)
        exchange.answer([1], now: 960)
        #expect(exchange.givesWay == nil)
    }

    @Test("L-77 a peer that sends no message, or one that is too long, is sent away")
    func sentAway() throws {
        var limits = PeerExchange.Limits()
        limits.bytes = 4
        for bytes in [Array("GET / HTTP".utf8), try MessageFrame.framed([1, 2, 3, 4, 5])] {
            var exchange = PeerExchange(limits, now: 0)
            #expect(receive(&exchange, bytes) == .close)
            #expect(exchange.count == 0)
        }
        var exchange = PeerExchange(limits, now: 0)
        #expect(
            receive(&exchange, try MessageFrame.framed([1, 2, 3, 4])) == .decide([1, 2, 3, 4]))
    }
}

@Suite("A process that starts")
struct ForwardingTests {
    @Test("L-77 it asks the owner, and ends with what became of its payloads")
    func handedOver() throws {
        var forwarding = Forwarding(now: 0, milliseconds: 1_000)
        let receipts = [PayloadReceipt(session: SceneSession.ID("A"))]
        #expect(forwarding.noteOwner(7) == .ask)
        let answer = try InstanceMessage.encode(.receipts(receipts))
        #expect(forwarding.note(.answered(answer), now: 5) == .finish(receipts))
        #expect(!forwarding.mayHaveBeenSeen)
    }

    @Test("L-77 when the owner dies it tries to own, and knows whether it may have been seen")
    func ownerDied() {
        var forwarding = Forwarding(now: 0, milliseconds: 1_000)
        #expect(forwarding.note(.ended(afterSending: false), now: 1) == .pause(0))
        #expect(!forwarding.mayHaveBeenSeen)
        #expect(forwarding.note(.ended(afterSending: true), now: 1) == .pause(4))
        #expect(forwarding.mayHaveBeenSeen)
        #expect(forwarding.note(.ended(afterSending: false), now: 1) == .pause(8))
        #expect(forwarding.mayHaveBeenSeen, "what was seen once stays so")
    }

    @Test("L-77 an owner that lives and closes each connection is asked at most every 50 ms")
    func closesAlways() {
        var forwarding = Forwarding(now: 0, milliseconds: 1_000)
        let pauses = (0..<8).map { _ in forwarding.note(.ended(afterSending: true), now: 1) }
        #expect(pauses == [0, 4, 8, 16, 32, 50, 50, 50].map { .pause($0) })
    }

    @Test(
        "L-77 an owner that does not listen is waited for briefly, one that ends for the whole time"
    )
    func silence() throws {
        var forwarding = Forwarding(now: 0, milliseconds: 30_000)
        _ = forwarding.noteOwner(7)
        #expect(forwarding.note(.notListening, now: 0) == .pause(4))
        #expect(forwarding.note(.notListening, now: 4_999) == .pause(8))
        guard case .fail(let error) = forwarding.note(.notListening, now: 5_000) else {
            Issue.record("it waits on")
            return
        }
        #expect(error.code == .owned)
        #expect(error.ownerProcess == 7)
        let later = try InstanceMessage.encode(.later)
        #expect(forwarding.note(.answered(later), now: 29_999) == .pause(16))
        // It was heard, so that it isn't deaf when the next one needs a moment to listen.
        #expect(forwarding.note(.notListening, now: 29_999) == .pause(32))
        #expect(
            forwarding.note(.answered(later), now: 30_000)
                == .fail(SceneStoreError(.notAnswered, "")))
    }

    @Test("L-77 no answer in time, a refusal and an answer of another form are errors")
    func failures() throws {
        var forwarding = Forwarding(now: 0, milliseconds: 1_000)
        #expect(
            forwarding.note(.timedOut(afterSending: true), now: 1_000)
                == .fail(SceneStoreError(.notAnswered, "")))
        #expect(
            forwarding.note(.ended(afterSending: true), now: 1_000)
                == .fail(SceneStoreError(.notAnswered, "")))
        let refusal = SceneStoreError(.tooManyPayloads, "too many")
        #expect(
            forwarding.note(.answered(try InstanceMessage.encode(.refused(refusal))), now: 1)
                == .fail(refusal))
        #expect(
            forwarding.note(.answered([1, 2]), now: 1)
                == .fail(SceneStoreError(.malformedValue, "")))
    }
}
