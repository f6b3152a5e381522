extension Diagnostic {
    /// The finding for programs, and as a file keeps it.
    package var json: CanonicalJSON {
        func text(_ text: String?) -> CanonicalJSON { text.map { .string($0) } ?? .null }
        return [
            "code": .string(code.rawValue), "fix": text(fix), "message": .string(message),
            "path": text(path), "session": text(sessionIdentifier?.rawValue),
            "severity": .string(severity.word),
        ]
    }

    /// A finding that a file keeps: what ``json`` writes, for the system's reader.
    package struct Kept: Decodable {
        private let code: String
        private let fix: String?
        private let message: String
        private let path: String?
        private let session: String?
        private let severity: String

        /// The finding; nil of a severity that has no meaning here.
        package var diagnostic: Diagnostic? {
            guard
                let severity = [Severity.note, .warning, .error].first(where: {
                    $0.word == severity
                })
            else {
                return nil
            }
            return Diagnostic(
                Code(code), severity, message, path: path, fix: fix,
                sessionIdentifier: session.map { SceneSession.ID($0) })
        }
    }
}
