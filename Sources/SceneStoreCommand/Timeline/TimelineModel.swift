import SceneStore

/// The sessions as lanes and the launches as bands, before anything has a place: what a picture,
/// a terminal and a table show, bounded whatever the store holds.
///
/// 1. Every mark of the story is counted in exactly one cell, so the sums of cells, bands and
///    lanes agree.
/// 2. There are at most so many bands, lanes and columns as the limits say. Older launches then
///    share bands, less recent sessions the last lane, and moments of a launch columns.
struct TimelineModel: Sendable {
    struct Limits: Sendable {
        var bands = 48
        var lanes = 32
        /// Columns of all bands together, and of one.
        var columns = 320
        var columnsOfBand = 12
        /// Whether stretches are wanted, and not only marks.
        var hasSpans = true
        /// Whether a scene that comes forward or goes back takes a column of its own.
        var hasTurnColumns = false
    }

    /// One launch, or several that share a band.
    struct Band: Sendable {
        /// Places in the story's launches; empty for what belongs to no launch that is known.
        var launches: Range<Int>
        /// The numbers, as people count.
        var first: Int64
        var last: Int64
        var columns: [Column] = []
        /// All that happened in it.
        var counts = MarkCounts()

        var isSingle: Bool { first == last }
    }

    /// A moment, or several that share a place.
    struct Column: Sendable {
        var orders: ClosedRange<Int>
        var times: ClosedRange<Int64>
    }

    /// A session, or those that share the last lane.
    struct Lane: Sendable {
        /// Numbers in the story; empty for the process.
        var sessions: [Int]
        var isProcess = false
        var isShared: Bool { sessions.count != 1 && !isProcess }
        var counts = MarkCounts()
    }

    /// What happened at one place.
    struct Cell: Sendable {
        var lane: Int
        var band: Int
        var column: Int
        var counts: MarkCounts
        var time: Int64
        /// Of the first of its marks that has one.
        var note: String
    }

    /// How a session was over a stretch of a band; 0 is its left edge, n column n - 1, and one
    /// more than there are columns its right edge.
    struct Span: Sendable {
        enum Kind: Int, Sendable {
            /// It was remembered, and not connected.
            case remembered
            case connected
            case front
        }

        var lane: Int
        var band: Int
        var from: Int
        var to: Int
        var kind: Kind
    }

    private(set) var bands: [Band] = []
    private(set) var lanes: [Lane] = []
    private(set) var cells: [Cell] = []
    private(set) var spans: [Span] = []
    /// Sessions that share the last lane.
    private(set) var sharedSessions = 0
    /// Launches that share bands.
    private(set) var sharedLaunches = 0
    /// Bands whose moments share columns.
    private(set) var crowdedBands = 0

    init(_ story: StoreStory, limits: Limits = Limits()) {
        makeBands(story, limits)
        makeLanes(story, limits)
        place(story, limits)
        if limits.hasSpans {
            spans = TimelineSpans(story, bands: bands, lanes: lanes).spans
        }
    }

    // MARK: - Bands

    private mutating func makeBands(_ story: StoreStory, _ limits: Limits) {
        let count = story.launches.count
        var ranges: [Range<Int>] = []
        if count <= max(limits.bands, 1) {
            ranges = (0..<count).map { $0..<($0 + 1) }
        } else {
            // A third of the bands for all that is old, the rest for one launch each.
            let old = max(limits.bands / 3, 1)
            let single = max(limits.bands - old, 0)
            let older = count - single
            ranges = (0..<old).map { (older * $0 / old)..<(older * ($0 + 1) / old) }
            ranges += (older..<count).map { $0..<($0 + 1) }
            ranges.removeAll { $0.isEmpty }
            sharedLaunches = older
        }
        bands = ranges.map { range in
            Band(
                launches: range, first: story.launches[range.lowerBound].number,
                last: story.launches[range.upperBound - 1].number)
        }
        // Entries before the first launch that is known, or without any launch.
        let known = Set(story.launches.map(\.number))
        if story.marks.contains(where: { !known.contains($0.launch) }) {
            bands.insert(Band(launches: 0..<0, first: 0, last: 0), at: 0)
        }
    }

    /// The band of each launch's number.
    private func bandNumbers(_ story: StoreStory) -> [Int64: Int] {
        var numbers: [Int64: Int] = [:]
        for (index, band) in bands.enumerated() {
            for launch in story.launches[band.launches] {
                numbers[launch.number] = index
            }
        }
        return numbers
    }

    // MARK: - Lanes

    private mutating func makeLanes(_ story: StoreStory, _ limits: Limits) {
        lanes = [Lane(sessions: [], isProcess: true)]
        var shown = Array(story.sessions.indices)
        if shown.count > limits.lanes {
            // Those of which the last is known, the open ones first.
            shown.sort { left, right in
                let (a, b) = (story.sessions[left], story.sessions[right])
                if a.lastOrder != b.lastOrder {
                    return a.lastOrder > b.lastOrder
                }
                return (a.lastActiveAt ?? 0, right) > (b.lastActiveAt ?? 0, left)
            }
            let rest = Array(shown[(limits.lanes - 1)...])
            shown = Array(shown[..<(limits.lanes - 1)])
            sharedSessions = rest.count
            lanes += inOrder(shown, story).map { Lane(sessions: [$0]) }
            lanes.append(Lane(sessions: rest))
        } else {
            lanes += inOrder(shown, story).map { Lane(sessions: [$0]) }
        }
    }

    private func inOrder(_ numbers: [Int], _ story: StoreStory) -> [Int] {
        numbers.sorted { left, right in
            let (a, b) = (story.sessions[left], story.sessions[right])
            return (a.birth, a.createdAt ?? 0, left) < (b.birth, b.createdAt ?? 0, right)
        }
    }

    /// The lane of each session's number.
    var laneNumbers: [Int: Int] {
        var numbers: [Int: Int] = [:]
        for (index, lane) in lanes.enumerated() {
            for session in lane.sessions {
                numbers[session] = index
            }
        }
        return numbers
    }

    // MARK: - Cells

    private mutating func place(_ story: StoreStory, _ limits: Limits) {
        let bandNumbers = bandNumbers(story)
        let laneNumbers = laneNumbers
        var ofBand = [[StoryMark]](repeating: [], count: bands.count)
        for mark in story.marks {
            let band = bandNumbers[mark.launch] ?? 0
            guard ofBand.indices.contains(band) else {
                continue
            }
            ofBand[band].append(mark)
        }
        let share = limits.columns / max(bands.count, 1)
        let most = max(1, min(limits.columnsOfBand, max(share, 3)))
        var turns = [[Moment]](repeating: [], count: bands.count)
        for turn in limits.hasTurnColumns ? story.turns : [] {
            if let band = bandNumbers[turn.launch] {
                turns[band].append(Moment(order: turn.order, time: turn.time))
            }
        }
        for (band, marks) in ofBand.enumerated() {
            let moments =
                turns[band] + marks.map { Moment(order: $0.order, time: $0.time, mark: $0) }
            var columns = Self.columns(
                moments.enumerated().sorted {
                    ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
                }.map(\.element), laneNumbers)
            if columns.count > most {
                crowdedBands += 1
                columns = (0..<most).map { index in
                    let range =
                        (columns.count * index / most)..<(columns.count * (index + 1) / most)
                    return Array(columns[range].joined())
                }
            }
            addCells(columns, band, laneNumbers)
        }
    }

    /// A mark, or only its time.
    private struct Moment {
        var order: Int
        var time: Int64
        var mark: StoryMark?
    }

    /// Marks of one time stand in one column, unless two of a lane would.
    private static func columns(
        _ moments: [Moment], _ laneNumbers: [Int: Int]
    ) -> [[Moment]] {
        var columns: [[Moment]] = []
        var taken: [Int: MarkKind] = [:]
        for moment in moments {
            var isClash = false
            let lane = moment.mark?.session.flatMap { laneNumbers[$0] } ?? 0
            if let mark = moment.mark {
                isClash = taken[lane].map { $0 != mark.kind } ?? false
            }
            if let last = columns.last?.last, last.time == moment.time, !isClash {
                columns[columns.count - 1].append(moment)
            } else {
                columns.append([moment])
                taken.removeAll(keepingCapacity: true)
            }
            if let mark = moment.mark {
                taken[lane] = mark.kind
            }
        }
        return columns
    }

    private mutating func addCells(
        _ columns: [[Moment]], _ band: Int, _ laneNumbers: [Int: Int]
    ) {
        for (column, moments) in columns.enumerated() {
            let orders = moments.map(\.order)
            let times = moments.map(\.time)
            let least = orders.min() ?? 0
            let earliest = times.min() ?? 0
            bands[band].columns.append(
                Column(
                    orders: least...max(orders.max() ?? 0, least),
                    times: earliest...max(times.max() ?? 0, earliest)))
            var places: [Int: Int] = [:]
            for mark in moments.compactMap(\.mark) {
                let lane = mark.session.flatMap { laneNumbers[$0] } ?? 0
                bands[band].counts.add(mark.kind)
                lanes[lane].counts.add(mark.kind)
                if let place = places[lane] {
                    cells[place].counts.add(mark.kind)
                    if cells[place].note.isEmpty {
                        cells[place].note = mark.note
                    }
                } else {
                    places[lane] = cells.count
                    var counts = MarkCounts()
                    counts.add(mark.kind)
                    cells.append(
                        Cell(
                            lane: lane, band: band, column: column, counts: counts,
                            time: mark.time, note: mark.note))
                }
            }
        }
    }
}
