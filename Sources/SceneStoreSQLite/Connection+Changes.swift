/// Which rows a connection wrote, for whoever takes them elsewhere.
package final class RowChanges {
    /// The numbers of the rows by their table's name. Those of transactions that were rolled back
    /// are among them.
    package private(set) var rows: [String: Set<Int64>] = [:]

    func note(_ table: String, _ row: Int64) {
        rows[table, default: []].insert(row)
    }
}

extension Connection {
    /// Begins to note which rows are inserted, updated and deleted.
    package func observeChanges() {
        guard context.pointee.changes == nil else { return }
        context.pointee.changes = RowChanges()
        Calls.observeChanges(database, context)
    }

    /// The rows that were written since ``observeChanges()``.
    package var changedRows: [String: Set<Int64>] { context.pointee.changes?.rows ?? [:] }
}
