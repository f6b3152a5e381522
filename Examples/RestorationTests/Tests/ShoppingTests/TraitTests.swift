import SceneStore
import SceneStoreTesting
import Shopping
import Testing

// snippet: trait-use
@Suite(.device(manifest: .windows("List")))
struct ListTests {
    @Test func theListComesBack() throws {
        let device = try SimulatedDevice.ofTest()
        try device.launch { ShoppingApp() }
        try device.sceneDelegate(ListScene.self).state.items = ["milk"]
        try device.moveToBackground()
        try device.relaunch()
        #expect(try device.sceneDelegate(ListScene.self).state.items == ["milk"])
    }

    @Test(.device(.threeWindows)) func threeWindowsComeBack() throws {
        let device = try SimulatedDevice.ofTest()
        #expect(try device.launch { ShoppingApp() }.connectedScenes.count == 3)
    }
}
// end

/// Side by side, in memory and on files, and none sees another's list.
@Suite(.device(manifest: .windows("List")))
struct IsolationTests {
    @Test(arguments: 0..<50) func inMemory(_ number: Int) throws {
        try shop(number)
    }

    @Test(.device(manifest: .windows("List"), storage: .temporaryDirectory), arguments: 0..<50)
    func onFiles(_ number: Int) throws {
        try shop(number)
    }

    private func shop(_ number: Int) throws {
        let device = try SimulatedDevice.ofTest()
        #expect(try device.launch { ShoppingApp() }.launchReason == .first)
        try device.sceneDelegate(ListScene.self).state.items = ["\(number)"]
        try device.moveToBackground()
        try device.relaunch()
        #expect(device.sceneDelegates(ListScene.self).map(\.state.items) == [["\(number)"]])
    }
}
