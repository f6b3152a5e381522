/// A judgement with what it rests on.
struct Verdict {
    var truth: Truth
    var reason: String
    var place: SourcePlace?
    /// Whether one of several scene delegates takes it, so that the app means to.
    var isTakenByOne = false

    /// One judgement of several scene delegates, any of which may get a payload; nil without one.
    static func agree(_ delegates: [(name: String, verdict: Verdict)]) -> Verdict? {
        guard let first = delegates.first?.verdict else {
            return nil
        }
        guard delegates.contains(where: { $0.verdict.truth != first.truth }),
            let lacking = delegates.first(where: { $0.verdict.truth == .no })
                ?? delegates.first(where: { $0.verdict.truth == .unknown })
        else {
            return first
        }
        return Verdict(
            truth: .unknown,
            reason: "\(lacking.name) may get it instead of another scene delegate: "
                + lacking.verdict.reason, place: lacking.verdict.place,
            isTakenByOne: delegates.contains { $0.verdict.truth == .yes })
    }
}
