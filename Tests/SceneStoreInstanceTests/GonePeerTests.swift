import SceneStoreInstance
import Testing

@Suite("A peer that went away")
struct GonePeerTests {
    @Test(
        "L-77 what is sent to a peer that is gone reports an end, and no SIGPIPE ends the process")
    func send() throws {
        let own = try StreamSocket.pair().0
        // Its peer is gone with the pair. A signal would end this process, and the tests with it.
        let bytes = [UInt8](repeating: 1, count: 64)
        #expect(bytes.withUnsafeBytes { own.send($0) } == .ended)
        #expect(bytes.withUnsafeBytes { own.send($0) } == .ended)
        var buffer = [UInt8](repeating: 0, count: 64)
        #expect(buffer.withUnsafeMutableBytes { own.receive(into: $0) } == .ended)
    }
}
