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
        let place = StorePlace(store)
        try writing(to: path) {
            try OutputFile.write(
                bytes, to: absolutePath(path), replacing: invocation.flag("force"),
                // A store's file by itself has no container to protect.
                protecting: place.isLooseFile ? nil : .container(path: place.path),
                observer: bar.observer)
        }
        bar.finish()
        try note("\(NumberText.bytes(Int64(bytes.count))) in \(path)")
    }
}
