/// An answer that is never a guess.
package enum Truth: String, Sendable, Hashable {
    case yes
    case no
    case unknown = "can't tell"

    static func && (left: Truth, right: Truth) -> Truth {
        if left == .no || right == .no {
            return .no
        }
        return left == .yes && right == .yes ? .yes : .unknown
    }

    static func || (left: Truth, right: Truth) -> Truth {
        !(!left && !right)
    }

    static prefix func ! (truth: Truth) -> Truth {
        switch truth {
        case .yes: .no
        case .no: .yes
        case .unknown: .unknown
        }
    }
}
