import SceneStore
import SceneStoreEngine
import SceneStoreExchange

/// What an update to a manifest makes of the configurations that a store's sessions remember.
struct StaleConfigurations {
    let options: SceneApplicationOptions

    /// A configuration, and one of the fates of its sessions.
    private struct Group: Hashable {
        var key: Int64
        var fate: Fate
    }

    /// - Parameter advice: Makes a command line that is about the store.
    func findings(
        in store: SceneSessionStore, advice: (String) -> String
    ) throws -> [Diagnostic] {
        let plan = try LaunchPlan(reading: store, options: options)
        var groups: [Group: (record: SessionRecord, reason: String, count: Int)] = [:]
        for record in plan.records {
            let verdict = plan.outlook(for: record)
            let group = Group(key: record.configurationKey, fate: Fate(verdict))
            let count = groups[group]?.count ?? 0
            groups[group] = (record, verdict.reason, count + 1)
        }
        return groups.sorted {
            ($0.key.key, $0.key.fate.rawValue) < ($1.key.key, $1.key.fate.rawValue)
        }.compactMap { group, found in
            group.fate.finding(of: found.record, found.count, found.reason, advice)
        }
    }

    /// What becomes of a session.
    private enum Fate: Int {
        case current
        case renamed
        case stale
        case gone
        case tooMany

        init(_ verdict: LaunchPlan.Verdict) {
            if case .parked(let cause) = verdict.fate {
                self = cause == .noEntry ? .gone : .tooMany
            } else if verdict.isReconfigured {
                self = verdict.isStale ? .stale : .renamed
            } else {
                self = .current
            }
        }

        func finding(
            of record: SessionRecord, _ count: Int, _ reason: String, _ advice: (String) -> String
        ) -> Diagnostic? {
            let sessions = NumberText.counted(count, "session")
            let name = record.configuration.name ?? "without a name"
            let role = record.configuration.role.rawValue
            let path = "UIApplicationSceneManifest.UISceneConfigurations.\(role)"
            switch self {
            case .current: return nil
            case .renamed:
                return Diagnostic(
                    .renamedConfiguration, .note,
                    "\(sessions) of configuration \(name) would go on under its new name",
                    path: path)
            case .stale:
                return Diagnostic(
                    .staleConfiguration, .warning,
                    "\(sessions) of configuration \(name) would get the role's default, and "
                        + "\(count == 1 ? "its" : "their") state would not be restored", path: path,
                    fix: "keep an entry of that name, or name its successor in the rename map "
                        + "(--rename \(CommandContext.quoted(name)):NEW)")
            case .gone, .tooMany:
                return Diagnostic(
                    .cannotDisplay, .error,
                    "\(sessions) of configuration \(name) would be parked: \(reason)",
                    path: path,
                    fix: self == .gone
                        ? "keep a configuration for the role"
                        : "keep UIApplicationSupportsMultipleScenes if it was set; else "
                            + advice("reopen \(CommandContext.quoted(record.identifier))")
                            + " brings one back in the place of the other")
            }
        }
    }
}

extension Diagnostic.Code {
    /// Sessions that an update gives another configuration.
    fileprivate static let renamedConfiguration = Self("renamedConfiguration")
    /// Sessions that an update parks: kept with their state, and without a window.
    fileprivate static let cannotDisplay = Self("cannotDisplay")
}
