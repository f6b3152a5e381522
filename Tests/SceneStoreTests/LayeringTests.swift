import FoundationEssentials
import Testing

@Suite("Layers")
struct LayeringTests {
    static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test(
        "values, formats, engine and links import neither SQLite nor the system",
        arguments: [
            "SceneStoreValues", "SceneStoreFormats", "SceneStoreEngine", "SceneStoreLinks",
        ])
    func pureLayers(_ target: String) throws {
        let path = Self.sources.appending(path: target).path(percentEncoded: false)
        let files = try Self.swiftFiles(below: path)
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.first == "import" {
                    // Of the language's own modules the one for locks: values are read by many threads.
                    #expect(
                        [
                            "FoundationEssentials", "Foundation", "SceneStoreFormats",
                            "SceneStoreValues", "Synchronization",
                        ].contains(words.last), "\(file)")
                }
            }
            #expect(!text.contains("FileManager") && !text.contains("sqlite3_"), "\(file)")
        }
    }

    @Test("S-71 R-31 the library starts no program, loads no code and looks no class up by name")
    func nothingIsExecuted() throws {
        let words = [
            "posix_spawn", "execv", "popen", "dlopen", "NSClassFromString", "_typeByName",
            "NSKeyedUnarchiver", " Process()", "URLSession", "UIApplication.shared",
        ]
        var files = 0
        for folder in [
            "SceneStore", "SceneStoreEngine", "SceneStoreExchange", "SceneStoreFormats",
            "SceneStoreHosting", "SceneStoreInstance", "SceneStoreLinks", "SceneStoreMigrations",
            "SceneStorePreScene", "SceneStoreRecovery", "SceneStoreSQLite", "SceneStoreStorage",
            "SceneStoreValues",
        ] {
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
