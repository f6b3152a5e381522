extension StoreStory {
    /// The part of the story that happened in one launch: its marks, its turns, and the sessions
    /// that took part.
    func only(launch index: Int) -> StoreStory {
        let launch = launches[index]
        var part = self
        part.launches = [launch]
        let ofLaunch = marks.filter { $0.launch == launch.number }
        let turnsOfLaunch = turns.filter { $0.launch == launch.number }
        let taking = Set(ofLaunch.compactMap(\.session) + turnsOfLaunch.map(\.session)).sorted()
        var numbers: [Int: Int] = [:]
        for (new, old) in taking.enumerated() {
            numbers[old] = new
        }
        part.sessions = taking.map { sessions[$0] }
        part.marks = ofLaunch.map { mark in
            var moved = mark
            moved.session = mark.session.flatMap { numbers[$0] }
            return moved
        }
        part.turns = turnsOfLaunch.compactMap { turn in
            numbers[turn.session].map { number in
                var moved = turn
                moved.session = number
                return moved
            }
        }
        return part
    }

    /// The name of each lane of a model.
    func names(of model: TimelineModel) -> [String] {
        model.lanes.map { lane in
            if lane.isProcess {
                return "Process"
            }
            guard let session = lane.sessions.first, lane.sessions.count == 1 else {
                return NumberText.counted(lane.sessions.count, "other")
            }
            return sessions.indices.contains(session) ? sessions[session].name : ""
        }
    }

    /// Which version of the app ran from which launch on.
    var appVersions: [String] {
        var last: String?
        return launches.compactMap { launch in
            guard let version = launch.appVersion, version != last else {
                return nil
            }
            last = version
            return "app \(version) from launch \(launch.number)"
        }
    }

    /// When each band of a model began.
    func starts(of model: TimelineModel) -> [Int64?] {
        model.bands.map { $0.launches.first.map { launches[$0].startedAt } }
    }
}

extension StoreStory {
    /// Forgets all but the newest launches, and the sessions that have no part in them.
    mutating func keep(newest count: Int) {
        launches.removeFirst(max(launches.count - count, 0))
        let numbers = Set(launches.map(\.number))
        marks.removeAll { !numbers.contains($0.launch) }
        turns.removeAll { !numbers.contains($0.launch) }
        let taking = Set(marks.compactMap(\.session) + turns.map(\.session))
        let first = launches.compactMap(\.orders?.lowerBound).min() ?? 0
        let kept = sessions.indices.filter { index in
            let isThere = sessions[index].death.map { $0 >= first } ?? true
            return taking.contains(index) || isThere && sessions[index].status != .forgotten
        }
        var places: [Int: Int] = [:]
        for (new, old) in kept.enumerated() {
            places[old] = new
        }
        sessions = kept.map { sessions[$0] }
        for index in marks.indices {
            marks[index].session = marks[index].session.flatMap { places[$0] }
        }
        turns = turns.compactMap { turn in
            places[turn.session].map { place in
                var moved = turn
                moved.session = place
                return moved
            }
        }
    }
}
