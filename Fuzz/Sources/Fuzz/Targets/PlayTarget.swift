import SceneStore
import SceneStoreTesting

extension FuzzTarget {
    /// A scenario, played: whatever happens to an app, in whatever order, on a real store.
    ///
    /// It may name the manifests `many.plist` and `single.plist` and no other file.
    static let play = FuzzTarget(
        "play", maximumBytes: 2 << 10,
        line: TimeLine(baseNanoseconds: 3_000_000_000, nanosecondsPerByte: 1_000_000),
        grows: false, prepare: PlayChecks.prepare
    ) { bytes in
        PlayChecks.play(Array(bytes))
    }
}

private enum PlayChecks {
    static let manifests = ["many.plist", "single.plist"]

    @Sendable static func prepare() {
        for (name, isMany) in zip(manifests, [true, false]) {
            SmallFile.write(Array(manifest(isMany).utf8), to: ScratchFolder.play.path + "/" + name)
        }
    }

    static func play(_ text: [UInt8]) {
        let folder = ScratchFolder.play.path
        guard let scenario = try? Scenario(text: text, name: folder + "/fuzz.scenario"),
            scenario.steps.count <= 64,
            scenario.steps.allSatisfy({ $0.manifestPath.map(manifests.contains) ?? true })
        else {
            return
        }
        let container = folder + "/container"
        SmallFile.remove(container)
        let output = ScenarioPlayer.Output(line: { _ = $0.json }, failure: { _ in })
        // A step that the process's state does not allow ends the scenario with an error.
        guard let player = try? ScenarioPlayer(scenario, container: container, output: output)
        else {
            return
        }
        _ = try? player.play()
    }

    private static func manifest(_ isMany: Bool) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>UIApplicationSceneManifest</key><dict>
        <key>UIApplicationSupportsMultipleScenes</key><\(isMany)/>
        <key>UISceneConfigurations</key><dict><key>UIWindowSceneSessionRoleApplication</key><array>
        <dict><key>UISceneConfigurationName</key><string>Editor</string></dict>
        <dict><key>UISceneConfigurationName</key><string>Viewer</string></dict>
        </array></dict></dict></dict></plist>
        """
    }
}

extension ScenarioStep {
    /// The file that the step names.
    fileprivate var manifestPath: String? {
        switch kind {
        case .manifest(let manifest): manifest.path
        case .update(let update): update.manifest?.path
        default: nil
        }
    }
}
