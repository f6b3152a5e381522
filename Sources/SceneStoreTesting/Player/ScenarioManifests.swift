import SceneStore
import SceneStoreFormats

/// Reads the manifests that a scenario names, relative to it.
enum ScenarioManifests {
    /// The manifests by the path that the scenario writes. Throws ``ScenarioError``.
    static func read(of scenario: Scenario) throws -> [String: SceneManifest] {
        var manifests: [String: SceneManifest] = [:]
        for step in scenario.steps {
            let manifest: ScenarioStep.ManifestStep?
            switch step.kind {
            case .manifest(let found): manifest = found
            case .update(let update): manifest = update.manifest
            default: manifest = nil
            }
            guard let manifest, let path = manifest.path, manifests[path] == nil else {
                continue
            }
            manifests[path] = try read(path, scenario, step.line, manifest.column)
        }
        return manifests
    }

    private static func read(
        _ path: String, _ scenario: Scenario, _ line: Int, _ column: Int
    ) throws -> SceneManifest {
        let file: String
        if path.hasPrefix("/") || !scenario.name.contains("/") {
            file = path
        } else {
            let folder = scenario.name.prefix(
                upTo: scenario.name.lastIndex(of: "/") ?? scenario.name.startIndex)
            file = "\(folder)/\(path)"
        }
        let named = TextEscaping.terminal(path)
        let bytes: [UInt8]
        do {
            // One byte more than a manifest may have is refused with its reason.
            bytes = try RawFile(path: file, followsLink: true)
                .bytes(PropertyListScan.maximumBytes + 1, at: 0)
        } catch {
            throw ScenarioError(
                file: scenario.name, line: line, column: column,
                message: "the manifest '\(named)' can't be read")
        }
        do throws(SceneStoreError) {
            return try SceneManifest(propertyList: bytes)
        } catch {
            throw ScenarioError(
                file: scenario.name, line: line, column: column,
                message: "the manifest '\(named)' can't be used: \(error.message)")
        }
    }
}
