import SceneStore
import SceneStoreEngine
import SceneStoreInstance

/// Windows that are asked whether they may close, and processes that find one running.
extension ScenarioPlayer {
    /// What a window with unsaved work answers; nil when it has none.
    func closingAnswer(_ identifier: SceneSession.ID) -> ClosingAnswer? {
        guard !isDead else {
            return nil
        }
        return state.name(of: identifier).flatMap { state.unsaved[$0] }
            .flatMap { ClosingAnswer(rawValue: $0) }
    }

    /// The user of a window has decided: it is asked no more.
    func answer(
        _ reference: ScenarioStep.SessionReference, _ answer: ClosingAnswer
    ) throws {
        let identifier = try identifier(reference)
        let application = try running()
        if answer == .close {
            state.unsaved[reference.name] = nil
        }
        attempt(identifier) { () throws(SceneStoreError) in
            try application.answerClosing(answer, of: identifier)
        }
        noteEnd(of: application)
    }

    /// A step may have ended the process: closing the last window does (L-39).
    func noteEnd(of application: SceneApplication?) {
        if let application, application.hasEnded, device.isRunning {
            device.noteQuit()
            noteEnd()
        }
    }

    /// The app is started once more: one that runs is handed what the new process brings, or comes
    /// forward (L-77).
    func start(_ payloads: [Payload]) throws {
        guard let application = device.application else {
            try launch(payloads)
            return
        }
        let desk = ForwardedReception(application)
        let forwarded = payloads.enumerated().map {
            ForwardedPayload($1, name: "\(state.step).\($0)")
        }
        unanswered = forwarded
        handedOver = (state.step, forwarded)
        if let gate = device.gate {
            return start(forwarded, through: gate)
        }
        var answers = 0
        let told = { [self] (delivery: ForwardedDelivery) in
            answers += 1
            if answers == forwarded.count {
                unanswered = []
            }
            if let error = delivery.error {
                report(error)
            }
        }
        creating {
            guard !forwarded.isEmpty else {
                desk.bringForward(nil, decided: told)
                return
            }
            for payload in forwarded {
                desk.receive(payload, decided: told)
            }
        }
    }

    private func start(_ forwarded: [ForwardedPayload], through gate: any ProcessGate) {
        var options = device.openingOptions(.owner)
        options.ownerTimeout = 0
        creating {
            attempt { () throws(SceneStoreError) in
                let answers: [SceneStoreError?]?
                do throws(SceneStoreError) {
                    answers = try gate.handOver(forwarded, options: options)
                } catch {
                    // Whoever asked was told why, and is gone.
                    unanswered = []
                    throw error
                }
                guard let answers else {
                    return
                }
                unanswered = []
                answers.compactMap(\.self).forEach { report($0) }
            }
        }
    }

    /// The next launch is that of the process that got no answer: it brings what the one that died
    /// may have seen.
    package func launchesUnanswered() {
        device.forwarded = unanswered.map {
            ForwardedPayload($0.payload, name: $0.name, mayHaveBeenSeen: true)
        }
    }
}
