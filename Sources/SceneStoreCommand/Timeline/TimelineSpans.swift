/// How sessions were between what happened to them, in the columns of a model: remembered, connected
/// or in front, band by band.
struct TimelineSpans {
    private typealias Kind = TimelineModel.Span.Kind

    private let bands: [TimelineModel.Band]
    private(set) var spans: [TimelineModel.Span] = []

    init(_ story: StoreStory, bands: [TimelineModel.Band], lanes: [TimelineModel.Lane]) {
        self.bands = bands
        var turnsOf: [Int: [StoryTurn]] = [:]
        for turn in story.turns {
            turnsOf[turn.session, default: []].append(turn)
        }
        for (lane, content) in lanes.enumerated() {
            guard !content.isProcess else {
                // The process itself ran through each of its launches.
                for band in bands.indices where !bands[band].launches.isEmpty {
                    add(lane, band, 0, end(band), Kind.connected)
                }
                continue
            }
            guard let session = content.sessions.first, !content.isShared else {
                for band in bands.indices where !content.sessions.isEmpty {
                    add(lane, band, 0, end(band), Kind.remembered)
                }
                continue
            }
            addSpans(lane, story.sessions[session], turnsOf[session] ?? [], story)
        }
    }

    private mutating func addSpans(
        _ lane: Int, _ session: StorySession, _ turns: [StoryTurn], _ story: StoreStory
    ) {
        var phase = StoryTurn.Phase.away
        var next = turns.startIndex
        for (index, band) in bands.enumerated() {
            let orders = range(of: band, story)
            // Its turns within the band; those before it say how it comes in.
            var inside: [StoryTurn] = []
            while next < turns.endIndex, orders.map({ turns[next].order <= $0.upperBound }) ?? false
            {
                if let orders, turns[next].order >= orders.lowerBound {
                    inside.append(turns[next])
                } else {
                    phase = turns[next].phase
                }
                next += 1
            }
            guard let orders, session.birth <= orders.upperBound,
                session.death.map({ $0 >= orders.lowerBound }) ?? true
            else {
                phase = inside.last?.phase ?? phase
                continue
            }
            let from = session.birth >= orders.lowerBound ? place(session.birth, index) : 0
            var to = end(index)
            if let death = session.death, orders.contains(death) {
                to = place(death, index)
            }
            add(lane, index, from, to, Kind.remembered)
            guard band.isSingle else {
                if phase != .away || inside.contains(where: { $0.phase != .away }) {
                    add(lane, index, from, to, Kind.connected)
                }
                phase = inside.last?.phase ?? phase
                continue
            }
            var start = from
            for turn in inside {
                let here = min(max(place(turn.order, index), from), to)
                add(lane, index, start, here, phase)
                start = here
                phase = turn.phase
            }
            add(lane, index, start, to, phase)
        }
    }

    private mutating func add(
        _ lane: Int, _ band: Int, _ from: Int, _ to: Int, _ phase: StoryTurn.Phase
    ) {
        switch phase {
        case .away: break
        case .connected: add(lane, band, from, to, Kind.connected)
        case .front: add(lane, band, from, to, Kind.front)
        }
    }

    private mutating func add(
        _ lane: Int, _ band: Int, _ from: Int, _ to: Int, _ kind: Kind
    ) {
        guard to > from else {
            return
        }
        if let last = spans.last, last.lane == lane, last.band == band, last.kind == kind,
            last.to == from
        {
            spans[spans.count - 1].to = to
        } else {
            spans.append(TimelineModel.Span(lane: lane, band: band, from: from, to: to, kind: kind))
        }
    }

    private func range(of band: TimelineModel.Band, _ story: StoreStory) -> ClosedRange<Int>? {
        let orders = story.launches[band.launches].compactMap(\.orders)
        guard let first = orders.map(\.lowerBound).min(), let last = orders.map(\.upperBound).max()
        else {
            return nil
        }
        return first...last
    }

    private func end(_ band: Int) -> Int {
        bands[band].columns.count + 1
    }

    /// The place of an entry: its column, or the last one before it.
    private func place(_ order: Int, _ band: Int) -> Int {
        (bands[band].columns.lastIndex { $0.orders.lowerBound <= order } ?? -1) + 1
    }
}
