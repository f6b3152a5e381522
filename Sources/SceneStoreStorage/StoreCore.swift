import SceneStoreSQLite
import SceneStoreValues

/// An open store: begins and ends its transactions, and everything that stands around them.
///
/// The caches hold committed rows only, except while a transaction runs; a rollback empties them.
package final class StoreCore: StoreReading {
    package let parts: StoreParts
    /// What a damaged store is handed to when it is opened again.
    package let recovery: any StoreRecovering

    package init(
        connection: Connection, container: OpenContainer, store: StoreRow, sealer: RowSealer,
        options: SceneSessionStore.Options, recovery: any StoreRecovering
    ) {
        parts = StoreParts(
            connection: connection, container: container, store: store, sealer: sealer,
            options: options)
        self.recovery = recovery
    }

    package var fence: StoreFence {
        get { parts.fence }
        _modify { yield &parts.fence }
    }

    package var log: LogUpkeep {
        get { parts.log }
        _modify { yield &parts.log }
    }

    package var caches: StoreCaches {
        get { parts.caches }
        _modify { yield &parts.caches }
    }

    package var counters: StoreCounters {
        get { parts.counters }
        _modify { yield &parts.counters }
    }

    package var journal: StoreJournal {
        get { parts.journal }
        _modify { yield &parts.journal }
    }

    package var damage: DamageNotes {
        get { parts.damage }
        _modify { yield &parts.damage }
    }

    package var upkeep: UpkeepMarks {
        get { parts.upkeep }
        _modify { yield &parts.upkeep }
    }

    package var life: StoreLifetime {
        get { parts.life }
        _modify { yield &parts.life }
    }

    /// Tells the next owner that pages are damaged, if that is what an error means.
    func noteDamagedPages(_ error: SceneStoreError) {
        if error.isOfDamage {
            noteDamagedPages()
        }
    }
}
