import SceneStoreSQLite
import SceneStoreValues

/// What can be read of a store: by a ``StoreReader``, within a transaction by a ``StoreWriter``, and
/// by the ``StoreCore`` between two of them.
package protocol StoreReading: ~Copyable {
    var parts: StoreParts { get }
}

/// The door for reading. It lives as long as the body that it is lent to.
package struct StoreReader: ~Copyable, StoreReading {
    package let parts: StoreParts

    package init(_ parts: StoreParts) {
        self.parts = parts
    }
}

/// The door for writing: the only thing that inserts, updates, deletes and notes.
///
/// It is a transaction. It has no way to begin another one, so that one decision is one commit;
/// what it did is stored together, or not at all.
package struct StoreWriter: ~Copyable, StoreReading {
    package let parts: StoreParts
    /// The transaction of SQLite's that it writes in.
    package let transaction: Transaction

    package init(_ parts: StoreParts, _ transaction: borrowing Transaction) {
        self.parts = parts
        self.transaction = transaction.again()
    }

    /// The same door, for what writes by it. It must not outlive the body that it was lent to.
    package borrowing func again() -> StoreWriter {
        StoreWriter(parts, transaction)
    }

    /// Lets the transaction commit even if it changes nothing, for the sync that comes with it.
    func commitAnyway() {
        parts.fence.hasChanged = true
    }

    /// The store's own row, as this transaction will leave it.
    package var store: StoreRow {
        get { parts.fence.row }
        nonmutating _modify {
            parts.fence.hasChanged = true
            yield &parts.fence.row
        }
    }
}

extension StoreReading where Self: ~Copyable {
    package var connection: Connection { parts.connection }
    package var container: OpenContainer { parts.container }
    package var options: SceneSessionStore.Options { parts.options }
    package var limits: Limits { parts.limits }
    package var sealer: RowSealer { parts.sealer }
    package var encoder: StoreEncoder { parts.encoder }
    package var work: WorkTeller { parts.work }
    package var isReader: Bool { parts.isReader }
    /// The time, in milliseconds since 1970.
    package var now: Int64 { parts.options.clock() }

    /// The store's own row.
    package var store: StoreRow {
        get { parts.fence.row }
    }
}
