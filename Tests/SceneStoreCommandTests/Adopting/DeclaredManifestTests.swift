import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// Commands judge a store by what the app's last launch declared (S-43).
@Suite("The manifest that a store remembers")
struct DeclaredManifestTests {
    private static let roles = [
        SceneSessionRole.windowApplication, .carTemplateApplication,
    ]

    private static func options(multiple: Bool) -> SceneApplicationOptions {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = multiple
        for role in roles {
            manifest.configurations[role] = [SceneConfiguration(name: "Editor", role: role)]
        }
        return SceneApplicationOptions(manifest: manifest)
    }

    /// Two windows of each of two roles, all in front.
    private static func fixture(_ declared: String?) throws -> EditedFixture {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        try store.discard(
            try store.openRecords().map(\.key), cause: .user, deliveredNow: true)
        _ = try store.launches.begin(
            LaunchContext(declared: declared, bootIdentifier: "boot", processIdentifier: 42))
        for role in roles {
            for number in 1...2 {
                fixture.clock.advance(.seconds(1))
                _ = try store.insertSession(
                    identifier: "\(role == .windowApplication ? "window" : "car")-\(number)",
                    configuration: SceneConfiguration(name: "Editor", role: role), isFront: true,
                    becameActive: true)
            }
        }
        try store.close()
        return fixture
    }

    private func connecting(_ fixture: EditedFixture) throws -> [String] {
        try fixture.run("sessions", "--json").objects().filter { $0["reconnects"] == true }
            .compactMap { $0.text("session") }.sorted()
    }

    private func planned(_ fixture: EditedFixture) throws -> [String] {
        try fixture.run("plan", "--json").objects().compactMap { row in
            row.text("session").map { "\(row.text("step") ?? "") \($0)" }
        }.filter { !$0.hasPrefix("discard") }.sorted()
    }

    @Test("S-43 L-12 sessions and plan say which windows a one-window app displaces")
    func displaced() throws {
        let one = try Self.fixture(Self.options(multiple: false).declaration)
        #expect(try connecting(one) == ["car-2", "window-2"])
        #expect(
            try planned(one)
                == ["connect car-2", "connect window-2", "park car-1", "park window-1"])
        #expect(
            one.run("plan").output.contains(
                "It is planned with the manifest that the last launch declared\n"))
    }

    @Test("S-43 an app of several windows gets them all, and so does one that declared nothing")
    func several() throws {
        for declared in [Self.options(multiple: true).declaration, nil] {
            let fixture = try Self.fixture(declared)
            let all = ["car-1", "car-2", "window-1", "window-2"]
            #expect(try connecting(fixture) == all)
            #expect(try planned(fixture) == all.map { "connect \($0)" })
            #expect(
                fixture.run("plan").output.contains(
                    "No launch declared a manifest: it isn't known whether the app shows several "
                        + "windows\n") == (declared == nil))
        }
    }
}
