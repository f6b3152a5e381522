import SceneStoreValues

/// The tables, each with the number that goes into its rows' checksums.
package enum StoreTable: UInt64, CaseIterable, Sendable {
    case store = 1
    case migration = 2
    case configuration = 3
    case conditions = 4
    case session = 5
    case saveContext = 6
    case state = 7
    case sessionValue = 8
    case sceneStorage = 9
    case discard = 10
    case launch = 11
    case launchException = 12
    case event = 13
    case inbox = 14
    case savedActivity = 15
    case quarantinedRow = 16

    /// Those whose rows go into the digests, parents before children.
    package static let digested: [StoreTable] = [
        .configuration, .conditions, .session, .saveContext, .state, .sessionValue,
        .sceneStorage, .discard, .launch, .launchException, .event, .inbox, .savedActivity,
        .quarantinedRow,
    ]

    /// What its rows are.
    package var rowType: any StoredRow.Type {
        switch self {
        case .store: StoreRow.self
        case .migration: MigrationRow.self
        case .configuration: ConfigurationRow.self
        case .conditions: ConditionsRow.self
        case .session: SessionRow.self
        case .saveContext: SaveContextRow.self
        case .state: StateRow.self
        case .sessionValue: SessionValueRow.self
        case .sceneStorage: StorageRow.self
        case .discard: DiscardRow.self
        case .launch: LaunchRow.self
        case .launchException: LaunchExceptionRow.self
        case .event: EventRow.self
        case .inbox: InboxRow.self
        case .savedActivity: SavedActivityRow.self
        case .quarantinedRow: QuarantinedRow.self
        }
    }

    package var description: TableDescription { Self.descriptions[Int(rawValue)] }

    /// By their numbers, so that each row of a salvage finds its table's at once.
    private static let descriptions = ([store] + allCases).map { $0.rowType.description }

    /// The name in SQL.
    package var name: String { "\(description.name)" }
}
