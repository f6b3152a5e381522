/// A judgement with what it rests on.
struct Verdict {
    var truth: Truth
    var reason: String
    var place: SourcePlace?

    /// One judgement of two scene delegates.
    static func agree(_ left: Verdict, _ right: Verdict) -> Verdict {
        if left.truth == right.truth {
            return left
        }
        return Verdict(
            truth: .unknown, reason: "the scene delegates differ", place: right.place)
    }
}
