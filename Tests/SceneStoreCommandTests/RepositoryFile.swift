import Foundation

/// Files of this repository, for tests that hold documentation against the code.
enum RepositoryFile {
    /// The repository's directory.
    static let root: String = {
        var url = URL(filePath: #filePath)
        for _ in 0..<3 {
            url.deleteLastPathComponent()
        }
        var path = url.path(percentEncoded: false)
        while path.count > 1, path.hasSuffix("/") {
            path.removeLast()
        }
        return path
    }()

    static func path(_ path: String) -> String { "\(root)/\(path)" }

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    /// The texts of all Swift files of the products.
    static func sources() throws -> [String] {
        try files(endingIn: ".swift").map(\.text)
    }

    /// The Swift files of the products other than the command.
    static func libraries() throws -> [(name: String, text: String)] {
        try files(endingIn: ".swift") { !$0.hasPrefix("SceneStoreCommand/") }
    }

    /// All pages of the documentation.
    static func pages() throws -> [(name: String, text: String)] {
        try files(endingIn: ".md")
    }

    private static func files(
        endingIn suffix: String, where belongs: (String) -> Bool = { _ in true }
    ) throws -> [(name: String, text: String)] {
        let paths = FileManager.default.enumerator(atPath: path("Sources"))?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) && belongs($0) }
        return try (paths ?? []).map {
            (URL(filePath: $0).lastPathComponent, try text("Sources/\($0)"))
        }
    }
}
