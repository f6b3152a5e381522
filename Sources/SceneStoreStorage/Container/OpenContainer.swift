import SceneStoreSQLite
import SceneStoreValues

/// The container's files while a store is open: its folder, the owner's lock, and the watch over
/// what stands at the store's name. A memory store, and one on a simulated disk, has none.
package final class OpenContainer {
    package let folder: ContainerFolder?
    private let owned: OpeningLock?
    // Looked at by each commit and each window that connects, under the store's lock.
    @exclusivity(unchecked) var watch: StoreWatch?
    /// The database file of an owned container.
    let identity: FileIdentity?
    /// Whether the name of the log was brought to the disk.
    private var isLogNamed = false
    /// Whether a note of what this owner made durable was brought to the disk.
    private var isNoteAnchored = false
    /// The session that is written down as being restored, or was when the container was taken.
    @exclusivity(unchecked) private var known: OwnerLock.Restoring?
    /// The container of the file for which a store goes on in memory (L-17).
    private let file: OpenContainer?
    /// The database while its connection is closed, for an app that goes on without it (L-17).
    var left: LeftFile?

    /// A container that is only looked at, or no files; perhaps beside those of another one, which a
    /// store in memory stands for.
    package init(reading folder: ContainerFolder? = nil, inPlaceOf file: OpenContainer? = nil) {
        self.folder = folder
        self.file = file
        owned = nil
        identity = nil
    }

    /// An owned container; without a store where that can't be opened.
    init(folder: ContainerFolder, _ opening: OpeningLock, store: FileIdentity? = nil) {
        self.folder = folder
        owned = opening
        file = nil
        known = opening.found.restoring
        watch = store.map { StoreWatch(folder, store: $0) }
        identity = store
    }

    /// Throws `moved` or `replaced` when the log's index is not in its place (S-31).
    func checkIndex() throws(SceneStoreError) {
        try translating { try watch?.checkIndex() }
    }

    /// Throws `moved` or `replaced` when the store is no longer at its name (S-26).
    func checkUnmoved() throws(SceneStoreError) {
        try translating { try watch?.verify() }
    }

    /// Brings the name of a log that SQLite has made to the disk, once. SQLite does so as well, and
    /// keeps to itself that it failed.
    func nameLog() throws(SceneStoreError) {
        guard isOwned, !isLogNamed else {
            return
        }
        try translating { try folder?.sync() }
        isLogNamed = true
    }

    /// Whether this is an owned container, with files of this system.
    var isOwned: Bool { owned?.isHeld ?? false }

    /// The connection was closed, and the container stays owned.
    func rest(keepsFile: Bool) {
        watch?.forgetSideFiles()
        isLogNamed = false
        guard keepsFile, left == nil, let folder, let identity else {
            return
        }
        // Where that fails, the next call that needs the file says what became of it.
        left = try? LeftFile(folder, identity)
    }

    /// Throws `moved` or `replaced` when the store is not what was left at rest (S-26, R-27).
    func confirmRest() throws(SceneStoreError) {
        try translating { try watch?.confirmRest() }
    }

    /// Whether another store was opened here last, by what is written down beside the lock. Read before
    /// this owner writes that down itself.
    func isOther(than store: StoreRow) -> Bool {
        let noted =
            isOwned
            ? owned?.lock?.store : folder.flatMap { try? OwnerLock.text(of: $0)?.store }
        return noted.map { $0 != ContentHash.hash(store.uuid) } ?? false
    }

    /// Writes down, for people and the next owner, which store is open, and under which epoch this one
    /// writes.
    package func record(_ store: StoreRow) throws(SceneStoreError) {
        try translating {
            try owned?.lock?.record(epoch: store.ownerEpoch, durable: store.generation)
            try owned?.lock?.note(store: ContentHash.hash(store.uuid))
        }
        isNoteAnchored = false
    }

    /// Writes down which commit is durable by now, so that the next owner misses it if this one
    /// dies and its log is damaged. What the commit promised does not depend on it: without the
    /// note less is noticed, and nothing is lost.
    package func note(durable generation: Int64) {
        try? owned?.lock?.note(durable: generation)
    }

    /// Before a second commit without a sync: brings to the disk what was durable when this owner
    /// came, once. A power cut may tear the first of the two and keep the other; whoever finds the
    /// older note then knows that neither was promised.
    func anchorNote() {
        if !isNoteAnchored {
            syncNote()
        }
    }

    /// Brings to the disk what is written down. Where that fails the note is as safe as before.
    func syncNote() {
        isNoteAnchored = true
        try? owned?.lock?.sync()
    }

    /// Writes down which session is being restored; false where there is no lock to write it
    /// beside, or nothing can be written.
    func note(restoring session: OwnerLock.Restoring?) -> Bool {
        if let file {
            return file.note(restoring: session)
        }
        known = nil
        guard (try? owned?.lock?.note(restoring: session)) == true else {
            return false
        }
        known = session
        return true
    }

    /// The session that is written down as being restored; by whom and when is for the caller to
    /// judge. Who only looks reads it now.
    package var restoring: OwnerLock.Restoring? {
        if let file {
            return file.restoring
        }
        guard identity == nil, let folder else {
            return known
        }
        // What can't be read blames nobody.
        return try? OwnerLock.text(of: folder)?.restoring
    }

    /// Writes down, for the next owner, that pages of the database are damaged. Without the note it
    /// finds that out itself.
    package func noteDamage() {
        if let identity {
            try? owned?.lock?.noteDamage(of: identity)
        }
    }

    /// Lets go of the container; the next owner learns what the store held then.
    package func release(at closing: OwnerLock.Closing? = nil) throws(SceneStoreError) {
        try owned?.release(at: closing)
    }

    /// Lets go of the container as the death of the process would.
    package func abandon() {
        owned?.lock = nil
        left = nil
    }

    /// The process that asks the owner to hand over.
    package func handOverRequest() throws(SceneStoreError) -> Int32? {
        try translating { try owned?.lock?.handOverRequest() ?? nil }
    }
}

/// The owner's lock, and what the last owner wrote down beside it.
package final class OpeningLock {
    /// nil once it was let go. Looked at by each commit and each window that connects, under the store's
    /// lock.
    @exclusivity(unchecked) package var lock: OwnerLock?
    /// What the last owner wrote down.
    package let found: LockText
    /// Why nothing of the container can be written.
    let refusal: SceneStoreError?

    package init(_ lock: consuming OwnerLock) {
        found = lock.found
        refusal = lock.refusal.map { SceneStoreError($0) }
        self.lock = consume lock
    }

    /// The epoch under which the last owner wrote.
    package var epoch: Int64 { found.epoch ?? 0 }

    /// The generation that the last owner had made durable, 0 when it did not say.
    package var owedGeneration: Int64 { found.durable ?? 0 }

    /// Whether it was not let go yet.
    var isHeld: Bool { lock != nil }

    /// Lets go of the container properly; `closing` is what the store holds, where that is known.
    package func release(at closing: OwnerLock.Closing? = nil) throws(SceneStoreError) {
        guard let owned = lock.take() else {
            return
        }
        do {
            try owned.release(at: closing)
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Takes the lock, waiting for another owner for some milliseconds.
    package static func acquire(
        _ folder: ContainerFolder, timeout: Int
    ) throws(SceneStoreError) -> OpeningLock {
        var waited = 0
        while true {
            do {
                return OpeningLock(try OwnerLock.acquire(folder))
            } catch {
                guard error.kind == .owned, waited < timeout else {
                    throw SceneStoreError(error)
                }
                let step = min(20, timeout - waited)
                System.pause(milliseconds: step)
                waited += step
            }
        }
    }
}
