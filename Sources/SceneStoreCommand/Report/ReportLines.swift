import SceneStore
import SceneStoreExchange

/// What the page shows, for programs: a JSON value a line, each with its `kind`.
struct ReportLines {
    let story: StoreStory

    var all: [CanonicalJSON] {
        var lines: [CanonicalJSON] = [store]
        if let outlook = story.outlook {
            lines += outlook.windows.map(window)
            lines += outlook.findings.map(finding)
        }
        lines += story.launches.map(launch)
        lines += story.sessions.indices.map(session)
        return lines
    }

    private var store: CanonicalJSON {
        [
            "kind": "store", "app": .text(story.appIdentifier), "time": .time(story.now),
            "counts": .object(
                CanonicalJSON.Object(
                    [
                        ("open", .count(story.outlook?.openCount ?? 0)),
                        ("reconnects", .count(story.outlook?.connectedCount ?? 0)),
                        ("launches", .count(story.launches.count)),
                        ("sessions", .count(story.sessions.count)),
                        ("entries", .count(story.entryCount)),
                    ]
                        + CanonicalJSON.obstacles(
                            story.outlook?.obstacles ?? [:],
                            earlier: story.outlook?.earlierStates ?? 0,
                            lost: story.outlook?.lostStates ?? 0))),
        ]
    }

    /// What the next launch does with a window.
    private func window(_ window: StoryOutlook.Window) -> CanonicalJSON {
        [
            "kind": "window", "session": .string(window.identifier),
            "title": .text(window.title), "outcome": .string(window.outcome),
            "reconnects": .boolean(window.isConnected),
            "reason": .string(window.plannedReason),
            "restoration": .string(window.restoration),
            "restorationReason": .string(window.restorationReason),
        ]
    }

    private func finding(_ finding: StoryOutlook.Finding) -> CanonicalJSON {
        [
            "kind": "finding", "code": .string(finding.code),
            "severity": .string(finding.mark.rawValue),
            "message": .string(finding.message), "fix": .text(finding.fix),
        ]
    }

    private func launch(_ launch: StoryLaunch) -> CanonicalJSON {
        [
            "kind": "launch", "launch": .integer(launch.number),
            "reason": .string(launch.reason.rawValue), "started": .time(launch.startedAt),
            "ended": .time(launch.endedAt), "ending": .text(launch.ending.word),
            "appVersion": .text(launch.appVersion),
            "expected": launch.expected.map { .count($0) } ?? .null,
            "restoredSessions": .count(launch.restored),
        ]
    }

    private func session(_ index: Int) -> CanonicalJSON {
        let session = story.sessions[index]
        return [
            "kind": "session", "session": .string(session.identifier),
            "title": .text(session.title), "configuration": .text(session.configuration),
            "activity": .text(session.activityType), "state": .string(session.status.rawValue),
            "created": .time(session.createdAt), "lastActive": .time(session.lastActiveAt),
            "states": .count(session.states.count),
            "bytes": session.bytes.map { .count($0) } ?? .null,
        ]
    }
}
