import Testing

import SceneStore
import SceneStoreLinks

@Suite("Association files: reading")
struct AssociationFileTests {
    static func code(_ bytes: [UInt8]) -> SceneStoreError.Code? {
        do throws(SceneStoreError) {
            _ = try AssociationFile(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "K-02 what is not JSON, repeats a key or is too deep is a typed error",
        arguments: [
            "", "{", "[", "{\"a\"}", "{\"a\":1,}", "[1,]", "nul", "{\"a\":01}", "{\"a\":1.}",
            "{\"a\":1e}", "{\"a\":-}", "\"\\x\"", "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\\ud800\\u0041\"}",
            "{\"a\":\"\\u12\"}", "{\"a\":\"b", "{\"a\":\"\u{1}\"}", "{} {}", "{\"a\":1,\"a\":2}",
            "{\"a\":1,\"\\u0061\":2}", "1", "\"text\"", "null",
            String(repeating: "[", count: 100_000),
            String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
            String(repeating: "{\"a\":", count: 20_000),
        ])
    func malformed(_ text: String) {
        #expect(Self.code(Array(text.utf8)) == .associationMalformed)
    }

    @Test("K-02 invalid UTF-8 is a typed error")
    func invalidText() {
        #expect(Self.code([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) == .associationMalformed)
        #expect(Self.code([0x30, 0x82, 0x0b, 0xba, 0x06, 0x09]) == .associationMalformed)
    }

    @Test("K-02 a file may have 128 KiB and not a byte more")
    func size() {
        let text = Array("{\"applinks\":{\"details\":[]}}".utf8)
        let padding = [UInt8](repeating: 0x20, count: (128 << 10) - text.count)
        #expect(Self.code(text + padding) == nil)
        #expect(Self.code(text + padding + [0x20]) == .associationTooLarge)
    }

    @Test("K-02 escapes, a byte order mark and white space are read")
    func jsonDetails() throws {
        let text =
            "\u{feff} {\"applinks\" :{ \"details\":[{\"appIDs\":[\"A\"],\"components\":"
            + "[{\"\\/\":\"\\/caf\\u00e9\\ud83d\\ude00\\n\\t\\\"\\\\\",\"x\":[1.5e-3,-0,true,null]}]}]}}\n"
        let file = try AssociationFile(text.utf8)
        #expect(file.details.first?.components.first?.path == "/café😀\n\t\"\\")
    }

    @Test(
        "K-02 an odd part is reported with its place and a fix, and the rest works",
        arguments: [
            (#"{"a": 1}"#, Diagnostic.Code.associationMissingPart, "applinks"),
            (#"{"applinks": 1}"#, .associationMalformedPart, "applinks"),
            (#"{"applinks": {}}"#, .associationMissingPart, "applinks.details"),
            (#"{"applinks": {"details": "x"}}"#, .associationMalformedPart, "applinks.details"),
            (
                #"{"applinks": {"apps": ["x"], "details": []}}"#, .associationAppsNotEmpty,
                "applinks.apps"
            ),
            (#"{"applinks": {"details": [1]}}"#, .associationMalformedPart, "applinks.details[0]"),
            (#"{"applinks": {"details": {}}}"#, .associationLegacyDetails, "applinks.details"),
            (
                #"{"applinks": {"extra": 1, "details": []}}"#, .associationUnknownKey,
                "applinks.extra"
            ),
            (
                #"{"applinks": {"a.\n": 1, "details": []}}"#, .associationUnknownKey,
                "applinks[\"a.\n\"]"
            ),
            (
                #"{"applinks": {"details": [{"b.c": 1}]}}"#, .associationUnknownKey,
                #"applinks.details[0]["b.c"]"#
            ),
            (
                #"{"applinks": {"details": {"X.\"": 1}}}"#, .associationMalformedPart,
                #"applinks.details["X.\""]"#
            ),
            (
                #"{"applinks": {"details": [{"components": []}]}}"#, .associationMissingPart,
                "applinks.details[0]"
            ),
            (
                #"{"applinks": {"details": [{"appIDs": ["x"], "components": [{}]}]}}"#,
                .associationBadAppID, "applinks.details[0]"
            ),
            (
                #"{"applinks": {"details": [{"appID": 1, "appIDs": [2]}]}}"#,
                .associationMalformedPart, "applinks.details[0].appIDs[0]"
            ),
            (
                #"{"applinks": {"details": [{"appID": "x", "appIDs": ["y"]}]}}"#,
                .associationBothAppKeys, "applinks.details[0]"
            ),
            (
                #"{"applinks": {"details": [{"appIDs": ["x"], "paths": [1]}]}}"#,
                .associationMalformedPart, "applinks.details[0].paths[0]"
            ),
            (
                #"{"applinks": {"details": [], "defaults": 1}}"#, .associationMalformedPart,
                "applinks.defaults"
            ),
            (
                #"{"applinks": {"details": [], "defaults": {"/": 1}}}"#, .associationMalformedPart,
                #"applinks.defaults["/"]"#
            ),
            (
                #"{"applinks": {"details": [], "substitutionVariables": {"a": [1]}}}"#,
                .associationMalformedPart, "applinks.substitutionVariables.a"
            ),
            (
                #"{"applinks": {"details": [], "substitutionVariables": {"$(a)": ["b"]}}}"#,
                .associationBadVariable, #"applinks.substitutionVariables["$(a)"]"#
            ),
            (
                #"{"applinks": {"details": [], "substitutionVariables": {"lang": ["b"]}}}"#,
                .associationBadVariable, "applinks.substitutionVariables.lang"
            ),
            (
                #"{"applinks": {"details": [], "substitutionVariables": {"a": ["$(b)"]}}}"#,
                .associationBadVariable, "applinks.substitutionVariables.a"
            ),
            (
                #"{"applinks": {"details": [], "substitutionVariables": {"a": []}}}"#,
                .associationBadVariable, "applinks.substitutionVariables.a"
            ),
        ])
    func oddParts(_ text: String, _ code: Diagnostic.Code, _ path: String) throws {
        let file = try AssociationFile(text.utf8)
        let finding = file.diagnostics.first { $0.code == code && $0.path == path }
        #expect(finding != nil, "\(file.diagnostics)")
        #expect(finding?.fix != nil)
    }

    @Test(
        "K-06 K-08 a rule that can't do what it seems to is reported",
        arguments: [
            (#"{"?": {"a": true}}"#, Diagnostic.Code.associationQueryIgnored, #"["?"].a"#),
            (#"{"/": 1}"#, .associationMalformedPart, #"["/"]"#),
            (#"{"exclude": "true"}"#, .associationMalformedPart, ".exclude"),
            (#"{"casesensitive": false}"#, .associationUnknownKey, ".casesensitive"),
            (#"{"path": "/x"}"#, .associationUnknownKey, ".path"),
            (#"{"/": "/$(nope)"}"#, .associationUndefinedVariable, ""),
            (#"{"/": "/caf\u00e9"}"#, .associationNeverMatches, #"["/"]"#),
            (#"{"/": "/a%20b", "percentEncoded": false}"#, .associationNeverMatches, #"["/"]"#),
            (#"{"/": "/a#b"}"#, .associationNeverMatches, #"["/"]"#),
            (#"{"/": "/a?b=c"}"#, .associationNeverMatches, #"["/"]"#),
            (##"{"#": "#top"}"##, .associationNeverMatches, ##"["#"]"##),
            (#"{"?": "?a=b"}"#, .associationNeverMatches, #"["?"]"#),
        ])
    func oddRules(_ rule: String, _ code: Diagnostic.Code, _ suffix: String) throws {
        let file = try AssociationFile(
            """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.a.b"], "components": [\(rule)]}]}}
            """.utf8)
        let path = "applinks.details[0].components[0]" + suffix
        #expect(
            file.diagnostics.contains { $0.code == code && $0.path == path }, "\(file.diagnostics)")
    }

    @Test(
        "K-03 a rule that an earlier one hides is reported",
        arguments: [
            (#"{}, {"/": "/a"}"#, true), (#"{"/": "*"}, {"/": "/a"}"#, true),
            (#"{"/": "/a"}, {"/": "/a/"}"#, true), (#"{"/": "/a/*"}, {"/": "/a/b/*"}"#, true),
            (#"{"/": "/a*"}, {"/": "/ab", "?": "x"}"#, true),
            (#"{"/": "/a/*"}, {"/": "/b"}"#, false),
            (#"{"/": "/a", "?": "x"}, {"/": "/a"}"#, false),
            (##"{"/": "/a/*", "#": "x"}, {"/": "/a/b"}"##, false),
            (#"{"/": "/a/b"}, {"/": "/a/*"}"#, false),
            (#"{"/": "/a/*"}, {"/": "/a/b", "caseSensitive": false}"#, false),
            (#"{"/": "/a/*"}, {"/": "/a/b", "percentEncoded": false}"#, false),
        ])
    func unreachable(_ rules: String, _ isReported: Bool) throws {
        let file = try AssociationFile(
            """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.a.b"], "components": [\(rules)]}]}}
            """.utf8)
        #expect(file.diagnostics.contains { $0.code == .associationUnreachable } == isReported)
    }

    @Test("K-08 what variables make of a pattern is bounded, and the rule then never matches")
    func tooLarge() throws {
        let values = (0..<6_000).map { "\"v\($0)\"" }.joined(separator: ",")
        let many = String(repeating: "$(a)", count: 3)
        let file = try AssociationFile(
            """
            {"applinks": {"substitutionVariables": {"a": [\(values)]}, "details": [{"appIDs":
            ["ABCDE12345.a.b"], "components": [{"/": "/\(many)"}, {"/": "/x"},
            {"/": "/\(String(repeating: "y", count: 5_000))"}]}]}}
            """.utf8)
        #expect(file.diagnostics.filter { $0.code == .associationPatternTooLarge }.count == 2)
        #expect(file.match("https://example.com/v1v2v3").decision == .noMatch)
        #expect(file.match("https://example.com/x").component == 1)
        #expect(!file.isClean)
    }

    @Test("K-02 a clean file has no findings")
    func clean() throws {
        let file = try AssociationFile(
            """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [
                {"#": "no_universal_links", "exclude": true, "comment": "c"},
                {"/": "/buy/*"}, {"/": "/help/website/*", "exclude": true},
                {"/": "/help/*", "?": {"articleNumber": "????"}}]}]},
             "webcredentials": {"apps": []}, "appclips": {"apps": []}}
            """.utf8)
        #expect(file.diagnostics == [])
        #expect(file.isClean)
    }
}

@Suite("Association files of public sites", .enabled(if: SharedData.isPresent))
struct PublicAssociationFileTests {
    @Test(
        "K-02 real files are read and match what their sites mean",
        arguments: [
            (
                "256Arts__256Arts.github.io.json", "https://example.com/appsales/appstoreevent",
                AssociationDecision.match, "https://example.com/appsales"
            ),
            (
                "Expensify__App.json", "https://example.com/r/123/settings", .match,
                "https://example.com/other"
            ),
            (
                "Expensify__App.json", "https://example.com/settings", .match,
                "https://example.com/settingsx"
            ),
            (
                "Uniswap__interface.json", "https://example.com/#/tokens/ethereum", .match,
                "https://example.com/#/pools"
            ),
            (
                "Uniswap__interface.json", "https://example.com/swap?chain=base", .match,
                "https://example.com/pools"
            ),
            (
                "bluesky-social__social-app.json", "https://example.com/profile/x", .match,
                "http://example.com/profile/x"
            ),
            (
                "home-assistant__my.home-assistant.io.json",
                "https://example.com/redirect/_change_url/?url=x", .match,
                "https://example.com/faq"
            ),
        ])
    func realFiles(
        _ name: String, _ link: String, _ decision: AssociationDecision, _ miss: String
    ) throws {
        let file = try AssociationFile(try SharedData.association(name))
        #expect(file.isClean, "\(file.diagnostics)")
        #expect(file.match(link).decision == decision)
        #expect(file.match(miss).decision == .noMatch)
        #expect(file.explain(link).decidedBy != nil)
        #expect(!file.explain(miss).lines.isEmpty)
    }
}
