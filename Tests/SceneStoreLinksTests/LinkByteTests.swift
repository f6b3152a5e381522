import Testing

import SceneStore
import SceneStoreLinks

@Suite("The bytes of a link")
struct LinkByteTests {
    static func reason(_ text: String, policy: LinkPolicy = LinkPolicy()) -> LinkRefusal.Reason? {
        do throws(LinkRefusal) {
            _ = try CheckedLink(text, policy: policy)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "R-32 a link that breaks a rule is refused with the rule's name",
        arguments: [
            ("", LinkRefusal.Reason.empty),
            ("https://example.com/" + String(repeating: "a", count: 2_029), .tooLong),
            ("https://example.com/a b", .notPrintable),
            ("https://example.com/a\u{0}b", .notPrintable),
            ("https://example.com/a\nb", .notPrintable),
            ("https://example.com/\u{202e}txt", .notPrintable),
            ("https://ex\u{e4}mple.com/", .notPrintable),
            ("https://example.com\\@evil.com/", .backslash),
            ("https://example.com/a|b", .forbiddenCharacter),
            ("https://example.com/\"", .forbiddenCharacter),
            ("https://example.com/x?a[]=1", .forbiddenCharacter),
            ("https://example.com/x#a#b", .forbiddenCharacter),
            ("https://example.com/%zz", .badPercentEscape),
            ("https://example.com/%4", .badPercentEscape),
            ("https://example.com/%", .badPercentEscape),
            ("https://example.com/%00", .encodedControlCharacter),
            ("https://example.com/?q=%0d%0aX", .encodedControlCharacter),
            ("https://example.com/?q=%7F", .encodedControlCharacter),
            ("https://example.com/?q=%C2%85", .encodedControlCharacter),
            ("https://example.com/?q=%E2%80%AE", .encodedControlCharacter),
            ("https://example.com/%E2%80%8Bvideos", .encodedControlCharacter),
            ("https://example.com/videos%EF%BB%BF", .encodedControlCharacter),
            ("https://example.com/?q=%FF", .encodedInvalidText),
            ("https://example.com/?q=%C3", .encodedInvalidText),
            ("https://example.com/?q=%C3x%A9", .encodedInvalidText),
            ("https://example.com/?q=%C0%AF", .encodedInvalidText),
            ("https://example.com/?q=%ED%A0%80", .encodedInvalidText),
            ("example.com/videos", .missingScheme),
            ("//example.com/videos", .missingScheme),
            ("1a://x", .missingScheme),
            ("http://example.com/", .insecureScheme),
            ("HTTP://example.com/", .insecureScheme),
            ("javascript:alert(1)", .forbiddenScheme),
            ("JavaScript:alert(1)", .forbiddenScheme),
            ("file:///etc/passwd", .forbiddenScheme),
            ("data:text/html,x", .forbiddenScheme),
            ("about:blank", .forbiddenScheme),
            ("https:///videos", .missingHost),
            ("https:/example.com/videos", .missingHost),
            ("https:example.com/videos", .missingHost),
            ("https://user@example.com/", .userInfo),
            ("https://example.com@evil.com/", .userInfo),
            ("https://@example.com/", .userInfo),
            ("https://[::1]/", .addressLiteral),
            ("https://127.0.0.1/", .addressLiteral),
            ("https://0x7f.1/", .addressLiteral),
            ("https://2130706433/", .addressLiteral),
            ("https://example.0x7f/", .addressLiteral),
            ("https://example.com:8443/", .port),
            ("https://example.com:/", .port),
            ("https://example.com:0443/", .port),
            ("https://example.com./", .trailingDot),
            ("https://good.com%2eevil.com/", .encodedHost),
            ("https://exa_mple.com/", .malformedHost),
            ("https://-example.com/", .malformedHost),
            ("https://example..com/", .malformedHost),
            ("https://" + String(repeating: "a", count: 64) + ".com/", .malformedHost),
            ("https://xn--pypal-4ve.com/", .internationalizedHost),
            ("https://example.com/a/../b", .dotSegment),
            ("https://example.com/a/./b", .dotSegment),
            ("https://example.com/%2e%2E/b", .dotSegment),
            ("https://example.com/a/.%2e", .dotSegment),
            ("deeplink://../secret", .dotSegment),
            ("https://example.com/a%2Fb", .encodedSlash),
            ("https://example.com/a%5cb", .encodedSlash),
            ("deeplink://a%2fb/c", .encodedSlash),
            ("deeplink://user@videos", .userInfo),
            ("deeplink://videos:80/1", .port),
        ])
    func refused(_ text: String, _ reason: LinkRefusal.Reason) {
        #expect(Self.reason(text) == reason)
    }

    @Test(
        "R-32 a link in order is split without being changed",
        arguments: [
            "https://example.com", "https://EXAMPLE.com/Videos?x=%2F..#/a/../b",
            "https://example.com:443/videos", "https://a-b.example.com//a//b/?&&=&a=b&a",
            "https://example.com/;a=b,c!$&'()*+@:~", "https://example.com/caf%C3%A9/...",
            "https://example.com/?q=%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7", "deeplink://", "deeplink:",
            "deeplink:videos/new", "deeplink:///videos", "deeplink://caf%C3%A9/x?y#z",
            "a+b-c.d://x", "deeplink://videos/42?t=12",
        ])
    func accepted(_ text: String) throws {
        let link = try CheckedLink(text)
        #expect(link.text == text)
        #expect(link.url.absoluteString == text)
    }

    @Test("R-32 no escape stands for what a display obeys or hides, and its neighbours pass")
    func hiddenCharacters() throws {
        let hidden: [ClosedRange<UInt32>] = [
            0x00...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200b...0x200b, 0x200e...0x200f,
            0x2028...0x202e, 0x2060...0x206f, 0xfeff...0xfeff,
        ]
        func reason(_ value: UInt32) throws -> LinkRefusal.Reason? {
            let text = String(Character(try #require(Unicode.Scalar(value))))
            let escaped = text.utf8.map { "%" + String(256 + Int($0), radix: 16).suffix(2) }
                .joined()
            return Self.reason("https://example.com/a" + escaped + "b")
        }
        for range in hidden {
            for value in range {
                #expect(
                    try reason(value) == .encodedControlCharacter, "\(String(value, radix: 16))")
            }
            for value in [range.lowerBound, range.upperBound + 2].map({ $0 &- 1 })
            where value < 0x110000 && !hidden.contains(where: { $0.contains(value) }) {
                #expect(try reason(value) == nil, "\(String(value, radix: 16))")
            }
        }
        // Joiners are part of words and of emoji.
        #expect(try reason(0x200c) == nil)
        #expect(try reason(0x200d) == nil)
    }

    @Test("R-32 a host and a label may have their greatest length, and no byte more")
    func longHosts() {
        let label = String(repeating: "a", count: 63)
        let host = [String(repeating: "b", count: 57), label, label, label, "com"]
            .joined(separator: ".")
        #expect(host.utf8.count == 253)
        #expect(Self.reason("https://\(host)/") == nil)
        #expect(Self.reason("https://b\(host)/") == .malformedHost)
        #expect(Self.reason("https://\(label).\(label).\(label).\(label).x/") == .malformedHost)
        #expect(Self.reason("https://\(label)a.com/") == .malformedHost)
        for name in ["a-", "-a"] {
            #expect(Self.reason("https://\(name).com/") == .malformedHost)
            #expect(Self.reason("https://www.\(name)/") == .malformedHost)
        }
        #expect(Self.reason("https://a--b.com/") == nil)
    }

    @Test("R-32 the limit on the length is the app's to choose")
    func limit() {
        var policy = LinkPolicy()
        policy.maximumBytes = 20
        #expect(Self.reason("https://example.com/") == nil)
        #expect(Self.reason("https://example.com/", policy: policy) == nil)
        #expect(Self.reason("https://example.com/a", policy: policy) == .tooLong)
        #expect(
            Self.reason("https://example.com/" + String(repeating: "a", count: 2_028)) == nil)
    }

    @Test("R-32 an internationalised host is followed when it is listed, and no other")
    func listedHosts() {
        var policy = LinkPolicy()
        policy.listedHosts = ["xn--bcher-kva.example"]
        #expect(Self.reason("https://xn--bcher-kva.example/", policy: policy) == nil)
        #expect(Self.reason("https://XN--Bcher-KVA.example/", policy: policy) == nil)
        #expect(
            Self.reason("https://xn--pypal-4ve.example/", policy: policy)
                == .internationalizedHost)
    }

    @Test("R-32 user information and ports of custom schemes are an app's explicit choice")
    func customAuthority() throws {
        var policy = LinkPolicy()
        policy.allowsUserInfo = true
        policy.allowsPort = true
        let link = try CheckedLink("ssh://user@host:22/x", policy: policy)
        #expect(link.segments == ["user@host:22", "x"])
        #expect(Self.reason("ssh://user@host:/x", policy: policy) == .port)
        #expect(Self.reason("ssh://user@host:2x/", policy: policy) == .port)
        #expect(Self.reason("https://user@example.com/", policy: policy) == .userInfo)
    }

    @Test("R-32 K-24 the authority ends where a path, a query or a fragment begins")
    func endOfAuthority() throws {
        for end in ["/", "?", "#"] {
            for rest in ["", "to=me@evil.example", "to=me@evil.example:1x"] {
                let link = try CheckedLink("deeplink://host\(end)\(rest)")
                #expect(link.segments.first == "host", "\(end)\(rest)")
                #expect(Self.reason("https://example.com\(end)\(rest)") == nil, "\(end)\(rest)")
            }
        }
        // It is the last at sign that ends the user information.
        var policy = LinkPolicy()
        policy.allowsUserInfo = true
        for user in ["u", "u@v"] {
            #expect(Self.reason("ssh://\(user)@../x", policy: policy) == .dotSegment, "\(user)")
        }
    }

    @Test("K-24 segments and items are decoded once, after splitting")
    func decoding() throws {
        let link = try CheckedLink("deeplink://caf%C3%A9/a%252Fb/c%3Fd?x%26y=1%3D2&z&=e&f=a+b")
        #expect(link.segments == ["café", "a%2Fb", "c?d"])
        #expect(link.queryItems.map(\.name) == ["x&y", "z", "", "f"])
        #expect(link.queryItems.map(\.value) == ["1=2", "", "e", "a+b"])
    }

    @Test(
        "K-21 the host of a custom scheme is the first segment, that of an https link is none",
        arguments: [
            ("deeplink://videos/new", ["videos", "new"]),
            ("deeplink:videos/new", ["videos", "new"]),
            ("deeplink:///videos/new/", ["videos", "new"]), ("deeplink://", []),
            ("https://example.com//videos/new//", ["videos", "new"]),
            ("https://example.com/a//b", ["a", "", "b"]), ("https://example.com", []),
        ])
    func segments(_ text: String, _ segments: [String]) throws {
        #expect(try CheckedLink(text).segments == segments)
    }

    @Test("R-32 a refusal says which rule and which byte, and never quotes the link")
    func refusalIsSilent() {
        for text in ["https://canary.example/secret|", "canary://secret@x", "https://canary/%00"] {
            do throws(LinkRefusal) {
                _ = try CheckedLink(text)
                Issue.record("accepted")
            } catch {
                #expect(!"\(error)\(error.error)".contains("canary"))
                #expect(!"\(error)\(error.error)".contains("secret"))
                #expect(error.error.code == .linkRefused)
            }
        }
        let link = try? CheckedLink("https://example.com/secret?secret#secret")
        #expect(link?.description == "https://example.com")
    }
}
