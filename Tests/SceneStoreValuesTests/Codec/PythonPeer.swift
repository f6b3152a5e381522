#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Another implementation to compare with, when this machine has one.
enum PythonPeer {
    /// Whether python3 is there and has a module.
    static func has(_ module: String) -> Bool {
        #if os(Linux) || os(macOS)
            system("python3 -c 'import \(module)' >/dev/null 2>&1") == 0
        #else
            false
        #endif
    }

    enum Failure: Error {
        case notStarted
        case status(Int32, String)
    }

    /// The lines that a script prints; it is given the name of a file that holds the input's lines.
    static func run(_ script: String, input: [String]) throws -> [String] {
        #if os(Linux) || os(macOS)
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("scenestore-peer-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let program = folder.appendingPathComponent("peer.py")
            let lines = folder.appendingPathComponent("input.txt")
            try Data(script.utf8).write(to: program)
            try Data((input.joined(separator: "\n") + "\n").utf8).write(to: lines)
            guard let pipe = popen("python3 '\(program.path)' '\(lines.path)' 2>&1", "r") else {
                throw Failure.notStarted
            }
            var output: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = fread(&buffer, 1, buffer.count, pipe)
                guard count > 0 else {
                    break
                }
                output += buffer[..<count]
            }
            let status = pclose(pipe)
            let text = String(decoding: output, as: UTF8.self)
            guard status == 0 else {
                throw Failure.status(status, String(text.suffix(1000)))
            }
            return text.split(separator: "\n").map(String.init)
        #else
            throw Failure.notStarted
        #endif
    }
}
