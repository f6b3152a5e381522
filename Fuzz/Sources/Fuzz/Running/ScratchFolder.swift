#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder of a run's own, below `TMPDIR`.
struct ScratchFolder: Sendable {
    let path: String

    private init(_ name: String) {
        let process = ProcessInfo.processInfo.processIdentifier
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "scenestore-fuzz-\(process)-\(name)", directoryHint: .notDirectory)
            .path(percentEncoded: false)
        SmallFile.makeFolder(path)
    }

    static let play = ScratchFolder("play")
    static let store = ScratchFolder("store")
}
