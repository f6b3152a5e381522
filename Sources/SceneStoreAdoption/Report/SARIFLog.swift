import SceneStoreValues

/// Findings in the form that code-review tools read: SARIF 2.1.0.
package enum SARIFLog {
    package static func json(_ report: AdoptionReport, version: String) -> CanonicalJSON {
        let codes = FindingCode.allCases
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
                    "results": .array(report.findings.map { result($0, codes) }),
                    "tool": [
                        "driver": [
                            "name": "scenestore", "version": .string(version),
                            "rules": .array(rules),
                        ]
                    ],
                ]
            ],
        ]
    }

    private static func result(_ finding: Finding, _ codes: [FindingCode]) -> CanonicalJSON {
        [
            "level": .string(finding.code.isError ? "error" : "warning"),
            "locations": [
                [
                    "physicalLocation": [
                        "artifactLocation": ["uri": .string(uri(finding.path))],
                        "region": [
                            "startColumn": .integer(Int64(finding.column)),
                            "startLine": .integer(Int64(finding.line)),
                        ],
                    ]
                ]
            ],
            "message": [
                "text": .string(
                    "\(sentence(finding.message)). \(sentence(finding.why)). Fix: \(finding.fix).")
            ],
            "partialFingerprints": ["scenestore/v1": .string(finding.fingerprint)],
            "ruleId": .string(finding.code.rawValue),
            "ruleIndex": .integer(
                Int64(codes.firstIndex(of: finding.code) ?? 0)),
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
