import SceneStore
import SceneStoreTesting

/// Writes that are refused take nothing away: their cause is told once, and who is promised a save
/// hears that it is held in memory (L-17, L-31).
struct RefusalLedger {
    /// Whether the app hears what a call that promises a save could not save.
    private var hearsFailures = false
    private var isRefusing = false
    /// How often the process that runs told of the refusal. A sync that failed is a cause of its own.
    private var told = (disk: 0, sync: 0)
    private var findings: [String] = []
    private static let causes: Set<String> = [
        "diskFull", "readOnlyVolume", "ioError", "moved", "missing",
    ]

    mutating func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    mutating func begin(_ choices: HistoryChoices) {
        hearsFailures = choices.hearsFailures
    }

    /// Takes in what a step did; `saved` are the sessions that answered with a state that is not
    /// stored.
    mutating func count(_ outcome: StepOutcome, _ before: Before, saved: [String]) {
        let wasRefusing = isRefusing
        switch outcome.words.first {
        case "fail": isRefusing = true
        case "recover": isRefusing = false
        default: break
        }
        if outcome.isLaunch || !isRefusing || !wasRefusing {
            told = (0, 0)
        }
        guard isRefusing || wasRefusing else {
            return
        }
        // What the system or a tool writes while no app holds it is refused; so is a quit. A launch
        // without a store goes on in memory, and says so (S-14).
        let isPromised = hearsFailures && outcome.words.first == "background"
        let allowed =
            !outcome.wasRunning && (!outcome.isLaunch || !before.hasStore) || isPromised
            || ["quit", "force-quit"].contains(outcome.words.first)
        let refused = outcome.diagnostics.filter(Self.causes.contains)
        for code in refused where !allowed {
            findings.append("'\(outcome.text)' failed because writes are refused: \(code)")
        }
        guard isRefusing, wasRefusing, outcome.isRunning else {
            return
        }
        told.disk += outcome.refusals.disk
        told.sync += outcome.refusals.sync
        if max(told.disk, told.sync) > 1 {
            findings.append("that writes are refused was told \(told.disk + told.sync) times")
        }
        guard let name = saved.first else {
            return
        }
        if told == (0, 0), before.hasStore {
            findings.append("the state of \(name) is held in memory, and nobody was told")
        }
        if isPromised, refused.isEmpty {
            findings.append(
                "'\(outcome.text)' promises to save \(name), which is held in memory, and the "
                    + "host was not told")
        }
    }
}
