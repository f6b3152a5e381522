import SceneStoreSQLite
import SceneStoreValues

/// A migration that ran.
package struct MigrationRow: StoredRow {
    package static let table = StoreTable.migration

    package var number: Int64
    package var name: String
    package var textChecksum: Int64
    var appliedAt: Int64
    package var checksum: Int64 = 0
}

extension MigrationRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        number = try row.integer(at: 0)
        name = try row.text(at: 1)
        textChecksum = try row.integer(at: 2)
        appliedAt = try row.integer(at: 3)
        checksum = try row.integer(at: 4)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(number)
        sealer.add(name)
        sealer.add(textChecksum)
        sealer.add(appliedAt)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, number)
        try statement.bind(2, name)
        try statement.bind(3, textChecksum)
        try statement.bind(4, appliedAt)
        try statement.bind(5, checksum)
    }
}

/// A configuration that sessions remember.
package struct ConfigurationRow: StoredRow {
    package static let table = StoreTable.configuration

    package var id: Int64
    package var epoch: Int64
    package var role: String
    package var name: String?
    package var sceneClass: String?
    package var delegateClass: String?
    package var storyboard: String?
    package var immersionStyle: String?
    package var resolution: Int64
    package var openSessions: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, role: String, name: String? = nil, sceneClass: String? = nil,
        delegateClass: String? = nil, storyboard: String? = nil, immersionStyle: String? = nil,
        resolution: Int64, openSessions: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.role = role
        self.name = name
        self.sceneClass = sceneClass
        self.delegateClass = delegateClass
        self.storyboard = storyboard
        self.immersionStyle = immersionStyle
        self.resolution = resolution
        self.openSessions = openSessions
        self.checksum = checksum
    }
}

extension ConfigurationRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
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

    package func feed(_ sealer: RowSealer) {
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

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
package struct ConditionsRow: StoredRow {
    package static let table = StoreTable.conditions

    package var id: Int64
    package var epoch: Int64
    package var contentHash: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, contentHash: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.contentHash = contentHash
        self.checksum = checksum
    }
}

extension ConditionsRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        contentHash = try row.integer(at: 2)
        checksum = try row.integer(at: 3)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(contentHash)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, contentHash)
        try statement.bind(4, checksum)
    }
}

/// What states were saved under.
package struct SaveContextRow: StoredRow {
    package static let table = StoreTable.saveContext

    package var id: Int64
    package var epoch: Int64
    package var appVersion: String?
    package var systemVersion: String?
    package var idiom: String?
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, appVersion: String? = nil, systemVersion: String? = nil,
        idiom: String? = nil, checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.appVersion = appVersion
        self.systemVersion = systemVersion
        self.idiom = idiom
        self.checksum = checksum
    }
}

extension SaveContextRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        appVersion = try row.optionalText(at: 2)
        systemVersion = try row.optionalText(at: 3)
        idiom = try row.optionalText(at: 4)
        checksum = try row.integer(at: 5)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(appVersion)
        sealer.add(systemVersion)
        sealer.add(idiom)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, appVersion)
        try statement.bind(4, systemVersion)
        try statement.bind(5, idiom)
        try statement.bind(6, checksum)
    }
}
