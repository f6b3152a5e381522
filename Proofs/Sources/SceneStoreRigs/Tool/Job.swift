/// One piece of a rig: a word for what it is, and numbers. Its text is the command that runs it.
struct Job: Hashable {
    private var names: [String] = []
    private var numbers: [String: UInt64] = [:]

    init(_ kind: RigKind, seed: UInt64) {
        rig = kind
        self["seed"] = seed
    }

    var rig: RigKind

    /// Reads the words of a command line; nil when they are no job.
    init?(_ words: some Collection<String>) {
        guard let first = words.first, let kind = RigKind(rawValue: first) else {
            return nil
        }
        rig = kind
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let number = UInt64(parts[1]) else {
                return nil
            }
            self[String(parts[0])] = number
        }
    }

    /// A number; 0 when it was not given.
    subscript(name: String) -> UInt64 {
        get { numbers[name] ?? 0 }
        set {
            if numbers.updateValue(newValue, forKey: name) == nil {
                names.append(name)
            }
        }
    }

    /// A number, or nil when it was not given.
    func optional(_ name: String) -> UInt64? { numbers[name] }

    /// A number as an index.
    func int(_ name: String) -> Int { Int(clamping: self[name]) }

    var seed: UInt64 { self["seed"] }

    /// The same job with one more number.
    func with(_ name: String, _ number: UInt64) -> Job {
        var job = self
        job[name] = number
        return job
    }

    var words: [String] {
        [rig.rawValue] + names.map { "\($0)=\(self[$0])" }
    }

    /// The command that does it again.
    var command: String { "Scripts/rigs.sh --job " + words.joined(separator: " ") }
}
