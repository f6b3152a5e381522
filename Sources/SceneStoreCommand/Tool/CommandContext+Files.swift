#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange

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
        let store = storePath(invocation)
        guard absolutePath(path) != store else {
            throw CommandError.usage("\(path.quotedPath) is the store itself")
        }
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: store, isDirectory: &isFolder)
        // A store's file by itself has no container to protect.
        let isLoose = exists && !isFolder && !store.hasSuffix("/scenes.sqlite")
        try writing(to: path) {
            try OutputFile.write(
                bytes, to: absolutePath(path), replacing: invocation.flag("force"),
                protecting: isLoose ? nil : .container(path: store), observer: bar.observer)
        }
        bar.finish()
        try note("\(NumberText.bytes(Int64(bytes.count))) in \(path)")
    }
}
