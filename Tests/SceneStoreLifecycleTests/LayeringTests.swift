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
}
