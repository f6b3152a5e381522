import SceneStoreValues

/// Payloads that wait until the app acknowledges them (L-65).
package struct StoredInbox: Sendable {
    let store: SceneSessionStore

    /// Keeps a payload until it is acknowledged; answers its number, or nil for one of an ephemeral
    /// session, which is not kept. A payload whose `dedupe` key waits already, or was acknowledged
    /// in this launch, is the same one. One transaction, durable.
    ///
    /// - Parameter isOffered: Whether it is being handed over now; else it waits for the next launch.
    package func keep(
        _ payload: Payload, sessionIdentifier: String? = nil, dedupe: String?,
        isOffered: Bool = false
    ) throws(SceneStoreError) -> Int64? {
        try store.using { core throws(SceneStoreError) in
            let inbox = core.inbox
            try core.encoder.check(sessionIdentifier, path: "inbox")
            try core.encoder.check(dedupe, path: "inbox")
            if let dedupe, let known = try inbox.items(dedupe).first(where: inbox.isSame) {
                if isOffered {
                    try Self.advance([known.id], isDone: false, core)
                }
                return known.id
            }
            let bytes = try ValueCodec.encode(
                try core.encoder.storable(payload), limits: core.limits)
            if let sessionIdentifier,
                let row = try core.session(identifier: sessionIdentifier),
                row.flags.contains(.ephemeral)
            {
                // Checked, and then let go: nothing of it reaches the disk.
                return nil
            }
            return try core.write(.full) { writer throws(SceneStoreError) in
                try writer.inbox.insert(
                    bytes, session: sessionIdentifier, dedupe: dedupe, isOffered: isOffered)
            }
        }
    }

    /// The number of the payload that came under a `dedupe` key, whether it waits or was dealt with.
    package func number(dedupe: String) throws(SceneStoreError) -> Int64? {
        try store.read { reader throws(SceneStoreError) in
            try reader.inbox.items(dedupe).first?.id
        }
    }

    /// The payloads that wait, oldest first.
    package func pending() throws(SceneStoreError) -> [InboxItem] {
        try store.read { reader throws(SceneStoreError) in try reader.inbox.pending() }
    }

    /// The app is about to be handed some payloads. Mode normal.
    package func markOffered(_ ids: [Int64]) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try Self.advance(ids, isDone: false, core)
        }
    }

    /// The app has dealt with some payloads; they are erased. Mode normal.
    package func acknowledge(_ ids: [Int64]) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try Self.advance(ids, isDone: true, core)
        }
    }

    /// What was handed over needs no watching any more: the process lives. Mode normal.
    package func endDeliveries(_ items: [Int64]) throws(SceneStoreError) {
        try store.write(.normal) { writer throws(SceneStoreError) in
            try writer.inbox.rewrite(items, "delivery ended") {
                $0.endDelivery(isBlamed: false)
            }
        }
    }

    /// A payload that was set aside is offered again by the next launch. Durable.
    package func release(_ item: Int64) throws(SceneStoreError) {
        try store.write(.full) { writer throws(SceneStoreError) in
            try writer.inbox.rewrite([item], "released") { $0.offeredCount = 0 }
        }
    }

    private static func advance(
        _ ids: [Int64], isDone: Bool, _ core: StoreCore
    ) throws(SceneStoreError) {
        guard try !core.inbox.waiting(ids).isEmpty else {
            return
        }
        try core.write(.normal) { writer throws(SceneStoreError) in
            try writer.inbox.advance(ids, isDone: isDone)
        }
    }
}

extension SceneSessionStore {
    package var inbox: StoredInbox { StoredInbox(store: self) }
}
