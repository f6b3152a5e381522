import SceneStoreTesting
import Testing

@Suite struct NearestWordTests {
    static let steps = ["launch", "quit", "kill", "close", "expect", "expect-none", "url", "urls"]

    @Test(
        "the nearest word is one whose letters are nearly the same",
        arguments: [
            ("lauch", "launch"), ("launhc", "launch"), ("LAUNCH", "launch"), ("laaunch", "launch"),
            ("lsunch", "launch"), ("expct-none", "expect-none"), ("ulr", "url"), ("qiut", "quit"),
            ("clsoe", "close"), ("x", nil), ("", nil), ("frobnicate", nil), ("lnch", nil),
            ("launch", "launch"),
        ] as [(String, String?)])
    func nearest(word: String, found: String?) {
        #expect(NearestWord.find(word, among: Self.steps) == found)
    }

    @Test("nothing is near among nothing, nor to a very long word")
    func limits() {
        #expect(NearestWord.find("launch", among: []) == nil)
        let long = String(repeating: "a", count: 41)
        #expect(NearestWord.find(long, among: [long]) == nil)
    }

    @Test("of equally near words the first one is meant")
    func ties() {
        #expect(NearestWord.find("bat", among: ["cat", "hat"]) == "cat")
    }
}
