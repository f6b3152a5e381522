import Foundation
import Testing

/// What people find who come to the repository for the first time: the pages at its root, and the
/// workflows that run what `.ci/run` runs, in parts.
@Suite("what strangers find")
struct StrangerTests {
    private static let pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]

    /// The lines of a script without its line ends within a command, indents and "&".
    private func commands(_ path: String) throws -> Set<String> {
        let text = try RepositoryFile.text(path).replacing("\\\n", with: " ")
        return Set(
            text.split(separator: "\n").map { line in
                var words = line.split(separator: " ")
                if words.first == "run:" {
                    words.removeFirst()
                }
                if words.last == "&" {
                    words.removeLast()
                }
                return words.joined(separator: " ")
            })
    }

    @Test("the workflow for Linux leaves out no command of .ci/run")
    func commandsOfLinux() throws {
        let wanted = try commands(".ci/run").filter {
            // A build alone checks nothing.
            $0.hasPrefix("Scripts/") || $0.hasPrefix("cmp ")
                || $0.hasPrefix("swift ") && !$0.hasPrefix("swift build ")
        }
        #expect(wanted.count > 20)
        #expect(try wanted.subtracting(commands(".github/workflows/linux.yml")).sorted() == [])
    }

    @Test("the workflow for macOS runs scripts and tests that are there")
    func commandsOfMacOS() throws {
        let workflow = try RepositoryFile.text(".github/workflows/macos.yml")
        let scripts = workflow.matches(of: /Scripts\/[a-z-]+\.sh/).map { String($0.0) }
        let targets = workflow.matches(of: /SceneStore\w+Tests/).map { "Tests/\($0.0)" }
        #expect(scripts == ["Scripts/simulator.sh"])
        #expect(targets.count == 5)
        for path in scripts + targets {
            #expect(FileManager.default.fileExists(atPath: RepositoryFile.path(path)), "\(path)")
        }
    }

    @Test("each link of the pages at the root leads to a file", arguments: pages)
    func links(page: String) throws {
        for link in try RepositoryFile.text(page).matches(of: /\]\(([^)#\s]+)[^)]*\)/)
        where !link.1.contains("://") {
            let path = RepositoryFile.path(String(link.1))
            #expect(FileManager.default.fileExists(atPath: path), "\(page): \(link.1)")
        }
    }

    @Test("a page at the root speaks of each script, and of none that isn't there")
    func scripts() throws {
        let named = try Set(
            Self.pages.map(RepositoryFile.text).joined()
                .matches(of: /Scripts\/([a-z-]+\.sh)/).map { String($0.1) })
        let names = try FileManager.default.contentsOfDirectory(
            atPath: RepositoryFile.path("Scripts"))
        let scripts = Set(names.filter { $0.hasSuffix(".sh") })
        // The other scripts source it.
        #expect(named == scripts.subtracting(["setup.sh"]))
    }
}
