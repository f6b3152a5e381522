import SceneStoreValues

/// What a session has beside its state: `userInfo`, title, placement, conditions, scene storage.
package struct StoredValues: Sendable {
    let store: SceneSessionStore

    /// Stores a session's `userInfo`, property-list values only.
    package func setUserInfo(
        _ userInfo: ValueDictionary, key: Int64, durability: Durability = .normal
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let bytes = try core.encoder.encodedUserInfo(userInfo)
            try core.set(.userInfo, bytes, of: key, durability: durability)
        }
    }

    /// Stores a session's title, in mode normal.
    package func setTitle(_ title: String?, key: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.set(
                .title, try core.encoder.encoded(title: title), of: key, durability: .normal)
        }
    }

    /// Stores where a session's window is, in mode normal.
    package func setPlacement(
        _ placement: PlacementMemory?, key: Int64
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.set(
                .placement, try core.encoder.encoded(placement), of: key, durability: .normal)
        }
    }

    /// Where a session's window was, on each arrangement of displays.
    package func placements(key: Int64) throws(SceneStoreError) -> PlacementMemory? {
        try store.read { reader throws(SceneStoreError) in
            guard let row = try reader.session(key)?.row else {
                return nil
            }
            return try reader.placements(of: row)
        }
    }

    /// Stores what the compositor knows a session's window by, in mode normal.
    package func setPlatformToken(_ token: [UInt8]?, key: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.set(
                .platformToken, try core.encoder.encoded(platformToken: token), of: key,
                durability: .normal)
        }
    }

    /// Stores the value that a session's window presents (L-87).
    package func setPresentedValue(_ value: Value?, key: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            var bytes: [UInt8]?
            if let value {
                bytes = try ValueCodec.encode(
                    value, limits: core.limits, path: "presentedValue")
            }
            let hash = StoreCore.valueHash(bytes)
            try core.set(.presentedValue, bytes, of: key, durability: .normal) { row in
                row.valueHash = row.flags.contains(.ephemeral) ? nil : hash
            }
        }
    }

    /// Stores a session's activation conditions, in mode normal; the defaults take no room.
    package func setConditions(
        _ conditions: ActivationConditions, key: Int64
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            guard try core.conditions(session.row.conditionsID) != conditions else {
                return
            }
            // They tell what a session shows: of an ephemeral one nothing of it reaches the disk.
            let isDefault =
                conditions == ActivationConditions() || session.row.flags.contains(.ephemeral)
            guard !isDefault || session.row.conditionsID != nil else {
                return
            }
            let bytes = isDefault ? nil : try ValueCodec.encode(conditions, limits: core.limits)
            try core.write(.normal) { writer throws(SceneStoreError) in
                var id: Int64?
                if let bytes {
                    id = try writer.internConditions(bytes)
                }
                try writer.updateRow(session) { $0.conditionsID = id }
                writer.note(.change, session.row.identifier, "activation conditions")
            }
            core.noteSave(.normal)
        }
    }

    /// A value of a session's scene storage.
    package func storageValue(key: Int64, name: String) throws(SceneStoreError) -> Value? {
        try store.read { reader throws(SceneStoreError) in
            try reader.sceneStorage.value(key, name).map { reader.encoder.shown($0, \.revealed) }
        }
    }

    /// A session's scene storage.
    package func storageValues(key: Int64) throws(SceneStoreError) -> [String: Value] {
        try store.read { reader throws(SceneStoreError) in
            try reader.sceneStorage.values(key).mapValues { reader.encoder.shown($0, \.revealed) }
        }
    }

    /// Stores values of a session's scene storage in one transaction; nil removes a key. Values
    /// equal to the stored ones cost no write.
    package func setStorage(
        _ values: [String: Value?], key: Int64, durability: Durability = .normal
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.openSession(key)
            var changed: [(name: String, old: StorageRow?, bytes: [UInt8]?)] = []
            for (name, value) in values {
                try core.encoder.check(name, path: "storage")
                var bytes: [UInt8]?
                if let value {
                    bytes = try core.encoder.storable(
                        value, name: name, path: KeyPathText.text("storage", .key(name)))
                }
                guard !session.row.flags.contains(.ephemeral) else {
                    continue
                }
                let old = try core.sceneStorage.stored(key, name)
                if (old == nil && bytes == nil) || (bytes != nil && old?.bytes == bytes) {
                    continue
                }
                changed.append((name, old?.row, bytes))
            }
            guard !changed.isEmpty else {
                return
            }
            try core.write(durability) { writer throws(SceneStoreError) in
                for change in changed.sorted(by: { $0.name.precedes($1.name) }) {
                    try writer.put(change.name, change.old, change.bytes, of: key)
                }
                writer.note(.change, session.row.identifier, "scene storage")
            }
            core.noteSave(durability)
        }
    }

    /// Throws what saving these values would throw, and stores nothing.
    package func check(_ values: ValuesToSave) throws(SceneStoreError) {
        try store.core.withLock { core throws(SceneStoreError) in
            if let title = values.title {
                _ = try core.encoder.encoded(title: title)
            }
            if let placement = values.placement {
                _ = try core.encoder.encoded(placement)
            }
            if let token = values.platformToken {
                _ = try core.encoder.encoded(platformToken: token)
            }
        }
    }
}

extension SceneSessionStore {
    package var values: StoredValues { StoredValues(store: self) }
}
