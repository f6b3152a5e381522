#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange

/// What a volume has room for.
struct VolumeRoom {
    /// File entries (inodes) that are free, and all of them.
    var freeEntries: Int
    var entries: Int
    var freeBytes: Int64

    /// Whether no file can be made. A volume that counts no entries makes them as they are needed.
    var hasNoEntry: Bool { entries > 0 && freeEntries == 0 }

    /// Why no file can be made, and what to do.
    var message: String {
        "no new file can be made: all \(NumberText.grouped(entries)) file entries (inodes) of the "
            + "volume are in use, and room for more bytes (\(NumberText.bytes(freeBytes)) are free) "
            + "does not help"
    }

    static let remedy =
        "delete many small files on that volume, such as caches ('df -i' counts "
        + "them); the store itself is not damaged"
}

extension VolumeRoom {
    /// Asks the volume that a path is on.
    init?(of path: String) {
        let values = try? FileManager.default.attributesOfFileSystem(forPath: path)
        guard let free = values?[.systemFreeNodes] as? UInt64,
            let all = values?[.systemNodes] as? UInt64,
            let bytes = values?[.systemFreeSize] as? UInt64
        else {
            return nil
        }
        self.init(
            freeEntries: Int(clamping: free), entries: Int(clamping: all),
            freeBytes: Int64(clamping: bytes))
    }
}

extension CommandContext {
    /// Writes a file; where its folder is missing, that is wrong usage and no missing store.
    func writing<Result>(to path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SceneStoreError where error.code == .missing {
            throw CommandError.usage("cannot write \(path.quotedPath): \(error.message)")
        }
    }

    /// Writes what a command makes to where `-o` says: a new file, whole and on the disk or not
    /// there at all, else standard output. Ctrl-C leaves no file.
    func deliver(_ bytes: [UInt8], _ invocation: Invocation) throws {
        guard let path = invocation.text("output"), path != "-" else {
            try checkInterruption()
            try output.write(bytes)
            return
        }
        let bar = Progress(invocation.path.joined(separator: " "), invocation, self)
        defer { bar.finish() }
        let location = try protected(by: invocation, from: path)
        try writing(to: path) {
            try OutputFile.write(
                bytes, to: absolutePath(path), replacing: invocation.flag("force"),
                protecting: location, observer: bar.observer)
        }
        bar.finish()
        try note("\(NumberText.bytes(Int64(bytes.count))) in \(path)")
    }
    /// The container that an output may not damage; a store's file by itself has none.
    private func protected(
        by invocation: Invocation, from path: String
    ) throws -> SceneSessionStore.Location? {
        let store = storePath(invocation)
        guard absolutePath(path) != store else {
            throw CommandError.usage("\(path.quotedPath) is the store itself")
        }
        let place = StorePlace(store)
        return place.isLooseFile ? nil : .container(path: place.path)
    }

    /// Lets a body append pieces to where `-o` says: a new file, whole and on the disk or not there
    /// at all. Without `-o` they are kept in a file without a name, because the body may begin
    /// anew when the store turns out to be damaged; ``finish(_:_:)`` writes them to standard output.
    func collect<Result>(
        _ invocation: Invocation,
        _ body: (_ append: @Sendable ([UInt8]) throws(SceneStoreError) -> Void) throws -> Result
    ) throws -> (collected: Collected, result: Result) {
        guard let path = invocation.text("output"), path != "-" else {
            let (text, result) = try ExportText.collecting(body)
            return (.text(text), result)
        }
        let location = try protected(by: invocation, from: path)
        let (bytes, result) = try writing(to: path) {
            try OutputFile.write(
                to: absolutePath(path), replacing: invocation.flag("force"), protecting: location,
                body)
        }
        return (.file(path, bytes: bytes), result)
    }

    /// Writes what was collected to standard output, or says where it is.
    func finish(_ collected: Collected) throws {
        switch collected {
        case .file(let path, let bytes):
            try note("\(NumberText.bytes(Int64(bytes))) in \(path)")
        case .text(let text):
            try text.eachPiece { piece in
                try checkInterruption()
                try output.write(piece)
            }
        }
    }
}

/// What a command makes, before it is shown.
enum Collected {
    case file(String, bytes: Int)
    case text(ExportText)
}
