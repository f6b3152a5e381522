import XCTest

/// Steps 1 to 5 of the page "What was not run on a device".
final class AdapterChecks: XCTestCase {
    @MainActor private var app: XCUIApplication { XCUIApplication() }

    @MainActor
    func testTheTextComesBackAfterTheAppWasStopped() {
        app.launch()
        let word = "text\(Int.random(in: 1_000...9_999))"
        let field = app.textFields["text"]
        field.tap()
        field.typeText(word)
        XCUIDevice.shared.press(.home)
        XCTAssertTrue(app.wait(for: .runningBackground, timeout: 10))
        sleep(2)
        app.terminate()
        app.launch()
        XCTAssertTrue((field.value as? String ?? "").hasSuffix(word))
    }

    @MainActor
    func testALinkThatStartsTheAppArrivesOnce() throws {
        app.launch()
        app.terminate()
        try open()
        expect("launch with url, open scenestore-checks://1, active")
    }

    @MainActor
    func testALinkToTheBackgroundArrivesOnce() throws {
        app.launch()
        XCUIDevice.shared.press(.home)
        XCTAssertTrue(app.wait(for: .runningBackground, timeout: 10))
        try open()
        expect("launch, active, foreground, open scenestore-checks://1, active")
    }

    @MainActor
    func testALinkToTheActiveAppArrivesOnce() throws {
        app.launch()
        // By the app itself: the system's `open` might take the focus away for a moment.
        app.open(try link())
        expect("open scenestore-checks://1", isEnd: true)
    }

    @MainActor
    private func link() throws -> URL {
        try XCTUnwrap(URL(string: "scenestore-checks://1"))
    }

    @MainActor
    private func open() throws {
        XCUIDevice.shared.system.open(try link())
        let button = XCUIApplication(bundleIdentifier: "com.apple.springboard").buttons["Open"]
        if button.waitForExistence(timeout: 3) {
            button.tap()
        }
        XCTAssertTrue(app.wait(for: .runningForeground, timeout: 10))
    }

    @MainActor
    private func expect(_ notes: String, isEnd: Bool = false) {
        let form = isEnd ? "label ENDSWITH %@" : "label == %@"
        let label = app.staticTexts.matching(identifier: "notes").matching(
            NSPredicate(format: form, notes)
        ).firstMatch
        XCTAssertTrue(
            label.waitForExistence(timeout: 10), app.staticTexts["notes"].label)
    }
}
