/// The command line.
struct RigOptions {
    var isLong = false
    var seed: UInt64 = 1
    var width = 2
    var rigs: [RigKind] = []
    var showsHelp = false

    static let help = """
        USAGE: SceneStoreRigs [quick | long] [RIG]... [--seed N] [--jobs N]

        quick        what every CI run does (the default)
        long         the rounds that the contract asks for
        RIG          these alone, of:
        \(RigKind.allCases.map { "               \($0.rawValue)  \($0.title)" }
            .joined(separator: "\n"))
        --seed N     what all random numbers are drawn from; 1
        --jobs N     processes side by side; 2
        --job WORD=NUMBER...
                     one piece of a rig again, as a violation prints it

        Exits with 1 when a promise was broken.
        """

    /// Why a command line is none.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    init(_ words: [String]) throws {
        var rest = words[...]
        func number<Number: FixedWidthInteger>(_ option: String) throws -> Number {
            guard let word = rest.popFirst(), let number = Number(word) else {
                throw Refusal(description: "\(option) needs a number")
            }
            return number
        }
        while let word = rest.popFirst() {
            switch word {
            case "quick": isLong = false
            case "long": isLong = true
            case "--seed": seed = try number(word)
            case "--jobs": width = max(1, min(try number(word), 64))
            case "--help", "-h": showsHelp = true
            default:
                guard let kind = RigKind(rawValue: word) else {
                    throw Refusal(description: "unknown argument \(word); see --help")
                }
                rigs.append(kind)
            }
        }
        if rigs.isEmpty {
            rigs = RigKind.allCases
        }
    }
}
