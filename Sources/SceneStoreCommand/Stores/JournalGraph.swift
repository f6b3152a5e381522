import SceneStore

/// Sessions as vertical lines beside the entries, as version control draws branches.
///
///     ○      created
///     ● │    something happened to the first
///     │ ●    and to the second
///     ╵ │    the first is gone
struct JournalGraph {
    /// Lines side by side; more sessions at a time share the last place, marked `+`.
    private static let maximumLanes = 12

    private var lastUse: [String: Int] = [:]
    private var lanes: [String?] = []
    private var isWide: Set<String> = []
    private var index = 0

    /// Looks ahead for the last entry of each session, where its line ends.
    init(_ entries: [JournalEntry]) {
        for (index, entry) in entries.enumerated() {
            if let identifier = entry.event.sessionIdentifier?.rawValue {
                lastUse[identifier] = index
            }
        }
    }

    /// The lines beside the next entry.
    mutating func next(_ entry: JournalEntry) -> String {
        defer { index += 1 }
        guard let identifier = entry.event.sessionIdentifier?.rawValue else {
            return draw(nil, "")
        }
        let isFirst = !lanes.contains(identifier) && !isWide.contains(identifier)
        if isFirst {
            take(identifier)
        }
        let ends = [.discard, .forget].contains(entry.event.kind) && !entry.isDecision
        let mark = entry.event.kind == .create ? "○" : ends ? "╵" : entry.isDecision ? "◇" : "●"
        let text = draw(identifier, mark)
        if ends || lastUse[identifier] == index {
            if let lane = lanes.firstIndex(of: identifier) {
                lanes[lane] = nil
            }
            isWide.remove(identifier)
            while lanes.last == .some(nil) {
                lanes.removeLast()
            }
        }
        return text
    }

    private mutating func take(_ identifier: String) {
        if let free = lanes.firstIndex(of: nil) {
            lanes[free] = identifier
        } else if lanes.count < Self.maximumLanes {
            lanes.append(identifier)
        } else {
            isWide.insert(identifier)
        }
    }

    private func draw(_ identifier: String?, _ mark: String) -> String {
        var places = lanes.map { lane in
            lane == nil ? " " : lane == identifier ? mark : "│"
        }
        if !isWide.isEmpty {
            places.append(identifier.map(isWide.contains) == true ? mark : "+")
        }
        let text = places.joined(separator: " ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
