import SceneStore

extension TranscriptLine {
    /// Returns the line for people, with a line feed at the end and safe for a terminal.
    ///
    /// A launch is a heading, every other line is indented, and the reasons follow below it if you
    /// ask for them. A heading that follows another launch has an empty line in front.
    public func text(explaining: Bool = false) -> String {
        var text: String
        switch event {
        case .launch(let reason):
            text = (launch > 1 ? "\n" : "") + "launch \(launch): \(reason.rawValue)\n"
        case .callback(let callback):
            text = Self.row(callback.name.rawValue, callback.session, callback.summary)
        case .diagnostic(let diagnostic):
            text = Self.row("diagnostic", diagnostic.session, diagnostic.summary)
        case .exit(let how):
            text = Self.row("exit", nil, how.rawValue)
        }
        if explaining {
            for reason in reasons {
                text += "      because \(TextEscaping.terminal(reason))\n"
            }
        }
        return text
    }

    /// A line in three columns: name, session, the rest.
    private static func row(_ name: String, _ session: String?, _ rest: String) -> String {
        var text = "  " + padded(name, 13)
        if !rest.isEmpty || session != nil {
            text += padded(TextEscaping.terminal(session ?? ""), 3) + rest
        }
        while text.utf8.last == UInt8(ascii: " ") {
            text.removeLast()
        }
        return text + "\n"
    }

    /// A cell, with at least one blank behind it.
    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension TranscriptCallback {
    /// What is worth reading beside name and session.
    fileprivate var summary: String {
        switch name {
        case .config:
            return "\(Self.plain(role?.rawValue)) -> \(Self.quoted(configuration))"
        case .connect: return connectSummary
        case .discard:
            return causes.keys.sorted().map {
                "\(TextEscaping.terminal($0)) (\(causes[$0]?.rawValue ?? ""))"
            }.joined(separator: ", ")
        case .restore: return Self.plain(activity)
        default: return payload?.summary ?? ""
        }
    }

    private var connectSummary: String {
        var parts = [Self.quoted(configuration)]
        if let delegate {
            parts.append("delegate \(TextEscaping.terminal(delegate))")
        }
        switch (isRestored, activity) {
        case (true, let activity?): parts.append("restored \(TextEscaping.terminal(activity))")
        case (true, nil): parts.append("restored")
        case (false, let activity?):
            parts.append("not restored, though it has \(TextEscaping.terminal(activity))")
        case (false, nil): break
        }
        if let reason {
            parts.append("reason \(reason.rawValue)")
        }
        if let payload, !payload.isEmpty {
            parts.append("with \(payload.summary)")
        }
        return parts.joined(separator: ", ")
    }

    private static func quoted(_ name: String?) -> String {
        name.map { "\"\(TextEscaping.terminal($0))\"" } ?? "no name"
    }

    private static func plain(_ text: String?) -> String {
        text.map { TextEscaping.terminal($0) } ?? "none"
    }
}

extension TranscriptDiagnostic {
    fileprivate var summary: String {
        "\(TextEscaping.terminal(code)): \(TextEscaping.terminal(message))"
    }
}
