import Testing

import SceneStore
import SceneStoreLinks

@Suite("Association files: matching")
struct AssociationMatchingTests {
    static func decision(
        _ component: String, _ url: String
    ) throws -> AssociationDecision {
        try AssociationFile(component: component).match(url).decision
    }

    /// A file of one entry for one app.
    static func file(_ applinks: String) throws -> AssociationFile {
        try AssociationFile("{\"applinks\":{\(applinks)}}".utf8)
    }

    static let app = "ABCDE12345.com.example.app"

    @Test(
        "K-03 a missing key matches everything, a missing part of the link is empty",
        arguments: [
            ("{}", "https://example.com/a?b#c", AssociationDecision.match),
            (#"{"unknown": 1}"#, "https://example.com/a?b#c", .match),
            (##"{"#": "*"}"##, "https://example.com/a", .match),
            (##"{"#": "?*"}"##, "https://example.com/a", .noMatch),
            (#"{"?": ""}"#, "https://example.com/a", .match),
            (#"{"?": ""}"#, "https://example.com/a?b", .noMatch),
            (##"{"/": "/a", "?": "b", "#": "c"}"##, "https://example.com/a?b#c", .match),
            (##"{"/": "/a", "?": "b", "#": "c"}"##, "https://example.com/a?b#d", .noMatch),
            (#"{"/": "/a", "exclude": true}"#, "https://example.com/a", .exclude),
            (#"{"/": "/a", "exclude": true}"#, "https://example.com/b", .noMatch),
        ])
    func parts(_ component: String, _ url: String, _ expected: AssociationDecision) throws {
        #expect(try Self.decision(component, url) == expected)
    }

    @Test("K-03 the first rule that matches decides, and an exclusion ends the search")
    func order() throws {
        let file = try Self.file(
            """
            "details": [{"appIDs": ["\(Self.app)"], "components": [
                {"/": "/a/private/*", "exclude": true}, {"/": "/a/*"},
                {"/": "/b/*"}, {"/": "/b/private/*", "exclude": true}]}]
            """)
        #expect(file.match("https://example.com/a/private/x").decision == .exclude)
        #expect(file.match("https://example.com/a/private/x").component == 0)
        #expect(file.match("https://example.com/a/x").component == 1)
        #expect(file.match("https://example.com/b/private/x").component == 2)
        #expect(file.match("https://example.com/c").decision == .noMatch)
    }

    @Test(
        "K-04 * crosses slashes, ? is one character, ?* one or more",
        arguments: [
            (#"{"/": "/a/*/d"}"#, "https://example.com/a/b/c/d", AssociationDecision.match),
            (#"{"/": "/id/????"}"#, "https://example.com/id/4815", .match),
            (#"{"/": "/id/????"}"#, "https://example.com/id/481", .noMatch),
            (#"{"/": "/id/????"}"#, "https://example.com/id/481/", .noMatch),
            (#"{"/": "/a/?*"}"#, "https://example.com/a/", .noMatch),
            (#"{"/": "/a/?*"}"#, "https://example.com/a/b", .match),
            (#"{"/": "/?/x", "percentEncoded": false}"#, "https://example.com/%C3%A9/x", .match),
            (#"{"/": "/?/x", "percentEncoded": false}"#, "https://example.com/%C3%A9a/x", .noMatch),
        ])
    func wildcards(_ component: String, _ url: String, _ expected: AssociationDecision) throws {
        #expect(try Self.decision(component, url) == expected)
    }

    @Test(
        "K-05 slashes in front and at the end don't count, and /* matches the parent too",
        arguments: [
            (#"{"/": "/buy/*"}"#, "https://example.com/buy", AssociationDecision.match),
            (#"{"/": "/buy/*"}"#, "https://example.com/buyer", .noMatch),
            (#"{"/": "//buy//"}"#, "https://example.com/buy", .match),
            (#"{"/": "/buy"}"#, "https://example.com///buy///", .match),
            (#"{"/": "buy"}"#, "https://example.com/buy", .match),
            (#"{"/": "?uy"}"#, "https://example.com/buy", .match),
            (#"{"/": "*buy"}"#, "https://example.com/buy", .match),
            (#"{"/": "/a/*/c"}"#, "https://example.com/a/c", .noMatch),
            (#"{"/": "/*"}"#, "https://example.com", .match),
            (#"{"/": "/"}"#, "https://example.com/a", .noMatch),
            (#"{"/": "/a//b"}"#, "https://example.com/a/b", .noMatch),
        ])
    func slashes(_ component: String, _ url: String, _ expected: AssociationDecision) throws {
        #expect(try Self.decision(component, url) == expected)
    }

    @Test(
        "K-06 a query string is compared whole, a dictionary item by item",
        arguments: [
            (#"{"?": "a=?"}"#, "https://example.com/?a=1", AssociationDecision.match),
            (#"{"?": "a=?"}"#, "https://example.com/?a=1&b=2", .noMatch),
            (#"{"?": {"a": "?"}}"#, "https://example.com/?b=2&a=1", .match),
            (#"{"?": {"a": "?"}}"#, "https://example.com/?a=11", .noMatch),
            (#"{"?": {"a": "?*"}}"#, "https://example.com/?b=2", .noMatch),
            (#"{"?": {"a": ""}}"#, "https://example.com/?a", .match),
            (#"{"?": {"a": "1=2"}}"#, "https://example.com/?a=1=2", .match),
            (#"{"?": {"a": "1"}}"#, "https://example.com/?a=1&a=1", .match),
            (#"{"?": {"a": "1"}}"#, "https://example.com/?a=1&a=2", .noMatch),
            (#"{"?": {"a": "1", "b": 2}}"#, "https://example.com/?a=3", .match),
            (#"{"?": {}}"#, "https://example.com/?a=3", .match),
        ])
    func queries(_ component: String, _ url: String, _ expected: AssociationDecision) throws {
        #expect(try Self.decision(component, url) == expected)
    }

    @Test(
        "K-07 percentEncoded false decodes the link and not the pattern, caseSensitive false folds",
        arguments: [
            (#"{"/": "/caf%C3%A9"}"#, "https://example.com/caf%C3%A9", AssociationDecision.match),
            (#"{"/": "/café"}"#, "https://example.com/caf%C3%A9", .noMatch),
            (#"{"/": "/café", "percentEncoded": false}"#, "https://example.com/caf%c3%a9", .match),
            (#"{"/": "/a%20b", "percentEncoded": false}"#, "https://example.com/a%20b", .noMatch),
            (#"{"/": "/a/b", "percentEncoded": false}"#, "https://example.com/a%2Fb", .match),
            (
                #"{"?": {"ä": "ö"}, "percentEncoded": false}"#,
                "https://example.com/?%C3%A4=%C3%B6",
                .match
            ),
            (
                #"{"?": {"a": "1&b=2"}, "percentEncoded": false}"#,
                "https://example.com/?a=1%26b=2", .match
            ),
            (#"{"/": "/Help", "caseSensitive": false}"#, "https://example.com/hELP", .match),
            (#"{"/": "/Help"}"#, "https://example.com/help", .noMatch),
            (#"{"?": {"ID": "A?"}, "caseSensitive": false}"#, "https://example.com/?id=ab", .match),
            (
                #"{"/": "/CAFÉ", "caseSensitive": false, "percentEncoded": false}"#,
                "https://example.com/caf%C3%A9", .match
            ),
            (
                #"{"/": "/caf%C3%A9", "caseSensitive": false}"#, "https://example.com/caf%c3%a9",
                .match
            ),
        ])
    func spelling(_ component: String, _ url: String, _ expected: AssociationDecision) throws {
        #expect(try Self.decision(component, url) == expected)
    }

    @Test("K-07 a rule outranks the app's defaults, and these the domain's")
    func defaults() throws {
        let file = try Self.file(
            """
            "defaults": {"caseSensitive": false, "#": "x"},
            "details": [{"appIDs": ["\(Self.app)"], "defaults": {"caseSensitive": true}, "components": [
                {"/": "/Strict/*"}, {"/": "/Loose/*", "caseSensitive": false}, {"/": "/Any", "#": "*"}]},
              {"appIDs": ["ABCDE12345.com.example.other"], "components": [{"/": "/Other", "#": "*"}]}]
            """)
        #expect(file.match("https://example.com/strict/1#x").decision == .noMatch)
        #expect(file.match("https://example.com/Strict/1#x").component == 0)
        #expect(file.match("https://example.com/Strict/1").decision == .noMatch)
        #expect(file.match("https://example.com/loose/1#x").component == 1)
        #expect(file.match("https://example.com/Any#y").component == 2)
        #expect(file.match("https://example.com/other").detail == 1)
    }

    @Test("K-07 defaults may hold a path, a query, a fragment and an exclusion, and they apply")
    func defaultsOfParts() throws {
        let file = try Self.file(
            """
            "details": [{"appIDs": ["\(Self.app)"], "defaults":
                {"/": "/a/*", "?": {"b": "1"}, "exclude": true},
                "components": [{"#": "1"}, {"#": "2", "exclude": false}, {"#": "3", "/": "*"},
                               {"#": "4", "?": "*"}]}]
            """)
        #expect(file.match("https://example.com/a/x?b=1#1").decision == .exclude)
        #expect(file.match("https://example.com/a/x?b=1#2").decision == .match)
        #expect(file.match("https://example.com/x?b=1#2").decision == .noMatch)
        #expect(file.match("https://example.com/x?b=1#3").decision == .exclude)
        #expect(file.match("https://example.com/a/x?b=2#4").decision == .exclude)
    }

    @Test(
        "K-08 substitution variables stand for their values",
        arguments: [
            ("/$(lang)_$(region)/$(food)/", "https://example.com/en_US/pizza", true),
            ("/$(lang)_$(region)/$(food)/", "https://example.com/en_US/tacos", false),
            ("/$(lang)_$(region)/$(food)/", "https://example.com/qq_ZZ/pizza", false),
            ("/$(region)", "https://example.com/GB", true),
            ("/$(region)", "https://example.com/UK", false),
            ("/$(region)", "https://example.com/gb", false),
            ("/$(Food)", "https://example.com/pizza", false),
            ("/$(wild)/x", "https://example.com/abcz/x", true),
            ("/$(wild)/x", "https://example.com/abc/x", false),
            ("/$(wild)", "https://example.com/q/r/s", true),
            ("/*$(food)*", "https://example.com/one/sushi/two", true),
            ("/$(food)$(food)", "https://example.com/pizzasushi", true),
            ("/$(nested)", "https://example.com/$(food)", true),
            ("/$(nested)", "https://example.com/pizza", false),
            ("/$(none)", "https://example.com/", false),
            ("/id/$(alpha)", "https://example.com/id/q", true),
            ("/id/$(alpha)", "https://example.com/id/7", false),
            ("/id/$(upper)", "https://example.com/id/q", false),
            ("/id/$(lower)", "https://example.com/id/Q", false),
            ("/id/$(alnum)", "https://example.com/id/-", false),
            ("/id/$(digit)$(digit)", "https://example.com/id/42", true),
            ("/id/$(digit)", "https://example.com/id/42", false),
            ("/id/$(xdigit)", "https://example.com/id/F", true),
            ("/id/$(xdigit)", "https://example.com/id/g", false),
            ("/price$(open", "https://example.com/price$(open", true),
        ])
    func variables(_ pattern: String, _ url: String, _ expected: Bool) throws {
        let file = try Self.file(
            """
            "substitutionVariables": {"food": ["burrito", "pizza", "sushi"],
                "wild": ["abc?", "q*"], "nested": ["$(food)"], "none": []},
            "details": [{"appIDs": ["\(Self.app)"], "components": [{"/": "\(pattern)"}]}]
            """)
        #expect((file.match(url).decision == .match) == expected)
    }

    @Test("K-08 a rule without case compares the values without case, but not the names")
    func foldedVariables() throws {
        let file = try Self.file(
            """
            "defaults": {"caseSensitive": false}, "substitutionVariables": {"food": ["Pizza"]},
            "details": [{"appIDs": ["\(Self.app)"], "components": [
                {"/": "/$(food)/$(upper)/$(region)"}, {"/": "/x/$(FOOD)"}]}]
            """)
        #expect(file.match("https://example.com/PIZZA/q/gb").decision == .match)
        #expect(file.match("https://example.com/x/pizza").decision == .noMatch)
        #expect(
            file.diagnostics.contains {
                $0.code == .associationUndefinedVariable && $0.fix?.contains("$(food)") == true
            })
    }

    @Test(
        "K-09 paths: NOT excludes, case counts, the first match decides",
        arguments: [
            ("https://example.com/wwdc/2015", AssociationDecision.match),
            ("https://example.com/WWDC/2015", .noMatch),
            ("https://example.com/wwdc/2015/secret", .exclude),
            ("https://example.com/videos/201a", .match),
            ("https://example.com/videos/20", .noMatch),
            ("https://example.com/$(digit)", .match),
            ("https://example.com/7", .noMatch),
        ])
    func legacyPaths(_ url: String, _ expected: AssociationDecision) throws {
        let file = try Self.file(
            """
            "apps": [], "defaults": {"caseSensitive": false}, "details": [{"appID": "\(Self.app)",
            "paths": ["NOT /wwdc/*/secret", "/wwdc/*", "/videos/201?", "/$(digit)"]}]
            """)
        #expect(file.match(url).decision == expected)
    }

    @Test("K-09 with components and paths, components count")
    func componentsOutrankPaths() throws {
        let file = try Self.file(
            """
            "details": [{"appID": "\(Self.app)", "paths": ["/old"], "components": [{"/": "/new"}]}]
            """)
        #expect(file.match("https://example.com/new").decision == .match)
        #expect(file.match("https://example.com/old").decision == .noMatch)
        #expect(file.diagnostics.contains { $0.code == .associationPathsIgnored })
    }

    @Test("K-02 details as a dictionary, the form of iOS 8")
    func detailsDictionary() throws {
        let file = try Self.file(
            """
            "apps": [], "details": {"\(Self.app)": {"paths": ["/a"]},
                                    "ABCDE12345.com.example.b": {"paths": ["/b"]}}
            """)
        #expect(file.appIDs == [Self.app, "ABCDE12345.com.example.b"])
        #expect(file.match("https://example.com/b").decision == .match)
        #expect(file.match("https://example.com/b", appID: Self.app).decision == .noMatch)
    }

    @Test("K-02 each app follows the entries that name it, in their order")
    func appsAndEntries() throws {
        let other = "ABCDE12345.com.example.other"
        let file = try Self.file(
            """
            "details": [
              {"appIDs": ["\(Self.app)"], "components": [{"/": "/x", "exclude": true}]},
              {"appIDs": ["\(Self.app)", "\(other)"], "components": [{"/": "/x"}, {"/": "/y"}]},
              {"appID": "\(other)", "appIDs": [], "components": [{"/": "/z", "exclude": true}]}]
            """)
        #expect(file.match("https://example.com/x", appID: Self.app).decision == .exclude)
        #expect(file.match("https://example.com/x", appID: other).detail == 1)
        #expect(file.match("https://example.com/x").decision == .match)
        #expect(file.match("https://example.com/z").decision == .exclude)
        #expect(file.match("https://example.com/y", appID: Self.app).component == 1)
        #expect(file.match("https://example.com/y", appID: "Z.unknown").decision == .noMatch)
        #expect(file.diagnostics.contains { $0.code == .associationRepeatedApp })
    }

    @Test(
        "K-02 only https links with a host match; http answers no",
        arguments: [
            "http://example.com/", "HTTP://example.com/", "ftp://example.com/", "https:///",
            "https:", "/a", "", "deeplink://example.com/",
        ])
    func onlyHTTPS(_ url: String) throws {
        #expect(try Self.decision("{}", url) == .noMatch)
        #expect(try Self.decision("{}", "HTTPS://Example.com") == .match)
    }

    @Test("K-11 dynamic rules of assetlinks.json are matched in the same way")
    func android() throws {
        let relation = "delegate_permission/common.handle_all_urls"
        let file = try AssociationFile(
            """
            [{"relation": ["\(relation)"],
              "target": {"namespace": "android_app", "package_name": "com.example.app",
                         "sha256_cert_fingerprints": ["14:6D"]},
              "relation_extensions": {"\(relation)": {"dynamic_app_link_components": [
                {"/": "/private*", "exclude": true}, {"?": {"web": "1"}, "exclude": true},
                {"/": "/items/????"}, {"#": "app"}]}}},
             {"relation": ["\(relation)"],
              "target": {"namespace": "android_app", "package_name": "com.example.whole"}},
             {"relation": ["delegate_permission/common.get_login_creds"],
              "target": {"namespace": "android_app", "package_name": "com.example.login"}},
             {"relation": ["\(relation)"], "target": {"namespace": "web", "site": "https://x"}}]
            """.utf8)
        #expect(file.platform == .android)
        #expect(file.appIDs == ["com.example.app", "com.example.whole"])
        let matcher = file.matcher(appID: "com.example.app")
        #expect(matcher.match("https://example.com/private/1").decision == .exclude)
        #expect(matcher.match("https://example.com/items/4815?web=1").decision == .exclude)
        #expect(matcher.match("https://example.com/items/4815").component == 2)
        #expect(matcher.match("https://example.com/other#app").component == 3)
        #expect(matcher.match("https://example.com/other").decision == .noMatch)
        #expect(file.match("https://example.com/x", appID: "com.example.whole").decision == .match)
        #expect(
            file.diagnostics.contains {
                $0.path == "[1].target.sha256_cert_fingerprints" && $0.severity == .error
            })
    }
}
