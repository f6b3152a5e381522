import SceneStoreValues

/// Writing discards, and what the app was told of them (L-36 to L-38, S-50).
extension StoreWriter {
    /// Writes how far the app was told of some discards: it was told, or is about to be, of some of
    /// them once more.
    package func mark(
        discards keys: [Int64], _ delivery: StoreCore.Delivery
    ) throws(SceneStoreError) {
        for key in keys.sorted() {
            guard var row = try discards.row(key),
                row.delivery < StoreCore.Delivery.delivered.rawValue
            else {
                continue
            }
            let counted = row.checksum
            row.delivery = delivery.rawValue
            row.offeredLaunch = store.launchNumber
            try update(row, counted: counted)
            if delivery == .delivered {
                note(.discardDelivered, row.identifier)
            }
        }
    }

    /// Closes sessions for good; see ``SceneSessionStore/discard(_:cause:deliveredNow:)``. As a
    /// group they are closed in one action, the front one first.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool, asGroup: Bool = false
    ) throws(SceneStoreError) {
        let time = now
        let group = asGroup && keys.count > 1 ? store.generation : nil
        for (place, key) in keys.enumerated().sorted(by: { $0.element < $1.element }) {
            let session = try openSession(key)
            try updateRow(session) { row in
                row.isOpen = false
                row.isFront = false
                row.flags.remove(.held)
            }
            try countOpen(-1, configuration: session.row.configurationID)
            endRestoring(key)
            let row = session.row
            try insert(
                DiscardRow(
                    id: key, epoch: store.containerEpoch, identifier: row.identifier,
                    configurationID: row.configurationID, cause: cause.rawValue,
                    delivery: (deliveredNow ? StoreCore.Delivery.offered : .pending).rawValue,
                    offeredLaunch: deliveredNow ? store.launchNumber : 0, discardedAt: time,
                    generation: store.generation))
            if let group {
                let closing = ClosedSession.Closing(group: group, place: place)
                try put(.closing, closing.bytes, of: key)
            }
            note(.discard, row.identifier, cause.rawValue)
            // What is not for everybody's eyes is not kept for a change of mind (S-50).
            if row.flags.privacy != .standard || options.recentlyClosed.count <= 0 {
                try deleteSession(session)
            }
        }
    }
}
