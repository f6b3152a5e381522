/// The topics. Each is a file, in which its decisions stand with what reads and writes for them.
extension SceneSessionStore {
    package var configurations: StoredConfigurations { StoredConfigurations(store: self) }
    package var discards: StoredDiscards { StoredDiscards(store: self) }
    package var history: StoredHistory { StoredHistory(store: self) }
    package var inbox: StoredInbox { StoredInbox(store: self) }
    package var journal: StoredJournal { StoredJournal(store: self) }
    package var launches: StoredLaunches { StoredLaunches(store: self) }
    package var log: StoredLog { StoredLog(store: self) }
    package var marks: StoredMarks { StoredMarks(store: self) }
    package var upkeep: StoredUpkeep { StoredUpkeep(store: self) }
    package var values: StoredValues { StoredValues(store: self) }
}
