import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// A device does what an app does, and says what it needs.
@Suite("What a device does before and without an app")
struct DeviceTrapTests {
    @Test(
        "S-14 L-17 a first launch on a full disk goes on in memory, as an app's does",
        arguments: [SimulatedDevice.Storage.memory, .temporaryDirectory])
    func fullDisk(storage: SimulatedDevice.Storage) throws {
        let device = try SimulatedDevice(storage: storage, options: .desktop(.window("Page")))
        if storage == .memory {
            try device.fillDisk()
        } else {
            try device.refuseWrites(.diskFull)
        }
        let host = TrapHost()
        let hosted = try device.launch(host: host)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        // Nothing was moved, so nothing is said about it.
        let fix = try #require(device.diagnostics.first?.fix)
        #expect(fix == "everything is written as soon as the disk accepts it")
        try device.window(TrapHost.Window.self, at: 0).text = "draft"
        try hosted.windowDidChange(device.window(TrapHost.Window.self, at: 0))
        hosted.application.flushChanges()
        if storage == .memory {
            try device.repairDisk()
        } else {
            try device.acceptWrites()
        }
        try hosted.application.reopenStore()
        device.kill()
        try device.relaunch()
        #expect(device.windows(TrapHost.Window.self).map(\.text) == ["draft"])
    }

    @Test(
        "L-36 closing a window before a launch says what launching again does",
        arguments: [SimulatedDevice.Storage.memory, .temporaryDirectory])
    func closing(storage: SimulatedDevice.Storage) throws {
        let device = try SimulatedDevice(storage: storage, options: .desktop(.window("Page")))
        let calls: [() throws -> Void] = [
            { try device.closeWindow() }, { try device.closeWindows(of: []) },
            { try device.relaunch() },
        ]
        for call in calls {
            let error = #expect(throws: SceneStoreError.self) { try call() }
            #expect(error?.code == .invalidState)
            #expect(error?.message == "no app was launched yet; launch one first")
        }
        try device.launch(host: TrapHost())
        try device.quit()
        try device.closeWindow()
        try device.relaunch()
        #expect(device.windows(TrapHost.Window.self).count == 1)
    }
}

private final class TrapHost: StatefulSceneHost {
    struct Page: SavedState {
        static let activityType = "com.example.page"
        var text: String
    }

    final class Window {
        var text = ""
    }

    func makeWindow(for session: SceneSession) -> Window { Window() }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func state(of window: Window) -> Page { Page(text: window.text) }
    func restore(_ state: Page, in window: Window) { window.text = state.text }
}
