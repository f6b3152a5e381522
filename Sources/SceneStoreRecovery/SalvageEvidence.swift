import SceneStoreStorage
import SceneStoreValues

/// What the tombstones and the journal say of sessions that are gone, so that salvage brings
/// nothing back.
struct SalvageEvidence {
    /// By identifier: the generation of the last entry that says it was forgotten or pruned.
    private var removed: [IdentifierText: Int64] = [:]
    /// By identifier: the last entry that says it was discarded.
    private var discarded: [IdentifierText: CarvedRow] = [:]
    private var reopened: [IdentifierText: Int64] = [:]
    private var delivered: [IdentifierText: Int64] = [:]
    private var created: [IdentifierText: (identifier: String, generation: Int64)] = [:]
    private let tombstones: RowTable
    /// By identifier: the generation of the last tombstone.
    private var buried: [IdentifierText: Int64] = [:]

    init(_ rows: CarvedRows, epoch: Int64) {
        tombstones = RowTable(rows[.discard].lazy.filter { $0.number(.epoch) == epoch })
        for row in tombstones {
            let key = row.identifierText
            buried[key] = max(buried[key] ?? 0, row.number(.generation))
        }
        for event in rows[.event] where event.number(.epoch) == epoch {
            guard let identifier = event["session_identifier"].text else {
                continue
            }
            let key = IdentifierText(identifier)
            let generation = event.number(.generation)
            let kind = StoreEvent.Kind(rawValue: event["kind"].text ?? "")
            // That a discard was decided doesn't say that it was written.
            guard DecisionRecord(kind, session: nil, event["detail"].text) == nil else {
                continue
            }
            switch kind {
            case .forget, .prune: removed[key] = max(removed[key] ?? 0, generation)
            case .reopen: reopened[key] = max(reopened[key] ?? 0, generation)
            case .discardDelivered: delivered[key] = max(delivered[key] ?? 0, generation)
            case .create:
                if generation > created[key]?.generation ?? -1 {
                    created[key] = (identifier, generation)
                }
            case .discard:
                if generation > discarded[key]?.number(.generation) ?? -1 {
                    discarded[key] = event
                }
            default: break
            }
        }
    }

    /// Whether a session was removed after its row was written.
    func isRemoved(_ session: CarvedRow) -> Bool {
        guard !removed.isEmpty else {
            return false
        }
        let key = session.identifierText
        return (removed[key] ?? -1) > session.number(.generation)
    }

    /// The tombstone of a session whose row was written before it; from the journal when the
    /// tombstone itself is lost. The row itself may still say that the session is open; one that says
    /// that it is closed may have been changed since.
    func tombstone(of session: CarvedRow) -> CarvedRow? {
        let isClosed = session.number(.isOpen) == 0
        let generation = session.number(.generation)
        if let row = tombstones[session.id],
            row.number(.generation) >= generation || isClosed && row.rank != .old
        {
            return row
        }
        guard !discarded.isEmpty else {
            return nil
        }
        let key = session.identifierText
        guard let event = discarded[key] else {
            return nil
        }
        let at = event.number(.generation)
        guard at > generation || isClosed, (reopened[key] ?? -1) < at else {
            return nil
        }
        let cause = event["detail"].text.flatMap { DiscardCause(rawValue: $0) } ?? .user
        let isTold = (delivered[key] ?? -1) >= at
        return CarvedRow(
            table: .discard, id: session.id,
            values: [
                session["epoch"], session["identifier"], session["configuration_id"],
                .text(cause.rawValue), .integer(isTold ? 2 : 0), .integer(0),
                event["happened_at"], .integer(at),
            ], checksum: 0, payload: nil, rank: .reached, sequence: 0)
    }

    /// Whether a session is known to be gone, for one that only a backup has.
    func isGone(_ session: CarvedRow) -> Bool {
        isRemoved(session) || tombstones[session.id] != nil || tombstone(of: session) != nil
    }

    /// Sessions that the journal saw coming and not going, without those that are there.
    func missing(besides isKept: (String) -> Bool) -> [String] {
        created.filter { key, entry in
            !isKept(entry.identifier) && (removed[key] ?? -1) < entry.generation
                && (discarded[key]?.number(.generation) ?? -1) < entry.generation
                && (buried[key] ?? -1) < entry.generation
        }.values.map(\.identifier).sorted { $0.precedes($1) }
    }
}
