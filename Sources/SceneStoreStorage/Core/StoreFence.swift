import SceneStoreValues

/// The store's own row, and what keeps a second owner out.
///
/// Invariants:
/// 1. `row` is what the last commit of this store object left in the file. A reader's is the one
///    that its running transaction sees.
/// 2. Every transaction that writes ends by exchanging the row, which succeeds only while it is
///    still the one of invariant 1: a second owner, let in by a lock that lies, is noticed in the
///    statement that would have overwritten its work.
/// 3. After such a loss, and after a sync that failed, nothing is written or acknowledged again.
package struct StoreFence {
    package var row: StoreRow
    /// Why nothing is written any more.
    package var failure: SceneStoreError?
    /// Whether `row` has to be read anew, after a rollback.
    package var isStale = false
    /// Whether the running transaction has changed a row.
    var hasChanged = false
}
