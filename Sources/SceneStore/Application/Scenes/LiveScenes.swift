import SceneStoreEngine

/// What a process knows of a session that it touched.
package final class LiveScene {
    // As the application's ``SceneApplication/live``, through which alone these are changed.
    /// The skeleton of the session, as it is stored.
    @exclusivity(unchecked) package var record: SessionRecord
    /// The session's scene; nil once it is disconnected.
    @exclusivity(unchecked) package var scene: Scene?
    /// The marks of the event that is being performed, not yet written.
    @exclusivity(unchecked) package fileprivate(set) var mark: MarkChange?
    /// The state that was collected and is not written yet; one that could not be written among
    /// them.
    @exclusivity(unchecked) package fileprivate(set) var unsaved: StateToSave?
    /// The title and the placement that were told within a save, and are not written yet.
    @exclusivity(unchecked) package fileprivate(set) var unsavedValues: ValuesToSave?

    /// Where its window belongs, and which reports of its place count.
    package var keeper = PlacementKeeper()

    package init(record: SessionRecord) {
        self.record = record
    }
}

/// The sessions that a process touched: one ``LiveScene`` each, found by its row and, while it has
/// a scene, by its identifier's bytes.
///
/// An object: each step of each window asks it, and a value would be taken from the application and put
/// back for that.
package final class LiveScenes {
    // No code of the app runs inside an access.
    @exclusivity(unchecked) private var all: [Int64: LiveScene] = [:]
    @exclusivity(unchecked) private var connected: [SceneSession.ID: Int64] = [:]
    /// Those whose state waits to be written.
    @exclusivity(unchecked) private var unsavedKeys: Set<Int64> = []
    /// Those whose title or placement waits to be written.
    @exclusivity(unchecked) private var valueKeys: Set<Int64> = []
    /// Those whose marks wait to be written.
    @exclusivity(unchecked) private var markedKeys: Set<Int64> = []

    package subscript(key: Int64) -> LiveScene? { all[key] }

    /// The rows of the sessions that the process touched.
    var keys: Set<Int64> { Set(all.keys) }

    /// The scene of a row, while it is connected.
    package func scene(_ key: Int64) -> Scene? { all[key]?.scene }

    /// The scene of a session, while it is connected.
    package func scene(for identifier: SceneSession.ID) -> Scene? {
        connected[identifier].flatMap { all[$0]?.scene }
    }

    /// The connected scenes by their rows, in the order of the rows.
    package var scenes: [(key: Int64, scene: Scene)] {
        connected.values.sorted().compactMap { key in all[key]?.scene.map { (key, $0) } }
    }

    /// Whether something waits to be written.
    var hasUnsaved: Bool { hasUnsavedStates || hasMarks }
    var hasMarks: Bool { !markedKeys.isEmpty }
    var hasUnsavedStates: Bool { !unsavedKeys.isEmpty || !valueKeys.isEmpty }

    /// Takes over what is stored of a session.
    package func note(_ record: SessionRecord) {
        if let known = all[record.key] {
            known.record = record
        } else {
            all[record.key] = LiveScene(record: record)
        }
    }

    /// A session got a scene.
    package func connect(_ scene: Scene) {
        all[scene.key]?.scene = scene
        connected[scene.session.id] = scene.key
    }

    /// So many sessions are about to connect.
    func reserve(_ count: Int) {
        all.reserveCapacity(count)
        connected.reserveCapacity(count)
    }

    /// A session lost its scene; what waits to be written of it stays.
    package func disconnect(_ key: Int64) {
        guard let live = all[key], let scene = live.scene else {
            return
        }
        live.scene = nil
        connected[scene.session.id] = nil
    }

    /// Nothing of a session is written any more.
    package func drop(_ key: Int64) {
        all[key]?.unsaved = nil
        all[key]?.mark = nil
        all[key]?.unsavedValues = nil
        unsavedKeys.remove(key)
        valueKeys.remove(key)
        markedKeys.remove(key)
    }

    /// A session is gone for good, and so is all that is known of it.
    package func forget(_ key: Int64) {
        drop(key)
        disconnect(key)
        all[key] = nil
    }

    // MARK: States

    func setUnsaved(_ state: StateToSave) {
        if let live = all[state.key] {
            live.unsaved = state
            unsavedKeys.insert(state.key)
        }
    }

    /// What waited of a session's state is not written.
    func dropUnsaved(_ key: Int64) {
        all[key]?.unsaved = nil
        unsavedKeys.remove(key)
    }

    /// The states that wait, in the order of the rows.
    var statesToSave: [StateToSave] {
        if unsavedKeys.count == 1, let key = unsavedKeys.first, let state = all[key]?.unsaved {
            return [state]
        }
        return unsavedKeys.sorted().compactMap { all[$0]?.unsaved }
    }

    /// Notes what is to be written with a session's state.
    func setUnsavedValues(_ key: Int64, _ change: (inout ValuesToSave) -> Void) {
        guard let live = all[key] else {
            return
        }
        var values = live.unsavedValues ?? ValuesToSave(key: key)
        change(&values)
        live.unsavedValues = values
        valueKeys.insert(key)
    }

    /// The titles and placements that wait, in the order of the rows.
    var valuesToSave: [ValuesToSave] {
        valueKeys.isEmpty ? [] : valueKeys.sorted().compactMap { all[$0]?.unsavedValues }
    }

    /// The remembered sessions whose state, title or place waits, in the order of the rows.
    var unsavedSessions: [SceneSession.ID] {
        unsavedKeys.union(valueKeys).sorted().compactMap { all[$0]?.record }
            .filter(\.isRestorationEnabled).map(\.id)
    }

    /// All that waited was written.
    func noteSaved() {
        for key in valueKeys {
            all[key]?.unsavedValues = nil
        }
        valueKeys.removeAll()
        for key in unsavedKeys {
            guard let live = all[key] else {
                continue
            }
            live.record.flags[.stale] = false
            live.record.hasState = live.unsaved?.forgets == false
            live.unsaved = nil
        }
        unsavedKeys.removeAll(keepingCapacity: true)
    }

    // MARK: Marks

    package func mark(_ key: Int64, _ change: (inout MarkChange) -> Void) {
        guard let live = all[key] else {
            return
        }
        var mark = live.mark ?? MarkChange(key: key)
        change(&mark)
        live.mark = mark
        markedKeys.insert(key)
    }

    func removeMark(_ key: Int64) {
        all[key]?.mark = nil
        markedKeys.remove(key)
    }

    /// The marks that differ from what is stored, in the order of the rows; those of scenes that became
    /// active come last, in the order of the machine.
    func changedMarks(_ machine: LifecycleMachine) -> [MarkChange] {
        guard hasMarks else {
            return []
        }
        let changed = markedKeys.sorted().compactMap { key -> MarkChange? in
            guard let live = all[key], let mark = live.mark,
                mark.becameActive || mark.isFront.map({ $0 != live.record.isFront }) ?? false
            else {
                return nil
            }
            return mark
        }
        let activated = changed.filter(\.becameActive)
        guard activated.count > 1 else {
            return changed
        }
        return changed.filter { !$0.becameActive }
            + activated.sorted {
                (machine.newRecency(of: $0.key) ?? 0) < (machine.newRecency(of: $1.key) ?? 0)
            }
    }

    /// The marks were written.
    func noteStored(_ marks: [MarkChange]) {
        for mark in marks {
            if let isFront = mark.isFront {
                all[mark.key]?.record.isFront = isFront
            }
        }
        for key in markedKeys {
            all[key]?.mark = nil
        }
        markedKeys.removeAll(keepingCapacity: true)
    }

    /// The sessions of which something waits to be written.
    var waitingKeys: [Int64] { unsavedKeys.union(valueKeys).union(markedKeys).sorted() }
}
