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
    /// How the owner before this one ended, as far as it wrote that down.
    package enum Predecessor: Hashable, Sendable {
        /// There was none.
        case none
        /// It released the lock.
        case released(epoch: Int64)
        /// It died, or its machine did.
        case died(process: Int32, epoch: Int64)
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
        /// Its last commit that was durable, if it said so.
        package var generation: Int64?
        /// Whether the lock file has no note of an owner: how the last one ended is not known, and it
        /// may have died.
        package var isUnknown = false
    }

    /// What an owner that let go of the container properly left in it.
    package struct Closing: Hashable, Sendable {
        package var generation: Int64
        /// Milliseconds since 1970.
        package var time: Int64

        package init(generation: Int64, time: Int64) {
            self.generation = generation
            self.time = time
        }
    }

    /// Under which epoch an owner let go of the container properly, and what it left in it, if it said
    /// so.
    package struct Farewell: Hashable, Sendable {
        package var epoch: Int64
        package var closing: Closing?

        package init?(_ predecessor: Predecessor, _ closing: Closing?) {
            guard case .released(let epoch) = predecessor else { return nil }
            self.epoch = epoch
            self.closing = closing
        }
    }

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

    package let predecessor: Predecessor
    /// What the predecessor wrote down when it released the lock.
    package let closing: Closing?
    /// The generation of the last commit that a dead predecessor had made durable, as far as it
    /// wrote that down: a store that is older has lost commits (R-02, R-03).
    package let owedGeneration: Int64?
    /// The database file whose pages an earlier owner found damaged; it may be gone by now.
    package let damagedFile: FileIdentity?
    /// The session that the last owner wrote down as being restored.
    package let restoring: Restoring?
    /// A hash of the identity of the store that was opened last, as far as it is written down (R-27).
    package private(set) var store: UInt64?
    /// Whether something stood in the file that no owner wrote.
    package let isJunk: Bool
    /// Why nothing can be written beside the lock; nil for an owner that can write.
    package let refusal: ContainerError?
    private let descriptor: Int32
    private let forkCount: UInt32
    private let process: Int32
    private var epoch: Int64
    /// Whether the file held nothing, and only the owner's name was written.
    private var isBlank: Bool

    /// Takes the lock without waiting; `owned` names the process that has it.
    package static func acquire(
        _ container: ContainerFolder, process: Int32 = System.processIdentifier
    ) throws(ContainerError) -> OwnerLock {
        do {
            return try acquire(container, process: process, refusedBy: nil)
        } catch {
            guard error.kind == .readOnlyVolume,
                try container.status(of: ContainerName.lock) != nil
            else {
                throw error
            }
            return try acquire(container, process: process, refusedBy: error)
        }
    }

    /// Takes the lock, for reading where writing was refused.
    package static func acquire(
        _ container: ContainerFolder, process: Int32, refusedBy refusal: ContainerError?
    ) throws(ContainerError) -> OwnerLock {
        // A lock on a file that lost its name in the meantime is worth nothing; once more then.
        for _ in 0..<8 {
            if let descriptor = try take(container, isRead: refusal != nil) {
                do {
                    return try claim(descriptor, process: process, refusal)
                } catch {
                    System.closeLock(descriptor)
                    throw failed(error)
                }
            }
        }
        throw ContainerError(
            .unstable, "the lock file keeps changing", file: ContainerName.lock)
    }

    /// Writes the new owner's name; that also takes back an old request to hand over. An owner whose
    /// name can't be written keeps the lock, and writes nothing down (L-17).
    private static func claim(
        _ descriptor: Int32, process: Int32, _ refusal: ContainerError?
    ) throws(SystemError) -> OwnerLock {
        var refusal = refusal
        let text = try LockText(descriptor)
        // Where a note can't be read, there was an owner.
        let epoch = text.epoch ?? (text.isJunk ? 1 : 0)
        let owed: Int64? = if case .owned = text.state { text.durable } else { nil }
        // Junk stays until the store is open: an opening that is refused leaves it to the next one.
        if refusal == nil, !text.isJunk {
            do {
                // Owed until this owner has written something durable itself.
                try LockText(
                    state: .owned(process: process, epoch: epoch),
                    durable: owed ?? text.closing?.generation, request: nil
                ).write(to: descriptor)
                if case .none = text.state {
                    // No power cut may leave a used store beside a lock that says nothing.
                    try? System.sync(descriptor)
                }
            } catch {
                refusal = failed(error)
            }
        }
        return OwnerLock(text, owed, descriptor, process, refusal)
    }

    private init(
        _ text: LockText, _ owedGeneration: Int64?, _ descriptor: Int32, _ process: Int32,
        _ refusal: ContainerError?
    ) {
        self.refusal = refusal
        predecessor = Self.predecessor(text)
        closing = text.closing
        damagedFile = text.damaged
        restoring = text.restoring
        store = text.store
        isJunk = text.isJunk
        self.owedGeneration = owedGeneration
        self.descriptor = descriptor
        self.process = process
        epoch = text.epoch ?? 0
        isBlank = if case .none = text.state { refusal == nil && !text.isJunk } else { false }
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
        try write(
            LockText(
                state: .owned(process: process, epoch: epoch), durable: generation, request: nil))
        self.epoch = epoch
        isBlank = false
    }

    /// Writes down which store is opened; nil for one that a tool put there.
    package mutating func note(store: UInt64?) throws(ContainerError) {
        guard store != self.store else { return }
        try checkWritable()
        do {
            try LockText.writeStore(store, to: descriptor)
        } catch {
            throw Self.failed(error)
        }
        self.store = store
    }

    /// Writes down which commit is durable by now. Only ever after its sync: then neither a kill
    /// nor a power cut can leave this note beside an older store.
    package borrowing func note(durable generation: Int64) throws(ContainerError) {
        try checkWritable()
        do {
            try LockText(
                state: .owned(process: process, epoch: epoch), durable: generation, request: nil
            ).writeOwner(to: descriptor)
        } catch {
            throw Self.failed(error)
        }
    }

    /// Writes down that pages of the database file are damaged: the next owner looks before it
    /// opens the file, and sets it aside.
    package borrowing func noteDamage(of file: FileIdentity) throws(ContainerError) {
        try checkWritable()
        do {
            try LockText.writeDamage(of: file, to: descriptor)
        } catch {
            throw Self.failed(error)
        }
    }

    /// Writes down which session is being restored. One write, without a sync: it outlives the
    /// process, which is all that it is for. False when it does not fit into its line.
    package borrowing func note(restoring: Restoring?) throws(ContainerError) -> Bool {
        try checkWritable()
        do {
            return try LockText.write(restoring, to: descriptor)
        } catch {
            throw Self.failed(error)
        }
    }

    /// Brings to the disk what was written down.
    package borrowing func sync() throws(ContainerError) {
        guard !isForked else { throw Self.forked }
        do {
            try System.sync(descriptor)
        } catch {
            throw Self.failed(error)
        }
    }

    /// Gives the container up; the next owner learns that it was done properly, and perhaps what
    /// the store held then. Only ever after the store's last sync. Without that, a tool may have put
    /// another store there.
    package consuming func release(at closing: Closing? = nil) throws(ContainerError) {
        guard refusal == nil else { return }
        isBlank = false
        if closing == nil { try note(store: nil) }
        try write(LockText(state: .released(epoch: epoch), closing: closing, request: nil))
    }

    /// The process that asked the owner to hand over, or nil.
    package borrowing func handOverRequest() throws(ContainerError) -> Int32? {
        guard !isForked else { throw Self.forked }
        do {
            return try LockText(descriptor).request
        } catch {
            throw Self.failed(error)
        }
    }

    private borrowing func checkWritable() throws(ContainerError) {
        guard !isForked else { throw Self.forked }
        if let refusal { throw refusal }
    }

    private borrowing func write(_ text: LockText) throws(ContainerError) {
        try checkWritable()
        do {
            try text.write(to: descriptor)
        } catch {
            throw Self.failed(error)
        }
    }

    // MARK: - Other processes

    /// Lends the lock file of a container to a body; nil when there is none. Nothing is taken, written
    /// or made.
    private static func reading<Result>(
        _ container: ContainerFolder, _ body: (Int32) throws(SystemError) -> Result?
    ) throws(ContainerError) -> Result? {
        guard let found = try container.status(of: ContainerName.lock) else { return nil }
        try check(found, mayBeOthers: container.access == .inspector)
        do {
            let file = try container.openForReading(ContainerName.lock)
            defer { System.closeFile(file) }
            return try body(file)
        } catch {
            throw failed(error)
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

    /// How the last owner of a container that nobody owns now ended. Nothing is taken or written.
    package static func predecessor(
        of container: ContainerFolder
    ) throws(ContainerError) -> Predecessor {
        try reading(container) { file throws(SystemError) in
            predecessor(try LockText(file))
        } ?? Predecessor.none
    }

    /// What a dead owner of a container that nobody owns now wrote down; nil when none died.
    /// Nothing is taken or written. Asked before the files are read, it never tells of a commit
    /// that they cannot have yet.
    package static func debt(of container: ContainerFolder) throws(ContainerError) -> Debt? {
        let found = try reading(container) { file throws(SystemError) -> Debt?? in
            let text = try LockText(file)
            return try System.isLocked(file) ? .some(nil) : debt(predecessor(text), text.durable)
        }
        return found ?? debt(.none, nil)
    }

    private static func debt(_ predecessor: Predecessor, _ generation: Int64?) -> Debt? {
        switch predecessor {
        case .none: Debt(epoch: 0, generation: nil, isUnknown: true)
        case .released: nil
        case .died(_, let epoch): Debt(epoch: epoch, generation: generation)
        }
    }

    /// Whether something stands in the lock file that no owner wrote. Nothing is taken or written.
    package static func isJunk(in container: ContainerFolder) throws(ContainerError) -> Bool {
        try reading(container) { file throws(SystemError) in try LockText(file).isJunk } ?? false
    }

    /// Whether the lock file shows that a store was opened beside it: it names the epoch of an owner
    /// that wrote, or can't be read any more. Nothing is taken or written.
    static func isUsed(in container: ContainerFolder) throws(ContainerError) -> Bool {
        try reading(container) { file throws(SystemError) in
            let text = try LockText(file)
            return text.isJunk || text.epoch ?? 0 > 0
        } ?? false
    }

    /// What the last owner of a container that nobody owns now wrote down when it released it; nil
    /// when it didn't. Nothing is taken or written. Asked before the files are read, it never takes a
    /// later store for an older one.
    package static func farewell(
        of container: ContainerFolder
    ) throws(ContainerError) -> Farewell? {
        try reading(container) { file throws(SystemError) in
            let text = try LockText(file)
            return Farewell(predecessor(text), text.closing)
        }
    }

    /// The last commit that the present or the last owner of a container noted as durable. Nothing is
    /// taken or written.
    package static func durable(of container: ContainerFolder) throws(ContainerError) -> Int64? {
        try reading(container) { file throws(SystemError) in try LockText(file).durable }
    }

    /// The session that the present or the last owner of a container wrote down as being restored.
    /// Nothing is taken or written.
    package static func restoring(
        of container: ContainerFolder
    ) throws(ContainerError) -> Restoring? {
        try reading(container) { file throws(SystemError) in try LockText(file).restoring }
    }

    /// A hash of the identity of the store that was opened last. Nothing is taken or written.
    package static func store(of container: ContainerFolder) throws(ContainerError) -> UInt64? {
        try reading(container) { file throws(SystemError) in try LockText(file).store }
    }

    /// What this lock's dead predecessor wrote down; nil when the last one released it.
    package var debt: Debt? { Self.debt(predecessor, owedGeneration) }

    private static func predecessor(_ text: LockText) -> Predecessor {
        switch text.state {
        case .none: .none
        case .released(let epoch): .released(epoch: epoch)
        case .owned(let process, let epoch): .died(process: process, epoch: epoch)
        }
    }

    /// Leaves a request for the owner to hand over when it can. It may refuse.
    package static func requestHandOver(
        of container: ContainerFolder, process: Int32 = System.processIdentifier
    ) throws(ContainerError) {
        guard let found = try container.status(of: ContainerName.lock) else { return }
        try check(found)
        do {
            let file = try System.openLock(
                ContainerName.lock, in: container.descriptor, creates: false)
            defer { System.closeLock(file) }
            try LockText.writeRequest(process, to: file)
        } catch {
            throw failed(error)
        }
    }

    // MARK: - Taking

    /// A descriptor with the lock, or nil when the file was exchanged meanwhile.
    private static func take(
        _ container: ContainerFolder, isRead: Bool
    ) throws(ContainerError) -> Int32? {
        if let found = try container.status(of: ContainerName.lock) { try check(found) }
        let descriptor: Int32
        do {
            descriptor =
                isRead
                ? try System.openLockForReading(ContainerName.lock, in: container.descriptor)
                : try System.openLock(
                    ContainerName.lock, in: container.descriptor, creates: true)
        } catch {
            throw failed(error)
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
            if let error = error as? SystemError { throw failed(error) }
            throw error as? ContainerError ?? ContainerError(.ioError, "taking the lock")
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
        ContainerError(error, "using the lock file", file: ContainerName.lock)
    }

    private static var forked: ContainerError {
        ContainerError(.forked, "a forked process doesn't own what its parent opened")
    }
}

/// What stands in the lock file: five lines of 64 bytes, so that each is written in one piece.
///
/// The first is the owner's (`owner 4711 epoch 12 durable 345`, or
/// `released epoch 12 generation 345 at 1767225600000`), with a sum of it at the line's end, if there
/// is room, so that a damaged number is not believed (R-02). The second is for a contender
/// (`handover 4712`), the third names a database file whose pages were found
/// damaged (`damaged 66305 1234`: device and inode), until another file stands in its place, the
/// fourth the session that is being restored (`restoring 17 generation 4 sum 1234`), the fifth the
/// store that was opened last (`store 1234`, a hash of its identity, with a sum of the line). It comes
/// from a file, so nothing in it is trusted.
struct LockText {
    enum State {
        case none
        case owned(process: Int32, epoch: Int64)
        case released(epoch: Int64)
    }

    var state: State
    /// The generation of the owner's last durable commit, if it said so.
    var durable: Int64?
    /// What the store held when it was released, if the owner said so.
    var closing: OwnerLock.Closing?
    var request: Int32?
    /// The file that is damaged, if an owner said so.
    var damaged: FileIdentity?
    /// The session that is being restored, if an owner said so.
    var restoring: OwnerLock.Restoring?
    /// A hash of the identity of the store that was opened last, if an owner said so.
    private(set) var store: UInt64?
    /// Whether something is there that no owner wrote.
    private(set) var isJunk = false

    private static let lineLength = 64
    private static let sumLength = 6

    init(
        state: State, durable: Int64? = nil, closing: OwnerLock.Closing? = nil, request: Int32?
    ) {
        self.state = state
        self.closing = closing
        self.durable = durable
        self.request = request
    }

    init(_ descriptor: Int32) throws(SystemError) {
        let bytes = try System.read(descriptor, count: 5 * Self.lineLength, at: 0)
        state = .none
        let first = Self.proved(bytes.prefix(Self.lineLength)).map(Self.words) ?? []
        defer { if case .none = state { isJunk = !bytes.isEmpty } }
        if first.count == 4 || first.count == 6, first[0] == "owner", first[2] == "epoch",
            let process = Int32(first[1]), process > 0, let epoch = Int64(first[3]), epoch >= 0
        {
            state = .owned(process: process, epoch: epoch)
            if first.count == 6, first[4] == "durable", let number = Int64(first[5]), number >= 0 {
                durable = number
            }
        } else if first.count == 3 || first.count == 7, first[0] == "released",
            first[1] == "epoch", let epoch = Int64(first[2]), epoch >= 0
        {
            state = .released(epoch: epoch)
            if first.count == 7, first[3] == "generation", first[5] == "at",
                let generation = Int64(first[4]), generation >= 0, let time = Int64(first[6])
            {
                closing = OwnerLock.Closing(generation: generation, time: time)
            }
        }
        let second = Self.words(bytes.dropFirst(Self.lineLength).prefix(Self.lineLength))
        if second.count == 2, second[0] == "handover", let process = Int32(second[1]), process > 0 {
            request = process
        }
        let third = Self.words(bytes.dropFirst(2 * Self.lineLength).prefix(Self.lineLength))
        if third.count == 3, third[0] == "damaged", let device = UInt64(third[1]),
            let inode = UInt64(third[2])
        {
            damaged = FileIdentity(device: device, inode: inode)
        }
        let fourth = Self.words(
            bytes.dropFirst(3 * Self.lineLength).prefix(Self.lineLength))
        if fourth.count == 6, fourth[0] == "restoring", fourth[2] == "generation",
            fourth[4] == "sum",
            let session = Int64(fourth[1]), let generation = Int64(fourth[3]),
            let sum = UInt64(fourth[5])
        {
            restoring = OwnerLock.Restoring(
                session: session, generation: generation, sum: sum)
        }
        let fifth = Self.proved(bytes.dropFirst(4 * Self.lineLength)).map(Self.words) ?? []
        if fifth.count == 2, fifth[0] == "store" {
            store = UInt64(fifth[1])
        }
    }

    var epoch: Int64? {
        switch state {
        case .none: nil
        case .owned(_, let epoch), .released(let epoch): epoch
        }
    }

    var owner: OwnerLock.Owner {
        guard case .owned(let process, let epoch) = state else { return OwnerLock.Owner() }
        return OwnerLock.Owner(process: process, epoch: epoch)
    }

    func write(to descriptor: Int32) throws(SystemError) {
        let second = request.map { "handover \($0)" } ?? ""
        try System.write(firstLine + Self.line(second), to: descriptor, at: 0)
    }

    /// Writes the owner's line alone: a request that came meanwhile stays.
    func writeOwner(to descriptor: Int32) throws(SystemError) {
        try System.write(firstLine, to: descriptor, at: 0)
    }

    private var firstLine: [UInt8] {
        let text =
            switch state {
            case .none: ""
            case .owned(let process, let epoch): "owner \(process) epoch \(epoch)"
            case .released(let epoch): "released epoch \(epoch)"
            }
        let more: String
        switch state {
        case .owned where durable != nil: more = " durable \(durable ?? 0)"
        case .released where closing != nil:
            more = " generation \(closing?.generation ?? 0) at \(closing?.time ?? 0)"
        default: return Self.summed(Self.line(text))
        }
        let longer = text + more
        // A number that does not fit says less than none.
        return Self.summed(Self.line(longer.utf8.count < Self.lineLength ? longer : text))
    }

    /// Puts a sum over the line at its end, if there is room.
    private static func summed(_ line: [UInt8]) -> [UInt8] {
        let place = lineLength - 1 - sumLength
        guard line[place...].dropLast().allSatisfy({ $0 == 0x20 }) else { return line }
        return line[..<place] + sum(of: line[..<place]).utf8 + [0x0a]
    }

    /// A line without its sum; nil if that is another one.
    private static func proved(_ line: some Collection<UInt8>) -> [UInt8]? {
        let line = Array(line)
        let place = lineLength - 1 - sumLength
        // A line that was cut off may have lost what was durable.
        guard line.count == lineLength else { return nil }
        guard line[place] == UInt8(ascii: "#") else { return line }
        let found = line[place..<lineLength - 1]
        return found.elementsEqual(sum(of: line[..<place]).utf8) ? Array(line[..<place]) : nil
    }

    /// `#` and five hexadecimal digits.
    private static func sum(of bytes: ArraySlice<UInt8>) -> String {
        var hash: UInt32 = 0x811c_9dc5
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let text = String((hash ^ hash >> 20) & 0xf_ffff, radix: 16)
        return "#" + String(repeating: "0", count: sumLength - 1 - text.utf8.count) + text
    }

    static func writeStore(_ store: UInt64?, to descriptor: Int32) throws(SystemError) {
        let text = store.map { "store \($0)" } ?? ""
        try System.write(
            summed(line(text)), to: descriptor, at: Int64(4 * lineLength))
    }

    static func writeDamage(of file: FileIdentity, to descriptor: Int32) throws(SystemError) {
        try System.write(
            line("damaged \(file.device) \(file.inode)"), to: descriptor,
            at: Int64(2 * lineLength))
    }

    static func writeRequest(_ process: Int32, to descriptor: Int32) throws(SystemError) {
        try System.write(
            line("handover \(process)"), to: descriptor, at: Int64(lineLength))
    }

    /// Writes the fourth line alone; false when it does not fit.
    static func write(
        _ restoring: OwnerLock.Restoring?, to descriptor: Int32
    ) throws(SystemError) -> Bool {
        // It is written twice for each window that comes back, so it is made on the stack.
        typealias Word = UInt64
        var words: (Word, Word, Word, Word, Word, Word, Word, Word) = (0, 0, 0, 0, 0, 0, 0, 0)
        assert(MemoryLayout.size(ofValue: words) == lineLength)
        return try withUnsafeMutableBytes(of: &words) { bytes throws(SystemError) in
            var line = LockLine(bytes.bindMemory(to: UInt8.self))
            if let restoring {
                line.append("restoring ")
                line.append(restoring.session)
                line.append(" generation ")
                line.append(restoring.generation)
                line.append(" sum ")
                line.append(restoring.sum)
            }
            line.end()
            guard line.fits else {
                return false
            }
            try System.write(
                UnsafeRawBufferPointer(bytes), to: descriptor, at: Int64(3 * lineLength))
            return true
        }
    }

    private static func line(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8.prefix(lineLength - 1))
        bytes.append(contentsOf: repeatElement(0x20, count: lineLength - 1 - bytes.count))
        bytes.append(0x0a)
        return bytes
    }

    private static func words(_ line: some Sequence<UInt8>) -> [String] {
        line.split { $0 == 0x20 || $0 == 0x0a || $0 == 0 }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A line of the lock file that is put together of words and numbers, in memory that is as long.
struct LockLine {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    /// Whether everything fits, with the newline at the end.
    private(set) var fits = true

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func append(_ byte: UInt8) {
        guard count < bytes.count - 1 else {
            fits = false
            return
        }
        bytes.initializeElement(at: count, to: byte)
        count += 1
    }

    mutating func append(_ word: StaticString) {
        word.withUTF8Buffer { $0.forEach { append($0) } }
    }

    mutating func append(_ number: Int64) {
        if number < 0 {
            append(UInt8(ascii: "-"))
        }
        append(number.magnitude)
    }

    mutating func append(_ number: UInt64) {
        let start = count
        var rest = number
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start..<count].reverse()
    }

    /// Fills the line with blanks up to the newline.
    mutating func end() {
        bytes[count...].update(repeating: 0x20)
        bytes[bytes.count - 1] = 0x0a
    }
}
