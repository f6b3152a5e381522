import SceneStore

extension TranscriptLine {
    /// The line as one JSON object without a line feed, with sorted keys.
    ///
    /// The bytes are the same on every run and machine. Every line has `launch`, `line` and `name`.
    /// Callbacks have `call`, `seq` and `session`, and depending on their name:
    ///
    /// - `config`: `role` and `configuration`;
    /// - `connect`: `configuration`, `delegate`, `restored`, `reason`, `activity` and `payload`;
    /// - `discard`: `sessions` and `causes`;
    /// - `continue`, `url`, `shortcut` and `response`: `payload`;
    /// - `restore`: `activity`.
    ///
    /// A key without a value is null, not absent.
    public var json: String {
        canonicalJSON.text
    }

    /// The line as a JSON value.
    package var canonicalJSON: CanonicalJSON {
        var members: [CanonicalJSON.Object.Member] = [
            ("launch", .integer(Int64(launch))), ("line", .integer(Int64(line))),
        ]
        switch event {
        case .launch(let reason):
            members.append(("name", "launch"))
            members.append(("reason", .string(reason.rawValue)))
        case .callback(let callback):
            members += callback.members
        case .diagnostic(let diagnostic):
            members.append(("name", "diagnostic"))
            members.append(("code", .string(diagnostic.code)))
            members.append(("message", .string(diagnostic.message)))
            members.append(("session", .text(diagnostic.session)))
        case .exit(let how):
            members.append(("name", "exit"))
            members.append(("how", .string(how.rawValue)))
        }
        return .object(CanonicalJSON.Object(members))
    }
}

extension TranscriptCallback {
    fileprivate var members: [CanonicalJSON.Object.Member] {
        let common: [CanonicalJSON.Object.Member] = [
            ("name", .string(name.rawValue)), ("call", .string(name.swiftName(in: profile))),
            ("seq", .integer(Int64(sequence))), ("session", .text(session)),
        ]
        return common + arguments
    }

    private var arguments: [CanonicalJSON.Object.Member] {
        switch name {
        case .config:
            [("role", .text(role?.rawValue)), ("configuration", .text(configuration))]
        case .connect:
            [
                ("configuration", .text(configuration)), ("delegate", .text(delegate)),
                ("restored", .boolean(isRestored)), ("reason", .text(reason?.rawValue)),
                ("activity", .text(activity)), ("payload", payload?.canonicalJSON ?? .null),
            ]
        case .discard:
            [
                ("sessions", .array(causes.keys.sorted().map { .string($0) })),
                (
                    "causes",
                    .object(
                        CanonicalJSON.Object(
                            causes.map { ($0.key, .string($0.value.rawValue)) }))
                ),
            ]
        case .continue, .url, .shortcut, .response:
            [("payload", payload?.canonicalJSON ?? .null)]
        case .restore: [("activity", .text(activity))]
        default: []
        }
    }
}

extension CanonicalJSON {
    /// Text, or null.
    fileprivate static func text(_ text: String?) -> CanonicalJSON {
        text.map { .string($0) } ?? .null
    }
}
