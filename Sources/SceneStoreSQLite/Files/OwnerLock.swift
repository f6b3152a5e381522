import SceneStoreCSupport

/// The proof that this process owns a container (S-30): a lock that the kernel keeps.
///
/// - It lies on a file of its own that is never removed, and belongs to the open file, so that
///   other opens of this process neither share nor drop it.
/// - It ends with the process, however that ends; a forked child closes its copy inside `fork`
///   (R-08, S-32), so that a living child keeps nothing.
/// - A stopped owner keeps it; after its death exactly one successor gets it.
///
/// On a volume that can't be written, the lock is taken on the file as it is, if there is one; and a
/// disk may refuse the owner's name, because it is full. Such an owner keeps others out, and writes
/// nothing down.
///
/// The file's text tells people and contenders who the owner is. It proves nothing: whether
/// somebody owns the container is asked of the lock alone.
package struct OwnerLock: ~Copyable {
    /// How the last owner stands, as far as it wrote that down.
    package enum State: Hashable, Sendable {
        /// There was none.
        case none
        /// It released the lock.
        case released(epoch: Int64)
        /// It did not: unless it lives, it died, or its machine did.
        case owned(process: Int32, epoch: Int64)
    }

    /// Who owns a container, by the lock file's text.
    package struct Owner: Hashable, Sendable {
        /// Nil when the text can't be read, for instance because it is being written.
        package var process: Int32?
        package var epoch: Int64?
    }

    /// What an owner that died wrote down about its commits.
    package struct Debt: Hashable, Sendable {
        /// The epoch under which it wrote.
        package var epoch: Int64
        /// Its last commit that was durable, if it said so: a store that is older has lost commits
        ///
        package var generation: Int64?
        /// Whether the lock file has no note of an owner: how the last one ended is not known, and it
        /// may have died.
        package var isUnknown = false
    }

    /// What an owner that let go of the container properly left in it.
    /// The time is in milliseconds since 1970.
    package typealias Closing = (generation: Int64, time: Int64)

    /// Under which epoch an owner let go of the container properly, and what it left in it, if it said
    /// so.
    package typealias Farewell = (epoch: Int64, closing: Closing?)

    /// The session that an owner is restoring (L-52).
    package struct Restoring: Hashable, Sendable {
        package var session: Int64
        /// The last commit that was made, or begun, while the session was being restored.
        package var generation: Int64
        /// What the owner computed over both, its launch and the store they belong to. The lock does
        /// not judge it: who reads this does.
        package var sum: UInt64

        package init(session: Int64, generation: Int64, sum: UInt64) {
            self.session = session
            self.generation = generation
            self.sum = sum
        }
    }

    /// What the owner before this one wrote down.
    package let found: LockText
    /// A hash of the identity of the store that was opened last, as far as it is written down.
    package private(set) var store: UInt64?
    /// Why nothing can be written beside the lock; nil for an owner that can write.
    package let refusal: ContainerError?
    private let descriptor: Int32
    private let forkCount: UInt32
    private let process: Int32
    private var epoch: Int64
    /// Whether the file held nothing, and only the owner's name was written.
    private var isBlank: Bool

    /// Takes the lock without waiting, for reading where writing was refused; `owned` names the process
    /// that has it.
    package static func acquire(
        _ container: ContainerFolder, process: Int32 = System.processIdentifier,
        refusedBy refusal: ContainerError? = nil
    ) throws(ContainerError) -> OwnerLock {
        do throws(ContainerError) {
            // A lock on a file that lost its name in the meantime is worth nothing; once more then.
            for _ in 0..<8 {
                if let descriptor = try take(container, isRead: refusal != nil) {
                    do {
                        return try OwnerLock(descriptor, process, refusal)
                    } catch {
                        System.closeLock(descriptor)
                        throw failed(error)
                    }
                }
            }
        } catch {
            guard refusal == nil, error.kind == .readOnlyVolume,
                try container.status(of: ContainerName.lock) != nil
            else {
                throw error
            }
            return try acquire(container, process: process, refusedBy: error)
        }
        throw ContainerError(
            .unstable, "the lock file keeps changing", file: ContainerName.lock)
    }

    /// Writes the new owner's name; that also takes back an old request to hand over. An owner whose
    /// name can't be written keeps the lock, and writes nothing down (L-17).
    private init(
        _ descriptor: Int32, _ process: Int32, _ refusal: ContainerError?
    ) throws(SystemError) {
        var refusal = refusal
        let text = try LockText(descriptor)
        // Where a note can't be read, there was an owner.
        let epoch = text.epoch ?? (text.isJunk ? 1 : 0)
        // Junk stays until the store is open: an opening that is refused leaves it to the next one.
        if refusal == nil, !text.isJunk {
            do {
                // Owed until this owner has written something durable itself.
                try LockText(
                    state: .owned(process: process, epoch: epoch),
                    durable: text.durable ?? text.closing?.generation
                ).write(to: descriptor)
                if text.state == .none {
                    // No power cut may leave a used store beside a lock that says nothing.
                    try? System.sync(descriptor)
                }
            } catch {
                refusal = Self.failed(error)
            }
        }
        self.refusal = refusal
        found = text
        store = text.store
        self.descriptor = descriptor
        self.process = process
        self.epoch = text.epoch ?? 0
        isBlank = text.state == .none && refusal == nil && !text.isJunk
        forkCount = scenestore_fork_count()
    }

    deinit {
        // In a child the number is closed already and may be another file's; the C side knows.
        guard !isForked else { return }
        // What opened nothing leaves no trace: the next owner is to know as little of the last one.
        if isBlank { try? System.truncate(descriptor, to: 0) }
        System.closeLock(descriptor)
    }

    /// Whether this process is a child of the owner, which owns nothing.
    package var isForked: Bool { scenestore_fork_count() != forkCount }

    /// Writes the epoch under which the owner writes, for people and for the next owner.
    package mutating func record(
        epoch: Int64, durable generation: Int64? = nil
    ) throws(ContainerError) {
        let text = LockText(state: .owned(process: process, epoch: epoch), durable: generation)
        try writing(text.write(to:))
        self.epoch = epoch
        isBlank = false
    }

    /// Writes down which store is opened; nil for one that a tool put there.
    package mutating func note(store: UInt64?) throws(ContainerError) {
        guard store != self.store else { return }
        try writing { file throws(SystemError) in try LockText.writeStore(store, to: file) }
        self.store = store
    }

    /// Writes down which commit is durable by now. Only ever after its sync: then neither a kill
    /// nor a power cut can leave this note beside an older store.
    package borrowing func note(durable generation: Int64) throws(ContainerError) {
        let text = LockText(state: .owned(process: process, epoch: epoch), durable: generation)
        try writing(text.writeOwner(to:))
    }

    /// Writes down that pages of the database file are damaged: the next owner looks before it
    /// opens the file, and sets it aside.
    package borrowing func noteDamage(of file: FileIdentity) throws(ContainerError) {
        try writing { lock throws(SystemError) in try LockText.writeDamage(of: file, to: lock) }
    }

    /// Writes down which session is being restored. One write, without a sync: it outlives the
    /// process, which is all that it is for. False when it does not fit into its line.
    package borrowing func note(restoring: Restoring?) throws(ContainerError) -> Bool {
        try writing { file throws(SystemError) in try LockText.write(restoring, to: file) }
    }

    /// Brings to the disk what was written down.
    package borrowing func sync() throws(ContainerError) {
        try using(System.sync)
    }

    /// Gives the container up; the next owner learns that it was done properly, and perhaps what
    /// the store held then. Only ever after the store's last sync. Without that, a tool may have put
    /// another store there.
    package consuming func release(at closing: Closing? = nil) throws(ContainerError) {
        guard refusal == nil else { return }
        isBlank = false
        if closing == nil { try note(store: nil) }
        try writing(LockText(state: .released(epoch: epoch), closing: closing).write(to:))
    }

    /// The process that asked the owner to hand over, or nil.
    package borrowing func handOverRequest() throws(ContainerError) -> Int32? {
        try using { file throws(SystemError) in try LockText(file).request }
    }

    /// Lends the lock file to a body that writes.
    private borrowing func writing<Result>(
        _ body: (Int32) throws(SystemError) -> Result
    ) throws(ContainerError) -> Result {
        if let refusal, !isForked { throw refusal }
        return try using(body)
    }

    /// Lends the lock file to a body.
    private borrowing func using<Result>(
        _ body: (Int32) throws(SystemError) -> Result
    ) throws(ContainerError) -> Result {
        guard !isForked else { throw Self.forked }
        return try explaining(Self.doing, file: ContainerName.lock) { try body(descriptor) }
    }

    // MARK: - Other processes

    /// Lends the lock file of a container to a body; nil when there is none. Nothing is taken, written
    /// or made.
    private static func reading<Result>(
        _ container: ContainerFolder, _ body: (Int32) throws(SystemError) -> Result?
    ) throws(ContainerError) -> Result? {
        guard let found = try container.status(of: ContainerName.lock) else { return nil }
        try check(found, mayBeOthers: container.access == .inspector)
        return try explaining(doing, file: ContainerName.lock) {
            let file = try container.openForReading(ContainerName.lock)
            defer { System.closeFile(file) }
            return try body(file)
        }
    }

    /// Who owns a container now, or nil. Nothing is taken, written or made.
    package static func owner(
        of container: ContainerFolder
    ) throws(ContainerError) -> Owner? {
        try reading(container) { file throws(SystemError) in
            try System.isLocked(file) ? try LockText(file).owner : nil
        }
    }

    /// What a dead owner of a container that nobody owns now wrote down; nil when none died.
    /// Nothing is taken or written. Asked before the files are read, it never tells of a commit
    /// that they cannot have yet.
    package static func debt(of container: ContainerFolder) throws(ContainerError) -> Debt? {
        let found = try reading(container) { file throws(SystemError) -> Debt?? in
            let text = try LockText(file)
            return try System.isLocked(file) ? .some(nil) : text.debt
        }
        return found ?? LockText(state: .none).debt
    }

    /// What the present or the last owner of a container wrote down; nil where there is no lock.
    /// Nothing is taken or written. Asked before the files are read, it never takes a later store for
    /// an older one.
    package static func text(of container: ContainerFolder) throws(ContainerError) -> LockText? {
        try reading(container) { file throws(SystemError) in try LockText(file) }
    }

    /// Leaves a request for the owner to hand over when it can. It may refuse.
    package static func requestHandOver(
        of container: ContainerFolder, process: Int32 = System.processIdentifier
    ) throws(ContainerError) {
        guard let found = try container.status(of: ContainerName.lock) else { return }
        try check(found)
        try explaining(doing, file: ContainerName.lock) {
            let file = try System.openLock(ContainerName.lock, in: container.descriptor)
            defer { System.closeLock(file) }
            // Beside no owner's name the request would look like what a used store left (S-15).
            guard case .owned = try LockText(file).state else { return }
            try LockText.writeRequest(process, to: file)
        }
    }

    // MARK: - Taking

    /// A descriptor with the lock, or nil when the file was exchanged meanwhile.
    private static func take(
        _ container: ContainerFolder, isRead: Bool
    ) throws(ContainerError) -> Int32? {
        if let found = try container.status(of: ContainerName.lock) { try check(found) }
        let descriptor = try explaining(doing, file: ContainerName.lock) {
            try System.openLock(
                ContainerName.lock, in: container.descriptor, isRead: isRead, creates: !isRead)
        }
        do {
            let status = try System.status(of: descriptor)
            try check(status)
            if status.permissions != 0o600, !isRead {
                try System.setPermissions(0o600, of: descriptor)
            }
            do {
                try System.takeLock(descriptor, isRead: isRead)
            } catch {
                guard error.wouldBlock else { throw error }
                // An owner that only reads has written nothing down.
                let owner =
                    try !isRead && System.isLocked(descriptor)
                    ? LockText(descriptor).owner.process : nil
                throw ContainerError(
                    .owned,
                    owner == System.processIdentifier
                        ? "this process owns the container already; use its store"
                        : owner.map { "process \($0) owns the container" }
                            ?? "a living process owns the container",
                    file: ContainerName.lock, ownerProcess: owner)
            }
            let named = try container.status(of: ContainerName.lock)
            if named?.identity == status.identity { return descriptor }
            System.closeLock(descriptor)
            return nil
        } catch {
            System.closeLock(descriptor)
            throw ContainerError(error, doing, file: ContainerName.lock)
        }
    }

    private static func check(
        _ status: FileStatus, mayBeOthers: Bool = false
    ) throws(ContainerError) {
        guard status.kind == .regular else {
            throw ContainerError(
                .insecure, "the lock file is not a regular file",
                reason: ContainerFolder.reason(for: status.kind), file: ContainerName.lock)
        }
        guard mayBeOthers || status.owner == System.effectiveUser else {
            throw ContainerError(
                .insecure, "the lock file belongs to another user", reason: .otherOwner,
                file: ContainerName.lock)
        }
    }

    private static func failed(_ error: SystemError) -> ContainerError {
        ContainerError(error, doing, file: ContainerName.lock)
    }

    private static let doing = "using the lock file"

    private static let forked =
        ContainerError(.forked, "a forked process doesn't own what its parent opened")
}
