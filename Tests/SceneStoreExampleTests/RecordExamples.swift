import SceneStore
import SceneStoreTesting
import Testing

/// What the reference shows of errors, diagnostics and what a store remembers.
@MainActor
@Suite("Examples of records")
struct RecordExamples: SampleExamples {
    let sample: Sample

    init() throws {
        sample = try Sample()
    }

    @Test("errors, diagnostics and decisions")
    func findings() throws {
        var alerts: [String] = []
        // example: SceneStoreError
        do {
            try application.pin(1, of: session.id)
        } catch {
            alerts.append(error.code == .noSuchState ? "There is nothing to pin." : error.message)
        }
        // end
        #expect(alerts == ["There is nothing to pin."])
        var log: [String] = []
        // example: Diagnostic
        application.diagnosticHandler = { diagnostic in
            if diagnostic.severity >= .warning, diagnostic.code != .sessionHeld {
                log.append(diagnostic.description)
            }
        }
        // end
        // example: DecisionRecord
        application.decisionHandler = { decision in
            if decision.kind == .target {
                log.append("\(decision.outcome): \(decision.reason)")
            }
        }
        // end
        try application.open([OpenURLContext(url: "notes://note/12")])
        #expect(log.count == 1)
    }

    @Test("what a launch made of the sessions")
    func launches() throws {
        // example: LaunchOutcome
        let counts = application.launchLedger.counts
        let missing = counts[.lost, default: 0] + counts[.withheld, default: 0]
        // end
        #expect(missing == 0)
        var report: [String] = []
        // example: LaunchLedger
        let ledger = application.launchLedger
        for entry in ledger.exceptions {
            report.append("\(entry.sessionIdentifier) is \(entry.outcome): \(entry.reason)")
        }
        // end
        #expect(report == [] && ledger.expected == 0)
        // example: ParkedCause
        let kept = try application.returnableWindows()
        let others = kept.filter { $0.cause == .parked(.oneWindow) }.flatMap(\.sessions)
        // end
        #expect(others == [])
    }

    @Test("the states of a session, and how many are kept")
    func history() throws {
        try application.setStateRestorationActivity(NoteText().userActivity(), for: session.id)
        // example: StateVersion
        let states = try application.history(of: session.id).filter { !$0.isWithheld }
        let bytes = states.reduce(0) { $0 + $1.byteCount }
        // end
        #expect(states.count == 1 && bytes > 0)
        // example: HistoryPolicy
        var options = SceneSessionStore.Options()
        options.history.recent = 50  // states
        options.history.days = 90
        // end
        #expect(options.history.hours == 24)
    }

    @Test("limits and durability")
    func limits() throws {
        // example: Limits
        var storeOptions = SceneSessionStore.Options()
        storeOptions.limits.sessionBytes = 1 << 20
        // end
        #expect(storeOptions.limits != Limits())
        // example: Durability
        application.options.durability = .normal  // a power cut may take the last saves
        try application.saveState(of: [session.id], durability: .full)  // but not this one
        // end
        #expect(application.options.durability == .normal)
    }
}
