import Testing

import SceneStore
import SceneStoreTestContainers
import SceneStoreSQLite

@Suite("Query plans")
struct QueryPlanTests {
    /// A statement and how SQLite has to find its rows.
    struct Expectation: Sendable, CustomTestStringConvertible {
        var sql: StatementText
        var plan: [String]

        init(_ sql: StatementText, _ plan: String...) {
            self.sql = sql
            self.plan = plan
        }

        init<Row: StoredRow>(_ query: RowQuery<Row>, _ plan: String...) {
            sql = query.text
            self.plan = plan
        }

        var testDescription: String {
            plan.joined(separator: ", ")
        }
    }

    static let byRow = "USING INTEGER PRIMARY KEY (rowid=?)"

    static let expectations = [
        Expectation(SessionRow.byNumber, "SEARCH session " + byRow),
        Expectation(
            Queries.sessionByIdentifier,
            "SEARCH session USING INDEX session_identifier (identifier=? AND epoch=?)"),
        Expectation(
            Queries.frontSessions, "SEARCH session USING INDEX session_front (epoch=?)"),
        // The whole skeleton: one pass in the order of the rows, without a sorter.
        Expectation(Queries.openSessions, "SCAN session"),
        Expectation(
            Queries.openSessionsOfConfiguration,
            "SEARCH session USING INDEX session_recency (configuration_id=?)"),
        Expectation(
            Queries.defaultSessionsOfConfiguration,
            "SEARCH session USING INDEX session_recency (configuration_id=?)"),
        Expectation(
            Queries.conditionedSessionsOfConfiguration,
            "SEARCH session USING INDEX session_recency (configuration_id=?)"),
        Expectation(
            Queries.sessionsWithConditions,
            "SEARCH session USING INDEX session_conditions (epoch=?)"),
        Expectation(
            Queries.sessionsWithValueHash,
            "SEARCH session USING INDEX session_value_hash (epoch=? AND value_hash=?)"),
        Expectation(
            Queries.exceptionalSessions,
            "SEARCH session USING INDEX session_exception (epoch=?)"),
        Expectation(
            Queries.closedSessions, "SEARCH session USING INDEX session_closed (epoch=?)"),
        Expectation(
            Queries.buriedSessions, "SEARCH session " + byRow,
            "USING ROWID SEARCH ON TABLE discard FOR IN-OPERATOR"),
        Expectation(
            Queries.indexedConfiguration,
            "SEARCH configuration USING COVERING INDEX configuration_role (epoch=?)"),
        Expectation(StateRow.byNumber, "SEARCH state " + byRow),
        Expectation(
            Queries.stateSlots,
            "SEARCH state USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
            "USE TEMP B-TREE FOR ORDER BY"),
        Expectation(
            Queries.statesWithCurrent,
            "SEARCH state USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        Expectation(StateRow.description.update.text, "SEARCH state " + byRow),
        Expectation(SessionRow.stateUpdate.text, "SEARCH session " + byRow),
        Expectation(SessionRow.markUpdate.text, "SEARCH session " + byRow),
        Expectation(StoreRow.exchange.text, "SEARCH store " + byRow),
        Expectation(ConfigurationRow.byNumber, "SEARCH configuration " + byRow),
        Expectation(
            Queries.configurations,
            "SEARCH configuration USING INDEX configuration_role (epoch=?)",
            "USE TEMP B-TREE FOR ORDER BY"),
        Expectation(
            Queries.pendingDiscards,
            "SEARCH discard USING INDEX discard_pending (epoch=?)",
            "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"),
        Expectation(SessionValueRow.byNumber, "SEARCH session_value " + byRow),
        Expectation(
            Queries.sessionValues,
            "SEARCH session_value USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        Expectation(
            Queries.storageValue,
            "SEARCH scene_storage USING INDEX scene_storage_key (session_id=? AND key=?)"),
        Expectation(LaunchRow.byNumber, "SEARCH launch " + byRow),
        Expectation(
            Queries.waitingInbox, "SEARCH inbox USING INDEX inbox_waiting (epoch=?)"),
        Expectation(
            Queries.inboxByKey,
            "SEARCH inbox USING INDEX inbox_dedupe_key (epoch=? AND dedupe_key=?)"),
        Expectation(
            Queries.eventPlaces, "SEARCH event USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        Expectation(
            Queries.lossPlaces, "SEARCH event USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        Expectation(
            Queries.eventChecksums,
            "SEARCH event USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
    ]

    @Test("S-23 S-13 each hot statement finds its rows by number or index", arguments: expectations)
    func plan(_ expectation: Expectation) throws {
        let store = try SceneSessionStore.memory()
        let found = try store.database.withLock { db throws(SceneStoreError) in
            try db.connection.withStatement(text: "EXPLAIN QUERY PLAN \(expectation.sql)") {
                statement throws(SceneStoreError) -> [String] in
                do throws(SQLiteError) {
                    var lines: [String] = []
                    while try statement.step() {
                        lines.append(try statement.text(at: 3))
                    }
                    return lines
                } catch {
                    throw SceneStoreError(error)
                }
            }
        }
        #expect(found == expectation.plan)
    }

    @Test("S-23 no index has a column that a save changes")
    func saveTouchesNoIndex() throws {
        let container = TestContainer(.fail)
        try container.open().close()
        let raw = try RawDatabase(container.folder.file())
        let indexed = try raw.rows(
            "SELECT i.name FROM sqlite_schema s, pragma_index_info(s.name) i "
                + "WHERE s.type = 'index' AND s.tbl_name IN ('session', 'state', 'store')"
        ).compactMap(\.first)
        #expect(indexed.contains("recency"))
        for column in ["state_id", "saved_at", "generation", "checksum"] {
            #expect(!indexed.contains(column))
        }
    }
}
