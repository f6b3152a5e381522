import SceneStoreSQLite
import SceneStoreValues

/// What is done with a store when nobody waits: looking for damage, setting it aside, pruning,
/// finishing what a reset left.
package struct StoreUpkeep: StoreReading {
    package let core: StoreCore
    package var parts: StoreParts { core.parts }

    package func write<Result>(
        _ durability: Durability,
        _ body: (borrowing StoreWriter) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try core.write(durability, body)
    }

    package var damage: DamageNotes {
        get { parts.damage }
        nonmutating _modify { yield &parts.damage }
    }

    package var upkeep: UpkeepMarks {
        get { parts.upkeep }
        nonmutating _modify { yield &parts.upkeep }
    }
}

extension StoreCore {
    package var idle: StoreUpkeep { StoreUpkeep(core: self) }
}
