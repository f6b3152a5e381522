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
}
