import BesideWindow
import Foundation

/// All windows in one JSON file, which is replaced whole at each save.
struct OneJSONFile: WindowKeeping {
    private struct Content: Codable {
        var launches = 0
        var endedByItself = false
        var windows: [BesideWindow] = []
    }

    private let file: URL
    private let isDurable: Bool
    private var content = Content()

    init(folder: String, isDurable: Bool) throws {
        file = URL(filePath: folder).appending(path: "windows.json")
        self.isDurable = isDurable
        if let data = try? Data(contentsOf: file) {
            content = try JSONDecoder().decode(Content.self, from: data)
        }
    }

    mutating func add(_ windows: [BesideWindow]) throws {
        content.windows += windows
        try write()
    }

    mutating func launch() throws -> [BesideWindow] {
        content.launches += 1
        content.endedByItself = false
        try write()
        return content.windows
    }

    mutating func save(_ window: BesideWindow) throws {
        if let place = content.windows.firstIndex(where: { $0.id == window.id }) {
            content.windows[place] = window
        }
        try write()
    }

    mutating func quit() throws {
        content.endedByItself = true
        try write()
    }

    /// Writes a new file beside the old one and renames it; durable, both file and folder are synced.
    private func write() throws {
        let data = try JSONEncoder().encode(content)
        guard isDurable else {
            try data.write(to: file, options: .atomic)
            return
        }
        let new = file.appendingPathExtension("new")
        FileManager.default.createFile(atPath: new.path, contents: nil)
        let handle = try FileHandle(forWritingTo: new)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
        guard rename(new.path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY)
        fsync(folder)
        close(folder)
    }
}

@main
enum Program {
    static func main() throws {
        try run(OneJSONFile.self)
    }
}
