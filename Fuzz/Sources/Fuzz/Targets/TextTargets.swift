import SceneStore
import SceneStoreAdoption
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

    /// A file of an app's tree, behind a line that has its name.
    static let sources = FuzzTarget(
        "sources", maximumBytes: 16 << 10,
        line: TimeLine(baseNanoseconds: 60_000_000, nanosecondsPerByte: 20_000)
    ) { bytes in
        let parts = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts[0], as: UTF8.self)
        let delegate = """
            @main class AppDelegate: UIResponder, UIApplicationDelegate {
                func applicationDidBecomeActive(_ application: UIApplication) { refresh() }
            }
            """
        var reader = AdoptionReader()
        reader.add("AppDelegate.swift", .swift, Array(delegate.utf8))
        reader.add(name, SourceTree.kind(name) ?? .objectiveC, Array(parts.dropFirst().joined()))
        let report = reader.report()
        require(
            report.findings.allSatisfy { $0.line > 0 && $0.column > 0 }, "a finding has a place")
    }
}
