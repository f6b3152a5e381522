import SceneStore
import SceneStoreTesting
import Shopping
import XCTest

final class ListTestCase: RestorationTestCase {
    override func makeDevice() throws -> SimulatedDevice {
        try SimulatedDevice(manifest: .windows("List"))
    }

    func testTheListComesBack() throws {
        let device = try device()
        try device.launch { ShoppingApp() }
        try device.sceneDelegate(ListScene.self).state.items = ["milk"]
        try device.moveToBackground()
        try device.relaunch()
        XCTAssertEqual(try device.sceneDelegate(ListScene.self).state.items, ["milk"])
    }
}

final class ThreeWindowsTestCase: RestorationTestCase {
    func testThreeWindowsComeBack() throws {
        XCTAssertEqual(try device().launch { ShoppingApp() }.connectedScenes.count, 3)
    }

    func testNoTestSeesAnothersDevice() throws {
        let application = try device().launch { ShoppingApp() }
        XCTAssertEqual(application.launchReason, .launch)
        try device().closeWindow()
    }

    func testNoTestSeesAnothersDeviceTheOtherWayRound() throws {
        try testNoTestSeesAnothersDevice()
    }
}
