/// The remembered sessions, as ``SceneApplication/openSessions`` has them.
struct OpenSessions: RandomAccessCollection {
    private final class Skeleton {
        var records: SessionRecords?
    }

    private let store: SceneSessionStore
    private let skeleton = Skeleton()
    private let report: (SceneStoreError, _ session: SceneSession.ID?) -> Void
    /// In the background a container that is shared is let go after each reading.
    private let afterwards: () -> Void

    init(
        store: SceneSessionStore,
        report: @escaping (SceneStoreError, _ session: SceneSession.ID?) -> Void,
        afterwards: @escaping () -> Void
    ) {
        self.store = store
        self.report = report
        self.afterwards = afterwards
    }

    private var records: SessionRecords {
        if let records = skeleton.records {
            return records
        }
        defer {
            afterwards()
        }
        do throws(SceneStoreError) {
            let read = try store.openRecords()
            skeleton.records = read
            return read
        } catch {
            report(error, nil)
            let none = SessionRecords(capacity: 0)
            skeleton.records = none
            return none
        }
    }

    /// The first position.
    var startIndex: Int { 0 }
    /// One past the last position; the first use reads the skeleton.
    var endIndex: Int { records.count }

    /// The session at a position, read now. What cannot be read is absent from it.
    subscript(position: Int) -> SceneSession {
        let record = records[position]
        defer {
            afterwards()
        }
        do throws(SceneStoreError) {
            return try store.session(for: record)
        } catch {
            report(error, record.id)
            return SceneSession(
                persistentIdentifier: record.id, configuration: record.configuration)
        }
    }
}
