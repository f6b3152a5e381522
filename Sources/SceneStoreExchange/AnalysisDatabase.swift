import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A database that is made to be asked about many stores at once: plain tables of text and numbers,
/// a column `device` in each, nothing of the store's own format.
///
/// It is written under a temporary name, in one transaction, and gets its own name when it is whole.
package final class AnalysisDatabase {
    /// A table of the database; ``columns`` are what a row is made of, in order.
    package enum Table: String, Sendable, CaseIterable {
        case device
        case session
        case activity
        case storage
        case launch
        case launchException = "launch_exception"
        case event
        case skipped
    }

    /// What the file is called in its directory.
    package static let fileName = "merged.sqlite"

    /// The file's path.
    package let path: String
    private let connection: Connection
    private var file: AtomicFile?

    /// Begins a database in a directory, which is made when it is missing; one that is there
    /// already is not touched, and ``SceneStoreError/Code/invalidLocation`` says so.
    package init(inDirectory directory: String) throws(SceneStoreError) {
        path = directory == "/" ? "/" + Self.fileName : "\(directory)/\(Self.fileName)"
        do {
            let made = try Self.file(at: path, in: directory)
            connection = try Connection(
                path: made.temporaryPath, options: Connection.Options(.scratch))
            file = consume made
            try connection.execute(script: Self.schema, named: "the analysis schema")
            try connection.run("BEGIN IMMEDIATE")
        } catch {
            throw SceneStoreError(error, "making the database")
        }
    }

    private static func file(
        at path: String, in directory: String
    ) throws(ContainerError) -> AtomicFile {
        do {
            return try AtomicFile(path: path, protecting: nil)
        } catch {
            guard error.kind == .missing else {
                throw error
            }
            _ = try ContainerFolder.open(directory, access: .owner, createsMissing: true)
            return try AtomicFile(path: path, protecting: nil)
        }
    }

    // MARK: - Rows

    /// Writes a row.
    package func insert(
        _ table: Table, _ values: [StoreQuery.Value]
    ) throws(SceneStoreError) {
        try translating {
            try connection.withStatement(Self.insertion(table)) { statement throws(SQLiteError) in
                for (index, value) in values.enumerated() {
                    let number = Int32(clamping: index + 1)
                    switch value {
                    case .null: try statement.bindNull(number)
                    case .integer(let value): try statement.bind(number, value)
                    case .real(let value): try statement.bind(number, value)
                    case .text(let value): try statement.bind(number, value)
                    case .blob: try statement.bindNull(number)
                    }
                }
                try statement.runChanging()
            }
        }
    }

    /// Says how much of a device's store was damaged, which is known at the end.
    package func set(findings: Int, of device: String) throws(SceneStoreError) {
        try translating {
            try connection.withStatement("UPDATE device SET findings = ? WHERE device = ?") {
                statement throws(SQLiteError) in
                try statement.bind(1, Int64(findings))
                try statement.bind(2, device)
                try statement.runChanging()
            }
        }
    }

    /// Keeps what a body writes, or nothing of it when it throws.
    package func atomically<Failure: Error>(
        _ body: () throws(Failure) -> Void
    ) throws {
        try run("SAVEPOINT device")
        do {
            try body()
        } catch {
            try run("ROLLBACK TO device")
            try run("RELEASE device")
            throw error
        }
        try run("RELEASE device")
    }

    private func run(_ sql: StatementText) throws(SceneStoreError) {
        try translating { try connection.run(sql) }
    }

    /// Makes the indexes, and gives the file its name; when this returns it is on the disk.
    package func finish() throws(SceneStoreError) {
        try translating("finishing the database") {
            try connection.run("COMMIT")
            try connection.execute(script: Self.indexes, named: "the analysis indexes")
            try connection.close()
            try file.take()?.commit()
        }
    }

    // MARK: - The tables

    private static func insertion(_ table: Table) -> StatementText {
        switch table {
        case .device: "INSERT INTO device VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        case .session:
            """
            INSERT INTO session VALUES (
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            )
            """
        case .activity: "INSERT INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        case .storage: "INSERT INTO storage VALUES (?, ?, ?, ?)"
        case .launch:
            """
            INSERT INTO launch VALUES (
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            )
            """
        case .launchException: "INSERT INTO launch_exception VALUES (?, ?, ?, ?, ?)"
        case .event: "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        case .skipped: "INSERT INTO skipped VALUES (?, ?, ?)"
        }
    }

    /// Times are text, ISO 8601 in UTC; Booleans 0 or 1; states JSON.
    private static let schema = """
        CREATE TABLE device (
            device TEXT PRIMARY KEY,
            uuid TEXT NOT NULL,
            app TEXT,
            schema INTEGER NOT NULL,
            written_by TEXT NOT NULL,
            created TEXT,
            generation INTEGER NOT NULL,
            open_sessions INTEGER NOT NULL,
            findings INTEGER NOT NULL
        );
        CREATE TABLE session (
            device TEXT NOT NULL REFERENCES device (device) DEFERRABLE INITIALLY DEFERRED,
            session TEXT NOT NULL,
            title TEXT,
            state TEXT NOT NULL,
            in_front INTEGER NOT NULL,
            configuration TEXT,
            role TEXT NOT NULL,
            activity TEXT,
            bytes INTEGER,
            states INTEGER NOT NULL,
            last_active TEXT,
            saved TEXT,
            created TEXT,
            closed TEXT,
            cause TEXT,
            crashes INTEGER NOT NULL,
            stale INTEGER NOT NULL,
            pinned INTEGER NOT NULL,
            privacy TEXT NOT NULL,
            user_info TEXT,
            PRIMARY KEY (device, session)
        );
        CREATE TABLE activity (
            device TEXT NOT NULL REFERENCES device (device) DEFERRABLE INITIALLY DEFERRED,
            session TEXT NOT NULL,
            activity TEXT,
            current INTEGER NOT NULL,
            saved TEXT,
            bytes INTEGER NOT NULL,
            app_version TEXT,
            system_version TEXT,
            idiom TEXT,
            generation INTEGER NOT NULL,
            state TEXT
        );
        CREATE TABLE storage (
            device TEXT NOT NULL REFERENCES device (device) DEFERRABLE INITIALLY DEFERRED,
            session TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT
        );
        CREATE TABLE launch (
            device TEXT NOT NULL REFERENCES device (device) DEFERRABLE INITIALLY DEFERRED,
            launch INTEGER NOT NULL,
            reason TEXT NOT NULL,
            started TEXT,
            ended TEXT,
            ending TEXT,
            app_version TEXT,
            system_version TEXT,
            expected INTEGER,
            restored INTEGER NOT NULL,
            held INTEGER NOT NULL,
            withheld INTEGER NOT NULL,
            lost INTEGER NOT NULL,
            discarded INTEGER NOT NULL,
            evicted INTEGER NOT NULL,
            declined INTEGER NOT NULL,
            parked INTEGER NOT NULL,
            stale INTEGER NOT NULL,
            process INTEGER NOT NULL,
            PRIMARY KEY (device, launch)
        );
        CREATE TABLE launch_exception (
            device TEXT NOT NULL REFERENCES device (device) DEFERRABLE INITIALLY DEFERRED,
            launch INTEGER NOT NULL,
            session TEXT NOT NULL,
            outcome TEXT NOT NULL,
            reason TEXT
        );
        CREATE TABLE event (
            device TEXT NOT NULL REFERENCES device (device) DEFERRABLE INITIALLY DEFERRED,
            generation INTEGER NOT NULL,
            time TEXT,
            event TEXT NOT NULL,
            session TEXT,
            outcome TEXT,
            reason TEXT,
            launch INTEGER
        );
        CREATE TABLE skipped (
            device TEXT NOT NULL,
            status TEXT NOT NULL,
            reason TEXT NOT NULL
        );
        """

    private static let indexes = """
        CREATE INDEX activity_session ON activity (device, session);
        CREATE INDEX storage_session ON storage (device, session);
        CREATE INDEX event_session ON event (device, session);
        CREATE INDEX launch_exception_session ON launch_exception (device, session);
        """
}
