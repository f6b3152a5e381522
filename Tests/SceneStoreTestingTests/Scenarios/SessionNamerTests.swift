import SceneStoreTesting
import Testing

@Suite struct SessionNamerTests {
    @Test("L-04 letters go from A to Z, then AA, AB and on")
    func letters() {
        var namer = SessionNamer()
        let names = (0..<704).map { _ in namer.next() }
        #expect(names[0] == "A")
        #expect(names[25] == "Z")
        #expect(names[26] == "AA")
        #expect(names[27] == "AB")
        #expect(names[51] == "AZ")
        #expect(names[52] == "BA")
        #expect(names[701] == "ZZ")
        #expect(names[702] == "AAA")
        #expect(names[703] == "AAB")
        #expect(Set(names).count == names.count)
    }

    @Test("letters count the sessions without a name of their own")
    func ownNames() {
        var namer = SessionNamer()
        let first = namer.next()
        let isTaken = namer.take("doc")
        let second = namer.next()
        #expect([first, second] == ["A", "B"])
        #expect(isTaken)
        #expect(namer.isTaken("doc"))
        #expect(!namer.isTaken("C"))
    }

    @Test("L-04 a name is never given twice")
    func neverTwice() {
        var namer = SessionNamer()
        let takes = [namer.take("B"), namer.take("B")]
        #expect(takes == [true, false])
        let first = namer.next()
        let again = namer.take("A")
        let second = namer.next()
        #expect([first, second] == ["A", "C"])
        #expect(!again)
    }

    @Test(
        "a name is 1 to 64 letters, digits and -_.",
        arguments: [
            ("A", true), ("a-1_b.C", true), (String(repeating: "x", count: 64), true),
            ("", false), ("*", false), ("a b", false), ("a,b", false), ("a:b", false),
            ("a=b", false),
            ("é", false), ("\u{212A}", false), (String(repeating: "x", count: 65), false),
        ])
    func validity(text: String, isName: Bool) {
        #expect(SessionNamer.isName(text) == isName)
    }
}
