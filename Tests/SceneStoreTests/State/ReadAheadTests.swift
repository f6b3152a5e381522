import Testing

import SceneStore
@testable import SceneStoreTesting

/// What a launch reads of windows before their turn has come.
@Suite("Reading ahead")
struct ReadAheadTests {
    /// The sessions in the order in which a launch connects them.
    private func order(_ device: SimulatedDevice) throws -> [Int64] {
        let app = NotesApp()
        var order: [Int64] = []
        app.onConnect = { order.append($0.key) }
        try device.launch { app }
        try device.quit()
        return order
    }

    @Test(
        "L-33 a window comes back with what was stored before its turn, however late",
        arguments: [1, 2, 3, 7, 30])
    func changedBefore(distance: Int) throws {
        let device = try SimulatedDevice.afterQuitting(windows: 60)
        let order = try order(device)
        let app = NotesApp()
        var titles: [Int64: String?] = [:]
        var contents: [Int64: [Value?]] = [:]
        app.onConnect = { scene in
            titles[scene.key] = scene.session.title
            contents[scene.key] = [
                scene.session.userInfo["number"],
                scene.session.stateRestorationActivity?.userInfo["text"],
            ]
            guard let store = scene.application?.store, let place = order.firstIndex(of: scene.key),
                place + distance < order.count
            else {
                return
            }
            let key = order[place + distance]
            do {
                try store.values.setTitle("\(place)", key: key)
                try store.values.setUserInfo(["number": .integer(Int64(place))], key: key)
                let state = try UserActivity(
                    activityType: "com.example.edit", userInfo: ["text": .string("\(place)")])
                _ = try store.save(
                    [StateToSave(key: key, activity: state)],
                    context: SaveContext(
                        appVersion: nil, systemVersion: nil, idiom: nil, savedAt: 0),
                    durability: .normal)
            } catch {
                Issue.record("\(error)")
            }
        }
        try device.launch { app }
        #expect(titles.count == order.count)
        for (place, key) in order.enumerated() {
            let writer = place - distance
            #expect(titles[key] == .some(writer < 0 ? nil : "\(writer)"))
            #expect(contents[key]?[0] == (writer < 0 ? nil : .integer(Int64(writer))))
            #expect(contents[key]?[1] == (writer < 0 ? .string("") : .string("\(writer)")))
        }
    }
}
