import SceneStoreValues
import Testing

/// Where windows go on displays that are not those they were on (L-49).
@Suite("Fitting windows to displays")
struct FittingTests {
    typealias Frame = Display.Frame

    static let main = Display(
        "main", frame: Frame(x: 0, y: 0, width: 1920, height: 1080),
        workArea: Frame(x: 0, y: 30, width: 1920, height: 1050))
    static let left = Display("left", frame: Frame(x: -1280, y: -200, width: 1280, height: 1024))
    static let right = Display("right", frame: Frame(x: 1920, y: 0, width: 2560, height: 1440))

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var place: ScenePlacement
        var displays: [Display]
        var fitted: ScenePlacement

        init(
            _ name: String, _ place: ScenePlacement, on displays: [Display],
            fitted: ScenePlacement
        ) {
            testDescription = name
            self.place = place
            self.displays = displays
            self.fitted = fitted
        }
    }

    static func window(
        _ x: Double?, _ y: Double?, _ width: Double, _ height: Double, _ display: String? = nil
    ) -> ScenePlacement {
        ScenePlacement(x: x, y: y, width: width, height: height, display: display)
    }

    static let rows: [Row] = [
        Row(
            "it fits", window(100, 100, 800, 600, "main"), on: [main],
            fitted: window(100, 100, 800, 600, "main")),
        Row(
            "no displays are known", window(9e9, 0, 1, 1, "x"), on: [],
            fitted: window(9e9, 0, 1, 1, "x")),
        Row(
            "the display at a negative origin is still there",
            window(-1200, -150, 800, 600, "left"),
            on: [main, left], fitted: window(-1200, -150, 800, 600, "left")),
        Row(
            "the display at a negative origin is gone", window(-1200, -150, 800, 600, "left"),
            on: [main], fitted: window(0, 30, 800, 600, "main")),
        Row(
            "the display on the right is gone", window(2500, 400, 800, 600, "right"), on: [main],
            fitted: window(1120, 400, 800, 600, "main")),
        Row(
            "the window is larger than the display that is left",
            window(2000, 0, 2400, 1400, "right"), on: [main],
            fitted: window(0, 30, 1920, 1050, "main")),
        Row(
            "the display is smaller than it was", window(1000, 700, 800, 300, "main"),
            on: [Display("main", frame: Frame(x: 0, y: 0, width: 1024, height: 768))],
            // Its title bar is there to be got hold of, at the lower right.
            fitted: window(1000 - 776, 700 - 232, 800, 300, "main")),
        Row(
            "the title bar is below the work area", window(100, 1079, 800, 600, "main"),
            on: [main], fitted: window(100, 480, 800, 600, "main")),
        Row(
            "the title bar is under the panel", window(100, 10, 800, 600, "main"), on: [main],
            fitted: window(100, 30, 800, 600, "main")),
        Row(
            "half of it is beyond the right edge, and its bar can be reached",
            window(1500, 300, 800, 600, "main"), on: [main],
            fitted: window(1500, 300, 800, 600, "main")),
        Row(
            "so much of the bar is seen as is needed, and no more",
            window(1856, 300, 800, 600, "main"), on: [main],
            fitted: window(1856, 300, 800, 600, "main")),
        Row(
            "one less is seen", window(1857, 300, 800, 600, "main"), on: [main],
            fitted: window(1120, 300, 800, 600, "main")),
        Row(
            "the display is turned upright", window(1200, 100, 700, 600, "main"),
            on: [Display("main", frame: Frame(x: 0, y: 0, width: 1080, height: 1920))],
            fitted: window(380, 100, 700, 600, "main")),
        Row(
            "the display is mirrored", window(100, 100, 800, 600, "beamer"),
            on: [main, Display("beamer", frame: main.frame)],
            fitted: window(100, 100, 800, 600, "beamer")),
        Row(
            "an unnamed window goes where most of it is", window(1800, 100, 800, 600),
            on: [main, right], fitted: window(1800, 100, 800, 600, "right")),
        Row(
            "an unnamed window that is nowhere goes to the nearest", window(6000, 100, 800, 600),
            on: [main, right], fitted: window(3680, 100, 800, 600, "right")),
        Row(
            "whole pixels of a display with two in a unit",
            window(3000, 100.3, 500.25, 300, "main"),
            on: [
                Display("main", frame: Frame(x: 0, y: 0, width: 960, height: 540), scale: 2)
            ],
            fitted: window(459.5, 100, 500.25, 300, "main")),
        Row(
            "a size without a place", window(nil, nil, 4000, 600, "main"), on: [main],
            fitted: window(nil, nil, 1920, 600, "main")),
        Row(
            "numbers that are none", window(.nan, .infinity, .nan, -1, nil), on: [main],
            fitted: window(0, 30, 1920, 1050, "main")),
        Row(
            "displays that are none are left out", window(0, 100, 10, 10, "broken"),
            on: [
                Display("broken", frame: Frame(x: .nan, y: 0, width: 10, height: 10)),
                Display("empty", frame: Frame(x: 0, y: 0, width: 0, height: 0)), main,
            ],
            fitted: window(0, 100, 10, 10, "main")),
    ]

    @Test("L-49 a window fits on the displays that are there", arguments: rows)
    func fits(row: Row) {
        let fitted = row.place.fitted(to: row.displays)
        #expect(fitted == row.fitted)
        // What fits is left alone.
        #expect(fitted.fitted(to: row.displays) == fitted)
    }

    @Test(
        "L-49 fitting keeps state, order, parent and tab",
        arguments: [
            ScenePlacement.WindowState.maximized, .fullScreen, .minimized, .normal,
        ])
    func keepsTheRest(state: ScenePlacement.WindowState) {
        let place = ScenePlacement(
            x: 5000, y: 0, width: 4000, height: 10, display: "gone", windowState: state,
            stackingOrder: 3, parent: SceneSession.ID("P"), tabIndex: 2, isSelectedTab: true)
        let fitted = place.fitted(to: [Self.main])
        #expect(fitted.windowState == state && fitted.stackingOrder == 3)
        #expect(fitted.parent == place.parent)
        #expect(fitted.tabIndex == 2 && fitted.isSelectedTab)
        #expect(fitted.width == 1920 && fitted.x == 0)
    }

    @Test("L-49 an arrangement is its displays' identities and geometry, in any order")
    func arrangements() {
        let both = [Self.main, Self.left]
        #expect(both.arrangement == [Self.left, Self.main].arrangement)
        #expect(both.arrangement != [Self.main].arrangement)
        #expect([Display]().arrangement == nil)
        var panel = Self.main
        panel.workArea.height = 900
        #expect([panel].arrangement == [Self.main].arrangement)
        for change in [
            { (display: inout Display) in display.identifier = "other" },
            { $0.frame.x = 1 }, { $0.frame.height = 1 }, { $0.scale = 2 },
        ] as [(inout Display) -> Void] {
            var changed = Self.main
            change(&changed)
            #expect([changed].arrangement != [Self.main].arrangement)
        }
    }
}
