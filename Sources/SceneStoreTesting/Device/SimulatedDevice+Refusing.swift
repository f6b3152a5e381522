#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreSQLite
import Synchronization

/// A store that can be read and not written (L-17).
extension SimulatedDevice {
    /// Makes every write fail from now on, in the running process and in later ones.
    ///
    /// Throws `SceneStoreError.Code.invalidState` for a container that can't be moved.
    public func refuseWrites(_ cause: WriteRefusal) throws(SceneStoreError) {
        switch cause {
        case .diskFull: writeFault.code = Self.full
        case .readOnly: writeFault.code = Self.readOnly
        case .moved: try move(containerPath, to: movedPath)
        }
    }

    /// Lets writes succeed again; a container that was moved is put back. A running process still
    /// has to notice: in an idle moment, at its next write, or when it reopens the store.
    public func acceptWrites() throws(SceneStoreError) {
        writeFault.code = nil
        if disk == nil, FileManager.default.fileExists(atPath: movedPath) {
            try move(movedPath, to: containerPath)
        }
    }

    private func move(_ source: String, to target: String) throws(SceneStoreError) {
        guard disk == nil else {
            throw SceneStoreError(
                .invalidState, "a device in memory has no container that can be moved")
        }
        do {
            try FileManager.default.moveItem(atPath: source, toPath: target)
        } catch {
            throw SceneStoreError(.invalidState, "the container can't be moved")
        }
    }

    private var movedPath: String { TemporaryDirectory.aside(containerPath) }
    private static var full: Int32 { 13 }
    /// `SQLITE_READONLY_DIRECTORY`: SQLite's plain code would say that the file could not be opened.
    private static var readOnly: Int32 { 8 | 6 << 8 }
}

/// Makes calls of SQLite fail while it has a code of SQLite's: each commit, unless told otherwise.
final class WriteFault: Sendable {
    private struct State {
        var code: Int32?
        var operations: Set<SQLiteOperation> = [.commit]
    }

    private let state = Mutex(State())

    var code: Int32? {
        get { state.withLock { $0.code } }
        set { state.withLock { $0.code = newValue } }
    }

    /// The calls that fail; with ``SQLiteOperation/open`` not even the files beside the store's own
    /// can be made.
    var operations: Set<SQLiteOperation> {
        get { state.withLock { $0.operations } }
        set { state.withLock { $0.operations = newValue } }
    }

    var seam: @Sendable (SQLiteOperation) -> Int32? {
        { [self] operation in
            state.withLock { $0.operations.contains(operation) ? $0.code : nil }
        }
    }
}
