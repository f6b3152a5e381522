import SceneStoreSQLite
import SceneStoreValues

/// The row of a session: its marks, its configuration, and which state is its last.
package struct SessionRow: StoredRow {
    package static let description = TableDescription(.session, "session", of: Self())
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var identifierText = IdentifierText("")
    package var epoch: Int64 = 0
    package var configurationID: Int64 = 0
    package var isOpen = false
    package var isFront = false
    package var recency: Int64 = 0
    package var stateID: Int64?
    package var crashCount: Int64 = 0
    package var flags: SessionFlags = []
    package var conditionsID: Int64?
    package var valueHash: Int64?
    package var createdAt: Int64 = 0
    package var lastActiveAt: Int64 = 0
    package var savedAt: Int64?
    package var generation: Int64 = 0
    /// The checksum of the current state's row, which covers its generation too: an older version
    /// of that row is not what was saved last.
    package var stateChecksum: Int64?
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("identifier", &identifierText, .fixed)
        column("epoch", &epoch, [.fixed, .counter])
        column("configuration_id", &configurationID, .counter)
        column("is_open", &isOpen)
        column("is_front", &isFront)
        column("recency", &recency, .counter)
        column("state_id", &stateID)
        column("crash_count", &crashCount)
        column("is_stale", &flags[.stale])
        column("is_held", &flags[.held])
        var isRemembered = !flags[.notRemembered]
        column("is_remembered", &isRemembered)
        flags[.notRemembered] = !isRemembered
        column("is_pinned", &flags[.pinned])
        column("privacy", &flags.privacyCode)
        column("is_withheld", &flags[.withheld])
        column("withheld_reason", &flags.withheldCode)
        column("is_offered", &flags[.offering])
        column("was_offered", &flags[.offeredAgain])
        column("is_suspect", &flags[.suspect])
        column("parked", &flags.parkedCode)
        column("is_reopened", &flags[.reopened])
        column("has_children", &flags[.hasChildren])
        column("is_child", &flags[.isChild])
        column("conditions_id", &conditionsID, .counter)
        column("value_hash", &valueHash)
        column("created_at", &createdAt, .fixed)
        column("last_active_at", &lastActiveAt)
        column("saved_at", &savedAt)
        column("generation", &generation, .counter)
        column("state_checksum", &stateChecksum)
    }
}

extension SessionRow {
    /// What a save changes; no index has any of it.
    package static let stateUpdate = description.update([
        "state_id", "saved_at", "generation", "state_checksum",
    ])
    /// What a mark changes.
    package static let markUpdate = description.update([
        "is_front", "recency", "last_active_at", "generation",
    ])

    package var isOpenSession: Bool { isOpen }

    /// Makes a state the current one, as its row is stored now; nil for none.
    package mutating func point(at state: StateRow?) {
        stateID = state?.id
        savedAt = state?.savedAt
        stateChecksum = state?.checksum
    }

    /// Whether a row is the very state that was saved last.
    package func isBound(to state: StateRow) -> Bool {
        state.id == stateID && state.checksum == stateChecksum
    }

    /// The persistent identifier.
    package var identifier: String { identifierText.text }

    // MARK: - By hand

    // The skeleton is read whole at a launch: what `visit` says, by hand, in a third of the time. A
    // test holds the two against each other.

    package init(_ row: borrowing Statement) throws(SQLiteError) {
        // All that can fail comes before the first property: a row that is made piece by piece is
        // copied once more, which costs a twentieth of a launch's db.
        let id = try row.integer(at: 0)
        let identifierText = try IdentifierText(row, at: 1)
        let (run, nulls) = try row.integers(
            from: 2, count: 29, nullable: 1 << 5 | 1 << 21 | 1 << 22 | 1 << 25 | 1 << 27,
            flags: 0b1_1101_1101_0111_1000_1100)
        var flags = run[7] | run[8] << 1 | (1 - run[9]) << 2 | run[10] << 3
        flags |= (run[11] & 3) << 4 | run[12] << 6 | (run[13] & 15) << 10 | run[14] << 7
        flags |= run[15] << 8 | run[16] << 9 | (run[17] & 7) << 14 | run[18] << 17
        flags |= run[19] << 18 | run[20] << 19
        self.init(
            id: id, identifierText: identifierText, epoch: run[0], configurationID: run[1],
            isOpen: run[2] != 0, isFront: run[3] != 0, recency: run[4],
            stateID: nulls & 1 << 5 == 0 ? run[5] : nil, crashCount: run[6],
            flags: SessionFlags(rawValue: flags),
            conditionsID: nulls & 1 << 21 == 0 ? run[21] : nil,
            valueHash: nulls & 1 << 22 == 0 ? run[22] : nil, createdAt: run[23],
            lastActiveAt: run[24], savedAt: nulls & 1 << 25 == 0 ? run[25] : nil,
            generation: run[26], stateChecksum: nulls & 1 << 27 == 0 ? run[27] : nil,
            checksum: run[28])
    }

    /// What a relaunch needs of it. A method, for an initialiser would be given a copy.
    package func record(_ configuration: SharedConfiguration) -> SessionRecord {
        SessionRecord(
            key: id, identifierText: identifierText, isOpen: isOpen, isFront: isFront,
            hasState: stateID != nil, hasConditions: conditionsID != nil,
            configurationKey: configurationID, sharedConfiguration: configuration,
            recency: recency, crashCount: Int(clamping: crashCount), flags: flags,
            createdAt: createdAt, lastActiveAt: lastActiveAt, savedAt: savedAt)
    }

    package func isWhole(_ sealer: RowSealer) -> Bool {
        sealer.begin()
        sealer.add(id)
        sealer.add(identifierText)
        sealer.add(epoch)
        sealer.add(configurationID)
        sealer.add(isOpen)
        sealer.add(isFront)
        sealer.add(recency)
        sealer.add(stateID)
        sealer.add(crashCount)
        let bits = flags.rawValue
        sealer.add(bits & 1)
        sealer.add(bits >> 1 & 1)
        sealer.add(~bits >> 2 & 1)
        sealer.add(bits >> 3 & 1)
        sealer.add(bits >> 4 & 3)
        sealer.add(bits >> 6 & 1)
        sealer.add(bits >> 10 & 15)
        sealer.add(bits >> 7 & 1)
        sealer.add(bits >> 8 & 1)
        sealer.add(bits >> 9 & 1)
        sealer.add(bits >> 14 & 7)
        sealer.add(bits >> 17 & 1)
        sealer.add(bits >> 18 & 1)
        sealer.add(bits >> 19 & 1)
        sealer.add(conditionsID)
        sealer.add(valueHash)
        sealer.add(createdAt)
        sealer.add(lastActiveAt)
        sealer.add(savedAt)
        sealer.add(generation)
        sealer.add(stateChecksum)
        return checksum == sealer.end(.session)
    }
}
