import SceneStore
import SceneStoreTesting
import Testing

@Suite struct SetupStepTests {
    @Test("app takes any of its options")
    func app() throws {
        let all = try #require(try step("app lifecycle=application id=com.x version=1.2").app)
        #expect(all.lifecycle == .application)
        #expect(all.identifier == "com.x")
        #expect(all.version == "1.2")
        let one = try #require(try step("app lifecycle=scene").app)
        #expect(one.lifecycle == .scene)
        #expect(one.identifier == nil)
        #expect(one.version == nil)
    }

    @Test("manifest takes a path with its place, or none")
    func manifest() throws {
        let step1 = try #require(try step("manifest apps/Info.plist").manifest)
        #expect(step1.path == "apps/Info.plist")
        #expect(step1.column == 10)
        let step2 = try #require(try step("manifest none").manifest)
        #expect(step2.path == nil)
        #expect(try step("manifest a=b").manifest?.path == "a=b")
    }

    @Test("delegate's launch answers are true, false and none")
    func launchAnswers() throws {
        let first = try #require(try step("delegate will=true did=none").delegate)
        #expect(first.will == .answer(true))
        #expect(first.did == .notImplemented)
        #expect(first.provider == nil)
        #expect(first.concernsDelegate)
        #expect(try step("delegate did=false").delegate?.did == .answer(false))
    }

    @Test("L-51 delegate restores all states, none, or those of its own version")
    func restoreAnswers() throws {
        #expect(try step("delegate restore=true").delegate?.restore == .answer(true))
        #expect(try step("delegate restore=false").delegate?.restore == .answer(false))
        let own = try #require(try step("delegate restore=same-version").delegate)
        #expect(own.restore == .sameVersion)
        #expect(own.concernsDelegate)
        #expect(try step("delegate did=true").delegate?.restore == nil)
    }

    @Test("delegate's provider answers none, nil, a name, and names by role")
    func provider() throws {
        #expect(try step("delegate provider=none").delegate?.provider == .notImplemented)
        #expect(try step("delegate provider=nil").delegate?.provider == .unnamed)
        #expect(try step("delegate provider=\"My Main\"").delegate?.provider == .named("My Main"))
        let byRole = try #require(
            try step("delegate provider.Role.A=Main provider.B=nil provider-role=C").delegate)
        #expect(byRole.providerByRole.map(\.role.rawValue) == ["Role.A", "B"])
        #expect(byRole.providerByRole.map(\.name) == ["Main", nil])
        #expect(byRole.providerRole == .fixed(SceneSessionRole(rawValue: "C")))
        #expect(byRole.provider == nil)
        #expect(byRole.concernsDelegate)
        #expect(try step("delegate provider-role=none").delegate?.providerRole == .asked)
    }

    @Test(
        "activation conditions are rules, several joined by |",
        arguments: [
            ("always", .always), ("never", .never), ("=doc", .equals("doc")), ("=", .equals("")),
            ("^com.", .hasPrefix("com.")), ("$.txt", .hasSuffix(".txt")),
            ("~mid", .contains("mid")),
            ("glob:a*b?", .matches("a*b?")), ("==x", .equals("=x")), ("~=", .contains("=")),
            ("=a|^b|glob:c|never", .any([.equals("a"), .hasPrefix("b"), .matches("c"), .never])),
            ("^\u{301}x", .hasPrefix("\u{301}x")),
        ] as [(String, ActivationConditions.Rule)])
    func rules(text: String, rule: ActivationConditions.Rule) throws {
        let can = try #require(try step("delegate can=\(text) session=A").delegate)
        #expect(can.canActivate == rule)
        #expect(can.prefersToActivate == nil)
        #expect(can.session == session("A", 15 + text.count))
        #expect(!can.concernsDelegate)
        let prefers = try #require(try step("delegate session=A prefers=\(text)").delegate)
        #expect(prefers.prefersToActivate == rule)
        #expect(prefers.canActivate == nil)
    }

    @Test("policy takes each of its options")
    func policy() throws {
        let first = try #require(
            try step(
                "policy reconnect=all delivery=when-active force-quit=discard nil-state=keep "
                    + "durability=full strict=on hold-after=5"
            ).policy)
        #expect(first.reconnection == .all)
        #expect(first.deliversWhenActive == true)
        #expect(first.discardsOnForceQuit == true)
        #expect(first.keepsPreviousState == true)
        #expect(first.durability == .full)
        #expect(first.isStrict == true)
        #expect(first.holdAfter == 5)
        let second = try #require(
            try step(
                "policy reconnect=foreground delivery=uikit force-quit=preserve nil-state=forget "
                    + "durability=normal strict=off hold-after=1000000"
            ).policy)
        #expect(second.reconnection == .foreground)
        #expect(second.deliversWhenActive == false)
        #expect(second.discardsOnForceQuit == false)
        #expect(second.keepsPreviousState == false)
        #expect(second.durability == .normal)
        #expect(second.isStrict == false)
        #expect(second.holdAfter == 1_000_000)
        let third = try #require(try step("policy strict=on").policy)
        #expect(third.reconnection == nil)
        let fourth = try #require(try step("policy reconnect=first:3 launch=safe").policy)
        #expect(fourth.reconnection == .first(3))
        #expect(fourth.launchBehavior == .safe)
        #expect(fourth.opening == nil)
        #expect(try step("policy opening=Viewer").policy?.opening == .named("Viewer"))
        #expect(try step("policy opening=none").policy?.opening == .usual)
        #expect(third.durability == nil)
        #expect(third.holdAfter == nil)
    }

    @Test("update takes a manifest, a version and any number of renames")
    func update() throws {
        let all = try #require(
            try step("update manifest=b.plist version=2 rename=Old:New \"rename=A B:C D\"").update)
        #expect(all.manifest?.path == "b.plist")
        #expect(all.manifest?.column == 8)
        #expect(all.version == "2")
        #expect(all.renames.map(\.old) == ["Old", "A B"])
        #expect(all.renames.map(\.new) == ["New", "C D"])
        let none = try #require(try step("update manifest=none").update)
        #expect(none.manifest != nil)
        #expect(none.manifest?.path == nil)
        #expect(try step("update version=2").update?.manifest == nil)
    }
}
