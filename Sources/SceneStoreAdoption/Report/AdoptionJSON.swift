import SceneStoreFormats
import SceneStoreValues

extension AppReport {
    /// The app for programs.
    package var json: CanonicalJSON {
        [
            "answers": .array(answers.map(\.json)),
            "app": .string(name),
            "complete": .boolean(!isCut),
            "findings": .array(findings.map(\.json)),
            "foundBy": .string(foundBy),
            "leftOut": .integer(Int64(leftOut)),
            "lifeCycle": .string(lifeCycle.rawValue),
            "line": .integer(Int64(line)),
            "manifest": manifestPath.map { .string($0) } ?? .null,
            "path": .string(path),
            "questions": .array(
                questions.map {
                    [
                        "line": .integer(Int64($0.line)), "message": .string($0.message),
                        "path": .string($0.path),
                    ]
                }),
            "sceneDelegates": .array(sceneDelegates.map { .string($0) }),
            "target": target.map { .string($0) } ?? .null,
            "ways": .array(ways.map(\.json)),
        ]
    }
}

extension PayloadAnswer {
    fileprivate var json: CanonicalJSON {
        [
            "expected": .string(isExpected.rawValue), "kind": .string(kind.rawValue),
            "launch": .string(launch.rawValue), "lost": .string(isLost.rawValue),
            "reason": .string(reason), "withScenes": .string(withScenes.rawValue),
            "withoutScenes": .string(withoutScenes.rawValue),
        ]
    }
}

extension Finding {
    fileprivate var json: CanonicalJSON {
        [
            "code": .string(code.rawValue), "column": .integer(Int64(column)),
            "fingerprint": .string(fingerprint), "fix": .string(fix),
            "line": .integer(Int64(line)), "message": .string(message), "path": .string(path),
            "severity": .string(code.isError ? "error" : "warning"), "subject": .string(subject),
            "why": .string(why),
        ]
    }
}

extension LaunchWay {
    fileprivate var json: CanonicalJSON {
        func list(_ calls: [Call]) -> CanonicalJSON {
            .array(
                calls.map { ["call": .string($0.name), "mark": .string($0.mark.rawValue)] })
        }
        return [
            "way": .string(title), "withScenes": list(withScenes),
            "withoutScenes": list(withoutScenes),
        ]
    }
}

/// Findings that are known already and left out: what an earlier run with `--json` printed.
package struct AdoptionBaseline: Sendable {
    /// How often each finding is left out.
    private var counts: [String: Int] = [:]
    /// Whether it has the line of an app.
    package private(set) var namesApp = false

    /// Reads the lines of an earlier run.
    ///
    /// Throws what reading JSON throws, and ``SceneStoreError/Code/malformedJSON`` for lines of
    /// another form.
    package init(_ bytes: [UInt8]) throws(SceneStoreError) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let value = try CanonicalJSON(parsing: Array(line), isLine: true)
            guard case .object(let app) = value, case .array(let findings)? = app["findings"]
            else {
                throw SceneStoreError(.malformedJSON, "a line has no findings")
            }
            namesApp = true
            for finding in findings {
                guard case .object(let members) = finding,
                    case .string(let fingerprint)? = members["fingerprint"]
                else {
                    throw SceneStoreError(.malformedJSON, "a finding has no fingerprint")
                }
                counts[fingerprint, default: 0] += 1
            }
        }
    }

    /// Leaves the known findings out of a report.
    package func apply(to report: inout AdoptionReport) {
        var rest = counts
        for index in report.apps.indices {
            let before = report.apps[index].findings.count
            report.apps[index].findings.removeAll { finding in
                guard let count = rest[finding.fingerprint], count > 0 else {
                    return false
                }
                rest[finding.fingerprint] = count - 1
                return true
            }
            report.apps[index].leftOut += before - report.apps[index].findings.count
        }
    }
}
