import SceneStoreValues

extension Engine {
    /// The open session of an identifier. A connected one is known by its row, whatever an index says.
    package func openRecord(
        _ identifier: SceneSession.ID, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> SessionRecord? {
        if let record = try skeleton.openRecord(identifier) {
            return record
        }
        for key in machine.all {
            if let record = try skeleton.record(key: key), record.isOpen, record.id == identifier {
                skeleton.noteNotFound(record)
                return record
            }
        }
        return nil
    }
}

/// Who has the only place of a role, in an app of one scene (L-12, L-18).
extension Engine {
    /// Whether another session of a role may be made (L-12). After a launch that made no window, one that
    /// is requested takes the place of what is not on the screen (L-16).
    package func requireRoom(
        for role: SceneSessionRole, in skeleton: some Skeleton, isRequested: Bool = false
    ) throws(SceneStoreError) {
        let others = try occupying(role, in: skeleton)
        guard
            others.isEmpty
                || isRequested && rules.behavior != .restore
                    && others.allSatisfy({ machine.phase(of: $0.key) == nil })
        else {
            throw Self.oneSceneExists(of: role)
        }
    }

    /// The sessions that give their places up to some that were closed or parked and are given back
    /// together (L-12, L-18). Each of those needs something to be shown with, and a role of its own
    /// where a role has one place. Those that were to have it at the next launch are among them.
    package func displaced(
        by records: [SessionRecord], in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        var roles: Set<SceneSessionRole> = []
        var displaced: [SessionRecord] = []
        for record in records {
            try requireEntry(for: record)
            let role = record.role
            guard roles.insert(role).inserted || rules.supportsMultipleScenes else {
                throw SceneStoreError(
                    .multipleScenesNotSupported,
                    "the app supports one scene of the role; return one session",
                    path: role.rawValue)
            }
            displaced += try occupying(role, besides: record.key, in: skeleton, orReturning: true)
        }
        return displaced
    }

    /// Whether another scene has the only place of a session's role.
    func isBarred(_ record: SessionRecord) -> Bool {
        !rules.supportsMultipleScenes
            && machine.members.contains {
                $0.key != record.key && rules.isBarred(record, by: $0.value.role)
            }
    }

    /// The sessions that have the only place of a role, or get it at the next launch, if asked for. A
    /// parked one has none, nor has one that is held back, unless it has a scene.
    func occupying(
        _ role: SceneSessionRole, besides key: Int64? = nil, in skeleton: some Skeleton,
        orReturning: Bool = false
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard !rules.supportsMultipleScenes, try skeleton.openCount(role: role) > 0 else {
            return []
        }
        return try skeleton.openRecords().filter {
            $0.role == role && $0.key != key
                && (takesEvents($0)
                    || orReturning && $0.parkedCause == .displaced && $0.flags.contains(.reopened))
        }
    }

    /// In an app of one scene, the sessions that some which go, or are held back, had displaced, or that
    /// else an update parked for them (L-18): of each role the most recently used, when no other has
    /// the place.
    package func freed(
        by records: [SessionRecord], in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard !rules.supportsMultipleScenes else {
            return []
        }
        let gone = Set(records.map(\.key))
        var roles: Set<SceneSessionRole> = []
        var freed: [SessionRecord] = []
        for record in records where record.isOpen && rules.parked(record) == nil {
            let role = record.role
            guard roles.insert(role).inserted, try skeleton.openCount(role: role) > 1 else {
                continue
            }
            let others = try skeleton.openRecords().filter {
                !gone.contains($0.key) && $0.role == role && !rules.isHeld($0)
            }
            if others.allSatisfy({ rules.parked($0) != nil }),
                let first = others.first(where: { rules.parked($0) == .displaced })
                    ?? others.first(where: { rules.parked($0) == .oneWindow })
            {
                freed.append(first)
            }
        }
        return freed
    }

    /// What somebody who holds a session, or lets it go, does to others: one that is held gives its
    /// place up, and one that was held displaces none that was used after it (L-52).
    package func holding(
        _ record: SessionRecord, _ isHeld: Bool, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> PlaceChange {
        guard !isHeld else {
            return (try freed(by: [record], in: skeleton).map(\.key), [])
        }
        let others = try occupying(record.role, besides: record.key, in: skeleton).map(\.key)
        guard machine.phase(of: record.key) == nil else {
            // Its scene was there all the time, and nobody could take the place that it gave up.
            return ([], others)
        }
        if !others.isEmpty {
            return ([], [record.key])
        }
        // Who had its place went while it was held.
        return (record.parkedCause == .displaced ? [record.key] : [], [])
    }
}

/// Which sessions something gives the only place of their role, so that their parking ends, and from
/// which it takes it, so that they are parked as displaced.
package typealias PlaceChange = (freed: [Int64], parked: [Int64])
