#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import SceneStore

/// A whole XML property list around a top-level dictionary's content.
func xml(_ content: String) -> [UInt8] {
    Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>\(content)</dict>
        </plist>
        """.utf8)
}

/// An Info.plist whose scene manifest has this content.
func manifest(_ content: String, beside: String = "") -> [UInt8] {
    xml("<key>UIApplicationSceneManifest</key><dict>\(content)</dict>\(beside)")
}

/// An Info.plist with these configurations for windows.
func windows(_ entries: String, multiple: Bool = true, beside: String = "") -> [UInt8] {
    manifest(
        """
        <key>UIApplicationSupportsMultipleScenes</key><\(multiple)/>
        <key>UISceneConfigurations</key><dict>
        <key>UIWindowSceneSessionRoleApplication</key><array>\(entries)</array>
        </dict>
        """, beside: beside)
}

/// A configuration's entry.
func entry(_ name: String?, delegate: String? = "D", more: String = "") -> String {
    var text = "<dict>"
    if let name {
        text += "<key>UISceneConfigurationName</key><string>\(name)</string>"
    }
    if let delegate {
        text += "<key>UISceneDelegateClassName</key><string>\(delegate)</string>"
    }
    return text + more + "</dict>"
}

/// What a finding is about: `code path`.
func summary(_ findings: [Diagnostic]) -> [String] {
    findings.map { "\($0.code.rawValue) \($0.path ?? "-")" }
}

let root = "UIApplicationSceneManifest"
let windowRole =
    "UIApplicationSceneManifest.UISceneConfigurations.UIWindowSceneSessionRoleApplication"

/// The error's code that something throws, or nil.
func code<Result>(_ body: () throws -> Result) -> SceneStoreError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? SceneStoreError)?.code
    }
}

/// A property list to be encoded by the system, for the binary form.
indirect enum Plist: Encodable {
    case string(String), boolean(Bool), integer(Int), array([Plist]), dictionary([String: Plist])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        }
    }

    var binary: [UInt8] {
        get throws {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return Array(try encoder.encode(self))
        }
    }
}

/// A binary property list of raw objects.
func binaryList(
    _ objects: [[UInt8]], top: Int = 0, referenceWidth: UInt8 = 1,
    offsets change: ([Int]) -> [Int] = { $0 },
    trailer: (inout [UInt8]) -> Void = { _ in }
) -> [UInt8] {
    func big(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> ((width - 1 - $0) * 8)) }
    }
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
        offsets.append(bytes.count)
        bytes += object
    }
    let table = bytes.count
    for offset in change(offsets) {
        bytes += big(offset, 4)
    }
    var end: [UInt8] = [0, 0, 0, 0, 0, 0, 4, referenceWidth]
    end += big(objects.count, 8) + big(top, 8) + big(table, 8)
    trailer(&end)
    return bytes + end
}

/// Real input that lies outside of the project.
enum TestData {
    static var folder: String? {
        ProcessInfo.processInfo.environment["SCENESTORE_TEST_DATA"]
    }

    static var isThere: Bool {
        folder != nil
    }

    static func read(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: (folder ?? "") + "/" + path))
    }
}
