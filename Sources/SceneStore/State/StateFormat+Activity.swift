extension [StateFormat] {
    private func format(of activity: UserActivity) -> StateFormat? {
        isEmpty ? nil : first { $0.activityType == activity.activityType }
    }

    /// An activity with the version of its format, if it has one.
    func versioned(_ activity: UserActivity) -> UserActivity {
        guard let format = format(of: activity), activity.stateVersion != format.version else {
            return activity
        }
        var versioned = activity
        versioned.stateVersion = format.version
        return versioned
    }

    /// An activity as the app reads it today.
    func migrated(_ activity: consuming UserActivity) throws(SceneStoreError) -> UserActivity {
        guard let format = format(of: activity) else {
            return activity
        }
        var migrated = activity
        try migrated.migrateState(to: format.version, by: format.migrations)
        return migrated
    }
}
