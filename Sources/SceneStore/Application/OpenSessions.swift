/// The remembered sessions, as ``SceneApplication/openSessions`` has them.
final class OpenSessions: RandomAccessCollection {
    private let store: SceneSessionStore
    private weak var core: ApplicationCore?
    private lazy var records = read(nil, else: SessionRecords(capacity: 0)) {
        () throws(SceneStoreError) in try store.openRecords()
    }

    init(_ core: ApplicationCore) {
        store = core.store
        self.core = core
    }

    /// Reads; an error is reported. In the background a container that is shared is let go afterwards.
    private func read<Read>(
        _ session: SceneSession.ID?, else none: @autoclosure () -> Read,
        _ body: () throws(SceneStoreError) -> Read
    ) -> Read {
        defer { core?.letStoreGo() }
        do throws(SceneStoreError) {
            return try body()
        } catch {
            core?.report(error, session: session)
            return none()
        }
    }

    /// The first position.
    var startIndex: Int { 0 }
    /// One past the last position; the first use reads the skeleton.
    var endIndex: Int { records.count }

    /// The session at a position, read now. What cannot be read is absent from it.
    subscript(position: Int) -> SceneSession {
        let record = records[position]
        return read(
            record.id,
            else: SceneSession(
                persistentIdentifier: record.id, configuration: record.configuration)
        ) { () throws(SceneStoreError) in try store.session(for: record) }
    }
}
