import SceneStore
import SceneStoreExchange
import SceneStoreInstance
import SceneStoreLinks
import SceneStoreTesting

/// What is handed to the app that runs on the store, and what became of it (L-77).
struct LiveDelivery {
    /// What the help of each command that delivers explains.
    static let discussion =
        "Prints which window took it, through which callbacks and why. " + requirement
    /// What a running app needs, and the exit status without it.
    static let requirement = """
        The app listens if it was started by SceneApplication.start(at:forwarding:).

        The exit status is 1 if the app declines, 3 if no app runs, and 4 if the app doesn't \
        listen.
        """

    private let invocation: Invocation
    private let context: CommandContext

    init(_ invocation: Invocation, _ context: CommandContext) {
        self.invocation = invocation
        self.context = context
    }

    /// Hands a payload over; `text` is what `--launch` starts the app with.
    func deliver(_ payload: Payload, text: String? = nil) throws -> ExitStatus {
        let name = SceneEnvironment.system.makeIdentifier()
        return try ask(.deliver([ForwardedPayload(payload, name: name)]), text: text)
    }

    /// Brings a window forward; the one in front when none is named.
    func bringForward(_ session: SceneSession.ID?) throws -> ExitStatus {
        try ask(.bringForward(session))
    }

    private func ask(_ request: InstanceRequest, text: String? = nil) throws -> ExitStatus {
        let path = context.storePath(invocation)
        let receipts: [PayloadReceipt]?
        do throws(SceneStoreError) {
            receipts = try RunningInstance(at: .container(path: path)).ask(request)
        } catch {
            switch error.code {
            case .missing: receipts = nil
            case .owned: throw Self.notListening(error.ownerProcess)
            default: throw error
            }
        }
        if let receipt = receipts?.first {
            try write(receipt)
            return receipt.error == nil ? .done : .answeredNo
        }
        if let text, let command = invocation.text("launch") {
            return try launch(command, text)
        }
        throw CommandError(
            .noStore, "no app runs on the store",
            hint: invocation.declares("launch")
                ? "--launch COMMAND starts one with the link" : "start the app first")
    }

    /// The app opened the store by itself, and nobody can ask it for anything.
    private static func notListening(_ process: Int32?) -> CommandError {
        CommandError(
            .busy,
            "the app runs\(process.map { " as process \($0)" } ?? ""), but it doesn't listen",
            hint: "an app listens if it was started by SceneApplication.start(at:forwarding:)")
    }

    private func launch(_ command: String, _ text: String) throws -> ExitStatus {
        switch ChildProcess.start(command, argument: text) {
        case .exited(0): break
        case .notStarted:
            throw CommandError.usage("the system can't start a shell for --launch")
        case .exited(let status):
            throw CommandError(
                .answeredNo,
                "no app ran, and the command of --launch ended with status \(status); the link "
                    + "wasn't delivered")
        case .signaled(let signal):
            throw CommandError(
                .answeredNo,
                "no app ran, and signal \(signal) ended the command of --launch; the link "
                    + "wasn't delivered")
        }
        if invocation.format == .json {
            try context.output.json(json(isLaunched: true))
        } else {
            try context.output.labelled("Launched", "no app ran; \(command) was started")
        }
        return .done
    }

    // MARK: - What became of it

    /// Says to a program that a link was refused before anybody was asked.
    func write(_ refusal: LinkRefusal) throws -> ExitStatus {
        try context.output.json(
            json(error: refusal.reason.rawValue, reason: refusal.description))
        return .answeredNo
    }

    /// What became of it, for programs.
    private func json(
        _ callbacks: [CanonicalJSON] = [], isDelivered: Bool = false, isLaunched: Bool = false,
        error: String? = nil, reason: String? = nil, session: String? = nil
    ) -> CanonicalJSON {
        [
            "callbacks": .array(callbacks), "delivered": .boolean(isDelivered),
            "error": .text(error), "launched": .boolean(isLaunched), "reason": .text(reason),
            "session": .text(session),
        ]
    }

    /// A callback for programs.
    static func json(
        _ name: String, _ call: CallShortName?, session: String?, carriesPayload: Bool
    ) -> CanonicalJSON {
        [
            "call": .text(call?.swiftName(in: .scene)), "link": .boolean(carriesPayload),
            "name": .string(name), "session": .text(session),
        ]
    }

    private func write(_ receipt: PayloadReceipt) throws {
        if invocation.format == .json {
            let session = receipt.session?.rawValue
            let calls = receipt.callbacks.map { ($0, CallShortName(rawValue: $0)) }
            // Without a callback of its own the payload is in the options of the connection.
            let isTold = calls.contains { $0.1?.carriesPayload ?? false }
            let callbacks = calls.map { name, call in
                let isOfScene = call.map { !$0.isOfApplication } ?? false
                return Self.json(
                    name, call, session: isOfScene ? session : nil,
                    carriesPayload: isTold ? call?.carriesPayload ?? false : call == .connect)
            }
            try context.output.json(
                json(
                    callbacks, isDelivered: receipt.error == nil,
                    error: receipt.error?.code.rawValue,
                    reason: receipt.reasons.isEmpty
                        ? receipt.error?.message : receipt.reasons.joined(separator: "; "),
                    session: session))
            return
        }
        let output = context.output
        if let error = receipt.error {
            try output.labelled(
                "Delivered", "\("to nobody", .red), \(error.code.rawValue): \(error.message)")
        } else if let session = receipt.session {
            try output.labelled("Delivered", "to \(session.rawValue, .bold)")
        } else {
            try output.labelled("Delivered", "to the app, which named no window")
        }
        for (place, callback) in receipt.callbacks.enumerated() {
            let call = CallShortName(rawValue: callback)?.swiftName(in: .scene) ?? callback
            try output.labelled(place == 0 ? "Called" : "", "\(call)")
        }
        for (place, reason) in receipt.reasons.enumerated() {
            try output.labelled(place == 0 ? "Reason" : "", "\(reason)")
        }
    }
}

extension CallShortName {
    /// Whether it hands over what an app is given while it runs.
    fileprivate var carriesPayload: Bool {
        [.url, .continue, .shortcut, .response].contains(self)
    }
}
