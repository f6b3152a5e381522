import SceneStoreValues

/// Findings and questions in the form that code-review tools read: SARIF 2.1.0 (L-94).
package enum SARIFLog {
    package static func json(_ report: AdoptionReport, version: String) -> CanonicalJSON {
        let codes = FindingCode.allCases
        let question: CanonicalJSON = [
            "id": "question", "name": "question",
            "shortDescription": ["text": "something that the sources don't decide"],
            "defaultConfiguration": ["level": "note"],
        ]
        let rules: [CanonicalJSON] = codes.map {
            [
                "id": .string($0.rawValue),
                "name": .string(String(describing: $0)),
                "shortDescription": ["text": .string($0.title)],
                "defaultConfiguration": ["level": .string($0.isError ? "error" : "warning")],
            ]
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                [
                    "columnKind": "utf16CodeUnits",
                    "invocations": [
                        [
                            "executionSuccessful": true,
                            "toolExecutionNotifications": .array(
                                report.omissions.map {
                                    ["level": "warning", "message": ["text": .string($0)]]
                                }),
                        ]
                    ],
                    "results": .array(
                        report.findings.map { result($0, codes) }
                            + report.questions.map { note($0, codes.count) }),
                    "tool": [
                        "driver": [
                            "name": "scenestore", "version": .string(version),
                            "rules": .array(rules + [question]),
                        ]
                    ],
                ]
            ],
        ]
    }

    private static func result(_ finding: Finding, _ codes: [FindingCode]) -> CanonicalJSON {
        [
            "level": .string(finding.code.isError ? "error" : "warning"),
            "locations": [location(finding.path, finding.line, finding.column)],
            "message": [
                "text": .string(
                    "\(sentence(finding.message)). \(sentence(finding.why)). Fix: \(finding.fix).")
            ],
            "partialFingerprints": ["scenestore/v2": .string(finding.fingerprint)],
            "ruleId": .string(finding.code.rawValue),
            "ruleIndex": .integer(
                Int64(codes.firstIndex(of: finding.code) ?? 0)),
        ]
    }

    private static func note(_ question: OpenQuestion, _ ruleIndex: Int) -> CanonicalJSON {
        [
            "level": "note",
            "locations": [location(question.path, question.line, 1)],
            "message": ["text": .string("Can't tell: \(question.message).")],
            "partialFingerprints": ["scenestore/v2": .string(question.fingerprint)],
            "ruleId": "question",
            "ruleIndex": .integer(Int64(ruleIndex)),
        ]
    }

    private static func location(_ path: String, _ line: Int, _ column: Int) -> CanonicalJSON {
        [
            "physicalLocation": [
                "artifactLocation": ["uri": .string(uri(path))],
                "region": [
                    "startColumn": .integer(Int64(column)), "startLine": .integer(Int64(line)),
                ],
            ]
        ]
    }

    /// A text with a capital letter in front, unless it begins with a name of the code.
    private static func sentence(_ text: String) -> String {
        let word = text.prefix { $0 != " " }
        guard word.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            return text
        }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A path as a URI reference (RFC 3986): what is no path character is encoded.
    private static func uri(_ path: String) -> String {
        var text = path.hasPrefix("/") ? "file://" : ""
        let path = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = Array("0123456789ABCDEF")
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return text
    }
}
