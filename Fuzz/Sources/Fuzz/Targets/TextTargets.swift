import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting

extension FuzzTarget {
    /// An Info.plist, XML or binary.
    static let propertyList = FuzzTarget(
        "property-list", maximumBytes: 16 << 10,
        line: TimeLine(baseNanoseconds: 60_000_000, nanosecondsPerByte: 20_000)
    ) { bytes in
        let manifest = try? SceneManifest(propertyList: bytes)
        let findings = try? SceneManifest.lint(propertyList: bytes)
        require((manifest == nil) == (findings == nil), "lint reads what can be read")
        guard let manifest, let findings else {
            return
        }
        require(
            manifest.diagnostics.allSatisfy(findings.contains), "lint finds what reading finds")
        for (role, configurations) in manifest.configurations {
            require(
                configurations.allSatisfy { $0.role == role }, "a role's entries are of the role")
        }
        require(
            (try? SceneManifest(propertyList: bytes)) == manifest, "reading twice gives the same")
    }

    /// JSON from outside.
    static let json = FuzzTarget(
        "json", maximumBytes: 16 << 10,
        line: TimeLine(baseNanoseconds: 20_000_000, nanosecondsPerByte: 10_000)
    ) { bytes in
        guard let value = try? CanonicalJSON(parsing: Array(bytes)) else {
            return
        }
        var written: [UInt8] = []
        value.append(to: &written)
        require(
            (try? CanonicalJSON(parsing: written)) == value, "what is written is read again")
    }

    /// A scenario's text.
    static let scenario = FuzzTarget(
        "scenario", maximumBytes: 16 << 10,
        line: TimeLine(baseNanoseconds: 20_000_000, nanosecondsPerByte: 20_000)
    ) { bytes in
        do throws(ScenarioError) {
            let scenario = try Scenario(text: Array(bytes), name: "fuzz.scenario")
            require(scenario.steps.count <= bytes.count, "a step is a line of its own")
        } catch {
            _ = error.description
        }
    }
}
