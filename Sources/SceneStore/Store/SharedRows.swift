import SceneStoreSQLite

/// A migration that ran.
struct MigrationRow: StoredRow {
    static let table = StoreTable.migration

    var number: Int64
    var name: String
    var textChecksum: Int64
    var appliedAt: Int64
    var checksum: Int64 = 0
}

extension MigrationRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        number = try row.integer(at: 0)
        name = try row.text(at: 1)
        textChecksum = try row.integer(at: 2)
        appliedAt = try row.integer(at: 3)
        checksum = try row.integer(at: 4)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(number)
        sealer.add(name)
        sealer.add(textChecksum)
        sealer.add(appliedAt)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, number)
        try statement.bind(2, name)
        try statement.bind(3, textChecksum)
        try statement.bind(4, appliedAt)
        try statement.bind(5, checksum)
    }
}

/// A configuration that sessions remember.
struct ConfigurationRow: StoredRow {
    static let table = StoreTable.configuration

    var id: Int64
    var epoch: Int64
    var role: String
    var name: String?
    var sceneClass: String?
    var delegateClass: String?
    var storyboard: String?
    var immersionStyle: String?
    var resolution: Int64
    var openSessions: Int64
    var checksum: Int64 = 0
}

extension ConfigurationRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        role = try row.text(at: 2)
        name = try row.optionalText(at: 3)
        sceneClass = try row.optionalText(at: 4)
        delegateClass = try row.optionalText(at: 5)
        storyboard = try row.optionalText(at: 6)
        immersionStyle = try row.optionalText(at: 7)
        resolution = try row.integer(at: 8)
        openSessions = try row.integer(at: 9)
        checksum = try row.integer(at: 10)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(role)
        sealer.add(name)
        sealer.add(sceneClass)
        sealer.add(delegateClass)
        sealer.add(storyboard)
        sealer.add(immersionStyle)
        sealer.add(resolution)
        sealer.add(openSessions)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, role)
        try statement.bind(4, name)
        try statement.bind(5, sceneClass)
        try statement.bind(6, delegateClass)
        try statement.bind(7, storyboard)
        try statement.bind(8, immersionStyle)
        try statement.bind(9, resolution)
        try statement.bind(10, openSessions)
        try statement.bind(11, checksum)
    }

    /// Binds what `Queries.updateConfiguration` sets.
    func bindUpdate(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, name)
        try statement.bind(2, sceneClass)
        try statement.bind(3, delegateClass)
        try statement.bind(4, storyboard)
        try statement.bind(5, immersionStyle)
        try statement.bind(6, resolution)
        try statement.bind(7, openSessions)
        try statement.bind(8, checksum)
        try statement.bind(9, id)
    }
}

/// Activation conditions; the payload follows.
struct ConditionsRow: StoredRow {
    static let table = StoreTable.conditions

    var id: Int64
    var epoch: Int64
    var contentHash: Int64
    var checksum: Int64 = 0
}

extension ConditionsRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        contentHash = try row.integer(at: 2)
        checksum = try row.integer(at: 3)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(contentHash)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, contentHash)
        try statement.bind(4, checksum)
    }
}

/// What states were saved under.
struct SaveContextRow: StoredRow {
    static let table = StoreTable.saveContext

    var id: Int64
    var epoch: Int64
    var appVersion: String?
    var systemVersion: String?
    var idiom: String?
    var checksum: Int64 = 0
}

extension SaveContextRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        appVersion = try row.optionalText(at: 2)
        systemVersion = try row.optionalText(at: 3)
        idiom = try row.optionalText(at: 4)
        checksum = try row.integer(at: 5)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(appVersion)
        sealer.add(systemVersion)
        sealer.add(idiom)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, appVersion)
        try statement.bind(4, systemVersion)
        try statement.bind(5, idiom)
        try statement.bind(6, checksum)
    }
}
