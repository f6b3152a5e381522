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

    /// A finding that a file keeps; nil when it is none.
    package init?(_ json: CanonicalJSON) {
        guard let code = json["code"]?.stringValue, let message = json["message"]?.stringValue,
            let word = json["severity"]?.stringValue,
            let severity = [Severity.note, .warning, .error].first(where: { $0.word == word })
        else {
            return nil
        }
        self.init(
            Code(code), severity, message, path: json["path"]?.stringValue,
            fix: json["fix"]?.stringValue,
            sessionIdentifier: (json["session"]?.stringValue).map { SceneSession.ID($0) })
    }
}
