#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreFormats
import SceneStoreTesting
import Testing

import SceneStore

/// Property lists that nobody vouches for.
@Suite struct HostilePropertyListTests {
    static func read(_ bytes: [UInt8]) -> SceneStoreError.Code? {
        code { try SceneManifest(propertyList: bytes) }
    }

    @Test(
        "L-23 what is not a property list is one clear error",
        arguments: [
            "", " ", "\n\t", "x", "hello world", "{ a = b; }", "(1, 2)", "<", "<>", "<?xml?>",
            "<plist>", "<plist/>", "<plist></plist>", "<plist><dict></plist>", "</dict>",
            "<plist><dict/>", "<plist><string>x</string></plist>", "<plist><array/></plist>",
            "<html><body/></html>", "<plist><dict><key>a</key></dict></plist>",
            "<plist><dict><integer>1</integer></dict></plist>", "bplist", "bplist00",
            "bplist15aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "<!-- <plist> ",
            "<![CDATA[", "<?xml", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>",
            "<plist><dict><key>UIApplicationSceneManifest</key><date>soon</date></dict></plist>",
            "<plist><dict/></plist></dict>", "<!--><plist><dict/></plist>-->",
        ])
    func notAPropertyList(text: String) {
        #expect(Self.read(Array(text.utf8)) == .notAPropertyList)
    }

    @Test("L-23 other encodings than UTF-8 are one clear error")
    func encodings() throws {
        let text = String(decoding: SceneManifestTests.everything, as: UTF8.self)
        let wide = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        #expect(Self.read([0xff, 0xfe] + wide) == .notAPropertyList)
        #expect(Self.read(wide) == .notAPropertyList)
        let latin = Array(
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><dict/></plist>".utf8)
        #expect(Self.read(latin) == .notAPropertyList)
    }

    @Test("L-23 every truncation is an error or the same manifest, never a trap")
    func truncations() throws {
        let xml = SceneManifestTests.everything
        let whole = try SceneManifest(propertyList: xml)
        for count in 0..<xml.count {
            let cut = Array(xml[..<count])
            // The reader is done when the list's own end tag is; what follows is a line break.
            if let read = try? SceneManifest(propertyList: cut) {
                #expect(read == whole)
                #expect(count > xml.count - 3)
            }
        }
        let binary = try Plist.dictionary(["CFBundleVersion": .string("1")]).binary
        for count in 0..<binary.count {
            #expect(Self.read(Array(binary[..<count])) == .notAPropertyList)
        }
    }

    static func nested(_ open: String, _ close: String, _ depth: Int) -> [UInt8] {
        Array(
            ("<plist><dict><key>UIApplicationSceneManifest</key>"
                + String(repeating: open, count: depth) + "<true/>"
                + String(repeating: close, count: depth) + "</dict></plist>").utf8)
    }

    @Test(
        "L-23 R-31 ten thousand levels are one clear error",
        arguments: [
            ("<array>", "</array>"), ("<dict><key>a</key>", "</dict>"), ("<plist>", "</plist>"),
            ("<array x='/'>", "</array>"), ("<arrayy>", "</arrayy>"),
        ])
    func deepXML(open: String, close: String) {
        #expect(Self.read(Self.nested(open, close, 10_000)) == .propertyListTooDeep)
        #expect(Self.read(Self.nested(open, "", 10_000)) == .propertyListTooDeep)
    }

    @Test("L-23 R-31 depth cannot be hidden from the scan")
    func hiddenDepth() {
        // Close tags that are no tags must not make the scan forget levels.
        for hidden in [
            "<!--</array>-->", "<string><![CDATA[</array>]]></string>", "<?x </array>?>",
        ] {
            let code = Self.read(Self.nested("<array>" + hidden, "</array>", 10_000))
            #expect(code == .propertyListTooDeep)
        }
        for unclear in ["<?>", "<!-->", "<!--->"] {
            #expect(
                Self.read(Self.nested("<array>" + unclear, "</array>", 3)) == .notAPropertyList)
        }
    }

    @Test("L-23 as many levels as are allowed are read")
    func allowedDepth() throws {
        let depth = PropertyListScan.maximumDepth - 1
        #expect(Self.read(Self.nested("<array>", "</array>", depth)) == nil)
        #expect(
            Self.read(Self.nested("<array>", "</array>", depth + 2)) == .propertyListTooDeep)
        var list = Plist.array([])
        for _ in 0..<(depth - 1) {
            list = .array([list])
        }
        let key = "UIApplicationSceneManifest"
        #expect(Self.read(try Plist.dictionary([key: list]).binary) == nil)
        let deeper = Plist.dictionary([key: .array([list])])
        #expect(Self.read(try deeper.binary) == .propertyListTooDeep)
    }

    @Test("R-31 an XML list that is not UTF-8 is refused, wherever the bad byte stands")
    func notText() {
        let text = "<plist><dict><key>CFBundleVersion</key><string>1</string></dict></plist>"
        #expect(Self.read(Array(text.utf8)) == nil)
        for (index, byte) in zip(0..., text.utf8) where byte > 0x60 {
            var bytes = Array(text.utf8)
            bytes[index] = 0xff
            #expect(Self.read(bytes) == .notAPropertyList, "\(index)")
        }
    }

    @Test("R-31 a dictionary with one key twice is refused: a reader would take either value")
    func keyTwice() {
        let one: [UInt8] = [0x10, 1]
        let two: [UInt8] = [0x10, 2]
        let narrow: [UInt8] = [0x51, 0x61]
        let wide: [UInt8] = [0x61, 0x00, 0x61]
        let other: [UInt8] = [0x51, 0x62]
        for (first, second) in [(narrow, narrow), (narrow, wide), (wide, narrow)] {
            let objects = [[0xd2, 1, 2, 3, 4], first, second, one, two]
            #expect(Self.read(binaryList(objects)) == .notAPropertyList)
        }
        let shared = [[0xd2, 1, 1, 2, 3], narrow, one, two]
        #expect(Self.read(binaryList(shared)) == .notAPropertyList)
        let different = [[0xd2, 1, 2, 3, 4], narrow, other, one, two]
        #expect(Self.read(binaryList(different)) == nil)
        // The same key in two dictionaries is nothing odd.
        #expect(Self.read(binaryList([[0xd1, 1, 2], narrow, [0xd1, 1, 3], one])) == nil)
    }

    @Test("R-31 L-23 ten thousand levels of a binary list are one clear error")
    func deepBinary() {
        let count = 10_000
        let objects = (0..<count).map { index -> [UInt8] in
            index + 1 < count ? [0xa1, UInt8((index + 1) >> 8), UInt8((index + 1) & 0xff)] : [0x09]
        }
        #expect(Self.read(binaryList(objects, referenceWidth: 2)) == .propertyListTooDeep)
    }

    @Test("R-31 shared references that double with each level are refused at once")
    func doubling() {
        let levels = 60
        var objects: [[UInt8]] = (0..<levels).map { [0xa2, UInt8($0 + 1), UInt8($0 + 1)] }
        objects.append([0x51, 0x78])
        #expect(Self.read(binaryList(objects)) == .propertyListTooLarge)
    }

    @Test("R-31 a long text that is shared many times is refused at once")
    func sharedText() {
        let text: [UInt8] =
            [0x5f, 0x12, 0x00, 0x10, 0x00, 0x00] + [UInt8](repeating: 97, count: 1 << 20)
        let references = [UInt8](repeating: 1, count: 200)
        let objects = [[0xaf, 0x10, 200] + references, text]
        #expect(Self.read(binaryList(objects)) == .propertyListTooLarge)
    }

    @Test("R-31 an object that contains itself is one clear error")
    func cycles() {
        #expect(Self.read(binaryList([[0xa1, 0]])) == .notAPropertyList)
        #expect(Self.read(binaryList([[0xa1, 1], [0xa1, 0]])) == .notAPropertyList)
        #expect(Self.read(binaryList([[0xd1, 1, 0], [0x51, 0x61]])) == .notAPropertyList)
        #expect(Self.read(binaryList([[0xd1, 0, 1], [0x51, 0x61]])) == .notAPropertyList)
    }

    static let brokenObjects: [[UInt8]] = [
        [0x01], [0x07], [0x0f], [0x15], [0x1f], [0x20], [0x24], [0x30], [0x34], [0x70], [0x90],
        [0xb0], [0xe0], [0xf0], [0x13], [0x23], [0x33], [0x4e], [0x5e], [0x6e], [0x8f], [0xae],
        [0xcf], [0xde], [0x4f], [0x4f, 0x08], [0x4f, 0x14, 1],
        [0x5f, 0x13, 0xff, 0xff, 0xff, 0xff],
        [0x5f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xaf, 0x11, 0xff, 0xff],
        [0xdf, 0x12, 0x7f, 0xff, 0xff, 0xff], [0xa1, 9], [0xd1, 1, 9],
        [0x6f, 0x12, 0x7f, 0xff, 0xff, 0xff],
    ]

    @Test("R-31 an object that does not fit is one clear error", arguments: brokenObjects)
    func broken(object: [UInt8]) {
        // The broken object stands behind a key, just before the table.
        let bytes = binaryList([[0xd1, 1, 2], [0x51, 0x61], object])
        #expect(Self.read(bytes) == .notAPropertyList)
    }

    @Test("R-31 a trailer that does not fit is one clear error")
    func trailers() {
        let good: [[UInt8]] = [[0xd0]]
        #expect(Self.read(binaryList(good)) == nil)
        for index in 6..<32 {
            // 9 is where the table begins.
            for value in [0xff, 0x7f, 0x0a] as [UInt8] {
                let bytes = binaryList(good, trailer: { $0[index] = value })
                #expect(Self.read(bytes) == .notAPropertyList, "byte \(index) = \(value)")
            }
        }
        for offset in [0, 7, 9, 100, 0x7fff_ffff] {
            #expect(
                Self.read(binaryList(good, offsets: { _ in [offset] })) == .notAPropertyList)
        }
    }

    @Test("R-31 too many bytes or values are one clear error")
    func tooLarge() throws {
        let blanks = [UInt8](repeating: 0x20, count: PropertyListScan.maximumBytes)
        #expect(Self.read(xml("") + blanks) == .propertyListTooLarge)
        let many = String(repeating: "<true/>", count: 100_001)
        #expect(Self.read(xml("<key>a</key><array>\(many)</array>")) == .propertyListTooLarge)
        let objects = [[UInt8]](repeating: [0x09], count: 100_001)
        #expect(Self.read(binaryList(objects, referenceWidth: 4)) == .propertyListTooLarge)
    }

    @Test("R-31 damaged lists never trap", arguments: [1, 2])
    func damaged(seed: UInt64) throws {
        var numbers = SeededRandom(seed)
        let entry = Plist.dictionary([
            "UISceneConfigurationName": .string("水"), "n": .integer(-1), "b": .boolean(true),
        ])
        let list = Plist.dictionary([
            "UIApplicationSceneManifest": .dictionary([
                "UISceneConfigurations": .dictionary(["r": .array([entry, .array([])])])
            ]),
            "NSUserActivityTypes": .array([.string("a.b"), .integer(1 << 40)]),
        ])
        let dates =
            "<key>UIApplicationSceneManifest</key><array><date>2026-01-31T12:00:00Z</date>"
            + "<data>AAEC</data><real>1.5e3</real><integer>-0x10</integer></array>"
        for sample in [try list.binary, SceneManifestTests.everything, xml(dates)] {
            // `Scripts/fuzz.sh` tries more.
            for _ in 0..<400 {
                var bytes = sample
                for _ in 0...(numbers.next() % 4) {
                    let place = Int(numbers.next() % UInt64(bytes.count))
                    switch numbers.next() % 3 {
                    case 0: bytes[place] = UInt8(truncatingIfNeeded: numbers.next())
                    case 1: bytes[place] ^= 1 << (numbers.next() % 8)
                    default: bytes.swapAt(place, Int(numbers.next() % UInt64(bytes.count)))
                    }
                }
                let found = Self.read(bytes)
                #expect(
                    [nil, .notAPropertyList, .propertyListTooLarge, .propertyListTooDeep]
                        .contains(found))
            }
        }
    }

    @Test("R-31 odd numbers, dates and data of a list are read or refused, never a trap")
    func oddScalars() {
        let scalars = [
            "<integer>99999999999999999999</integer>", "<integer>-9223372036854775808</integer>",
            "<integer>x</integer>", "<integer></integer>", "<real>nan</real>", "<real>1e999</real>",
            "<real></real>", "<data>!!!!</data>", "<data>A</data>",
            "<date>2026-13-45T99:99:99Z</date>",
            "<date>0000-00-00T00:00:00Z</date>", "<date>9999-12-31T23:59:59Z</date>",
            "<string>&#x110000;</string>", "<string>&bad;</string>", "<string>&#0;</string>",
            "<key>x</key>", "<dict><key>CF$UID</key><integer>1</integer></dict>",
            "<string>$null</string>",
        ]
        for scalar in scalars {
            let bytes = xml(
                "<key>UIApplicationSceneManifest</key><dict><key>x</key>\(scalar)</dict>")
            let found = Self.read(bytes)
            #expect(found == nil || found == .notAPropertyList, "\(scalar)")
        }
        for date in [
            "1-01-01T00:00:00Z", "99999999999999999999-01-01T00:00:00Z", "-100-01-01T00:00:00Z",
        ] {
            let bytes = xml("<key>UIApplicationSceneManifest</key><date>\(date)</date>")
            #expect(Self.read(bytes) == .notAPropertyList)
        }
    }
}
