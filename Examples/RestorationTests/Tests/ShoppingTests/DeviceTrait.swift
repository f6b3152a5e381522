import SceneStore
import SceneStoreTesting
import Testing

/// Gives each test, and each case of it, a device of its own. Copy it into your tests.
///
/// The device is made when the test asks for it, by ``SceneStoreTesting/SimulatedDevice/ofTest()``:
/// it belongs to the test's isolation, and two tests never see the same container.
struct DeviceTrait: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var current = DeviceTrait()

    /// What the store holds when the test begins; nil for an app that was never launched.
    var template: StoreFixture.Template?
    /// The app's manifest; nil for that of the template.
    var manifest: SceneManifest?
    /// Where the container is.
    var storage = SimulatedDevice.Storage.memory

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(self) { try await function() }
    }
}

extension Trait where Self == DeviceTrait {
    /// Devices of an app with this manifest.
    static func device(
        manifest: SceneManifest, storage: SimulatedDevice.Storage = .memory
    ) -> Self {
        DeviceTrait(manifest: manifest, storage: storage)
    }

    /// Devices whose store is that of a template.
    static func device(
        _ template: StoreFixture.Template, storage: SimulatedDevice.Storage = .memory
    ) -> Self {
        DeviceTrait(template: template, storage: storage)
    }
}

extension SimulatedDevice {
    /// A new device as the trait of the running test says.
    static func ofTest() throws(SceneStoreError) -> SimulatedDevice {
        let trait = DeviceTrait.current
        var fixture: StoreFixture?
        if let template = trait.template {
            fixture = try StoreFixture(template)
        }
        let device = try SimulatedDevice(storage: trait.storage, fixture: fixture)
        device.options.manifest = trait.manifest ?? device.options.manifest
        return device
    }
}
