import SceneStore
import SceneStoreSQLite
import SceneStoreTesting

/// The files of a container, in memory.
struct GoodStore: Sendable {
    private var files: [String: [UInt8]]

    /// Of an app that quit.
    static let closed = made { _ = try $0.quit() }
    /// Of an app that was killed: the log is still there.
    static let killed = made { $0.kill() }

    /// Makes a container in which every table has rows.
    private static func made(_ end: (SimulatedDevice) throws -> Void) -> GoodStore {
        let container = ScratchFolder.store.path + "/good"
        SmallFile.remove(container)
        do {
            let device = try SimulatedDevice(storage: .directory(container))
            device.options = options
            try fill(device)
            try end(device)
        } catch {
            fatalError("a good store can be made: \(error)")
        }
        let names = SmallFile.names(in: container).filter { $0 != ContainerName.index }
        let files = names.map { ($0, SmallFile.read(container + "/" + $0) ?? []) }
        SmallFile.remove(container)
        return GoodStore(files: Dictionary(files) { first, _ in first })
    }

    /// Several windows, and everything that the store remembers of them.
    private static func fill(_ device: SimulatedDevice) throws {
        let first = try device.launch([.urls([OpenURLContext(url: "deeplink://videos/42")])]) {
            FuzzApp()
        }
        for number in 1...3 {
            var activity = try UserActivity(activityType: "com.example.edit")
            activity.targetContentIdentifier = "video-\(number)"
            first.requestSceneSessionActivation(.init(userActivity: activity))
        }
        let identifiers = first.openSessions.map(\.id)
        for (number, identifier) in identifiers.enumerated() {
            try first.setTitle("Window \(number)", for: identifier)
            try first.setUserInfo(["number": .integer(Int64(number))], for: identifier)
            try first.setStorage(["zoom": 1.5, "tab": "cut"], for: identifier)
            try first.setActivationConditions(
                ActivationConditions(
                    canActivate: .any([.always, .hasPrefix("video")]),
                    prefersToActivate: .equals("video-\(number)")), for: identifier)
        }
        try first.moveToBackground(first.connectedScenes.map(\.session.persistentIdentifier))
        try first.moveToForeground(identifiers.suffix(2).map { $0 })
        var saved = try UserActivity(activityType: "com.example.find")
        saved.persistentIdentifier = "saved"
        try first.store.saveActivity(saved)
        try first.closeWindow(of: identifiers[0])
        device.kill()
        try device.closeWindows(of: [identifiers[1]])
        let second = try device.launch { FuzzApp() }
        try second.moveToBackground(second.connectedScenes.map(\.session.persistentIdentifier))
        try second.receive(.shortcut(ShortcutItem(type: "new")))
    }

    /// What the app is.
    static var options: SceneApplicationOptions {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        manifest.configurations = [
            .windowApplication: [
                SceneConfiguration(name: "Editor", role: .windowApplication),
                SceneConfiguration(name: "Viewer", role: .windowApplication),
            ]
        ]
        var options = SceneApplicationOptions(manifest: manifest)
        options.persistsInbox = true
        options.appVersion = "1"
        return options
    }

    func write(to folder: String) {
        for (name, bytes) in files {
            SmallFile.write(bytes, to: folder + "/" + name)
        }
    }

    /// Changes bytes as the input says: which file, where, what.
    mutating func change(_ input: inout FuzzInput) {
        let names = files.keys.sorted()
        while !input.isEmpty {
            let choice = input.byte()
            guard let name = names.chosen(by: UInt64(choice >> 4)), var bytes = files[name] else {
                return
            }
            Self.change(&bytes, choice & 15, &input)
            files[name] = bytes
        }
    }

    private static let page = 4_096

    private static func change(_ bytes: inout [UInt8], _ kind: UInt8, _ input: inout FuzzInput) {
        let place = Int(input.number(bytes: 3))
        guard !bytes.isEmpty else {
            return
        }
        let start = place % bytes.count
        switch kind {
        case 0:
            bytes.removeSubrange(start...)
        case 1:
            let target = Int(input.number(bytes: 2)) % max(bytes.count / page, 1) * page
            let copy = bytes[start / page * page..<min(start / page * page + page, bytes.count)]
            let end = min(target + copy.count, bytes.count)
            bytes.replaceSubrange(target..<end, with: copy.prefix(end - target))
        case 2:
            let end = min(start + Int(input.number(bytes: 2)), bytes.count)
            let filler = input.byte()
            for index in start..<end {
                bytes[index] = filler
            }
        case 3:
            bytes[start] ^= 1 << (input.byte() & 7)
        default:
            for (index, byte) in input.bytes(Int(kind)).enumerated()
            where start + index < bytes.count {
                bytes[start + index] = byte
            }
        }
    }
}

/// An app whose windows have something to save.
final class FuzzApp: SceneConfigurationProvider {
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        SceneConfiguration(name: "Editor", role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { FuzzScene() }
}

final class FuzzScene: StateRestoringSceneDelegate {
    private var count: Int64 = 0

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        count = activity.userInfo["count"]?.integerValue ?? 0
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        count &+= 1
        return try? UserActivity(
            activityType: "com.example.edit", title: "A state",
            userInfo: ["count": .integer(count), "text": "one two three"])
    }
}
