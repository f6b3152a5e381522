import SceneStore
import SceneStoreTesting
import XCTest

/// A test case of XCTest whose every test has a device of its own. Copy it into your tests.
class RestorationTestCase: XCTestCase {
    private var made: SimulatedDevice?

    /// The device of the running test, made when it is asked for first.
    func device() throws -> SimulatedDevice {
        if let made {
            return made
        }
        let device = try makeDevice()
        made = device
        return device
    }

    /// Makes the device of a test; override it for another app or another store.
    func makeDevice() throws -> SimulatedDevice {
        try SimulatedDevice(fixture: StoreFixture(.threeWindows))
    }

    override func tearDown() {
        made = nil
        super.tearDown()
    }
}
