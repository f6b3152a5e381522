/// Findings with the same cause. A page for people shows all of them, or of many the first.
struct CauseGroup<Finding> {
    let first: Finding
    private(set) var all: [Finding]

    var count: Int { all.count }
    var shown: ArraySlice<Finding> { all.count > Self.few ? all.prefix(5) : all[...] }
    /// How many are listed one by one.
    static var few: Int { 20 }

    /// The line below those that are shown; nil if they are all.
    ///
    /// - Parameter list: What lists all.
    func rest(listedBy list: String) -> TerminalText? {
        let more = all.count - shown.count
        return more == 0
            ? nil : "\("and \(NumberText.grouped(more)) more; \(list) lists all", .dim)"
    }

    /// Groups findings by a key; the groups are in the order of their first findings.
    static func groups<Key: Hashable>(
        of findings: [Finding], by key: (Finding) -> Key
    ) -> [CauseGroup] {
        var places: [Key: Int] = [:]
        var groups: [CauseGroup] = []
        for finding in findings {
            if let place = places[key(finding)] {
                groups[place].all.append(finding)
            } else {
                places[key(finding)] = groups.count
                groups.append(CauseGroup(first: finding, all: [finding]))
            }
        }
        return groups
    }
}
