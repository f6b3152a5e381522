import FoundationEssentials
import Testing

@Suite("Layers")
struct LayeringTests {
    static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test(
        "Model, Codec, Manifest, Lifecycle and Links import neither SQLite nor the system",
        arguments: ["Model", "Codec", "Manifest", "Lifecycle", "Links"])
    func pureLayers(_ folder: String) throws {
        let path = Self.sources.appending(path: "SceneStore/\(folder)").path(percentEncoded: false)
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(!names.isEmpty)
        for name in names where name.hasSuffix(".swift") {
            let text = try String(
                decoding: Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.first == "import" {
                    #expect(["FoundationEssentials", "Foundation"].contains(words.last), "\(name)")
                }
            }
            #expect(!text.contains("FileManager") && !text.contains("sqlite3_"), "\(name)")
        }
    }

    @Test("S-71 R-31 the library starts no program, loads no code and looks no class up by name")
    func nothingIsExecuted() throws {
        let words = [
            "posix_spawn", "execv", "popen", "dlopen", "NSClassFromString", "_typeByName",
            "NSKeyedUnarchiver", " Process()", "URLSession", "UIApplication.shared",
        ]
        var files = 0
        for folder in ["SceneStore", "SceneStoreSQLite", "SceneStoreMigrations"] {
            let path = Self.sources.appending(path: folder).path(percentEncoded: false)
            for file in try Self.swiftFiles(below: path) {
                files += 1
                let text = try String(
                    decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
                for line in text.split(separator: "\n")
                where !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") {
                    for word in words {
                        #expect(!line.contains(word), "\(file)")
                    }
                }
            }
        }
        #expect(files > 100)
    }

    private static func swiftFiles(below folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name in
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".swift") {
                return [path]
            }
            return name.contains(".") ? [] : try swiftFiles(below: path)
        }
    }
}
