import SceneStoreEngine
import SceneStoreValues
import Testing

/// Which placement is handed over, and which of those that are reported is stored (L-49).
@Suite("Keeping places")
struct PlacementKeeperTests {
    static let desk = [
        Display("lid", frame: .init(x: 0, y: 0, width: 1000, height: 800)),
        Display("desk", frame: .init(x: 1000, y: 0, width: 2000, height: 1200)),
    ]
    static let lid = [desk[0]]
    let atDesk = ScenePlacement(x: 1500, y: 100, width: 900, height: 900, display: "desk")
    var memory: PlacementMemory {
        var memory = PlacementMemory(atDesk)
        memory.remember(atDesk, on: Self.desk.arrangement ?? 0)
        return memory
    }

    @Test("L-49 without displays the stored placement is handed over as it is")
    func noDisplays() {
        var keeper = PlacementKeeper()
        let answer1 = keeper.handOver(memory, on: [])
        #expect(answer1 == atDesk)
        var moved = atDesk
        moved.x = 7
        let answer2 = keeper.take(moved, memory, on: [])
        #expect(answer2?.placement == moved)
    }

    @Test("L-49 the placement of today's arrangement is handed over, else the last one fitted")
    func arrangement() {
        var keeper = PlacementKeeper()
        let answer3 = keeper.handOver(memory, on: Self.desk)
        #expect(answer3 == atDesk)
        #expect(!keeper.awaitsUser)
        let answer4 = keeper.handOver(memory, on: Self.lid)
        #expect(answer4 == atDesk.fitted(to: Self.lid))
        #expect(keeper.awaitsUser)
        let answer5 = keeper.handOver(nil, on: Self.lid)
        #expect(answer5 == nil)
    }

    @Test(
        "L-49 a report that equals what was handed over is not stored, nor what a toolkit adjusts")
    func reports() throws {
        var keeper = PlacementKeeper()
        let handed = keeper.handOver(memory, on: Self.lid)
        var shown = try #require(handed)
        let answer6 = keeper.take(shown, memory, on: Self.lid)
        #expect(answer6 == nil)
        shown.y = 30
        let answer7 = keeper.take(shown, memory, on: Self.lid)
        #expect(answer7 == nil)
        keeper.noteUserMoved()
        let taken = keeper.take(shown, memory, on: Self.lid)
        let kept = try #require(taken)
        #expect(kept.placement == shown)
        // Back at the desk the window is where it was there.
        let answer8 = keeper.rearrange(kept, on: Self.desk)
        #expect(answer8 == atDesk)
        let answer9 = keeper.take(atDesk, kept, on: Self.desk)
        #expect(answer9 == nil)
    }

    @Test("L-49 a user who moves a window back where it was handed over has moved it")
    func movedBack() throws {
        var keeper = PlacementKeeper()
        _ = keeper.handOver(memory, on: Self.desk)
        var moved = atDesk
        moved.x = 1200
        let taken = keeper.take(moved, memory, on: Self.desk)
        let kept = try #require(taken)
        let answer10 = keeper.take(atDesk, kept, on: Self.desk)
        #expect(answer10?.placement == atDesk)
    }

    @Test("L-49 coordinates that a toolkit doesn't know keep the stored ones")
    func unknownCoordinates() throws {
        var keeper = PlacementKeeper()
        _ = keeper.handOver(memory, on: [])
        let size = ScenePlacement(width: 500, height: 400)
        let taken = keeper.take(size, memory, on: [])
        let kept = try #require(taken)
        #expect(kept.placement.x == 1500 && kept.placement.y == 100)
        #expect(kept.placement.width == 500)
        var first = PlacementKeeper()
        let answer11 = first.take(size, nil, on: [])
        #expect(answer11?.placement == size)
    }

    @Test("L-49 of a window that stays where it was handed over, state and order are news")
    func onlyOrder() throws {
        var keeper = PlacementKeeper()
        let handed = keeper.handOver(memory, on: Self.desk)
        var raised = try #require(handed)
        raised.stackingOrder = 4
        raised.windowState = .maximized
        let taken = keeper.take(raised, memory, on: Self.desk)
        let kept = try #require(taken)
        #expect(kept.placement == raised)
        #expect(keeper.handedOver == atDesk)
    }
}
