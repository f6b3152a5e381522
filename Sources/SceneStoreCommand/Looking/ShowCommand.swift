import SceneStore
import SceneStoreExchange

enum ShowCommand {
    /// `show SESSION`.
    static let command = Command(
        CommandDescription(
            name: "show", group: .look,
            summary: "Show everything about one session",
            discussion: """
                Shows its configuration, userInfo, saved activity as a tree, scene storage, \
                activation conditions, placement and history, and whether the next launch connects \
                it. A window that is marked 'ephemeral' is private: its title, text and state are \
                never stored.

                A key path such as activity.userInfo.tabs[3] or storage["a.b"] shows one value; \
                'scenestore show SESSION --json' shows all key paths. If JSON has no type for a \
                value, the value is an object with one key: $date, $data (Base64), $url, $uuid, \
                $set.
                """,
            arguments: [
                ArgumentDescription(
                    "SESSION", .session,
                    "A title or a part of one, an identifier or its beginning, @last or @foreground"
                )
            ],
            options: [
                .value("key", "PATH", .dynamic("keys"), "Only the value at this key path"),
                .flag(
                    "raw",
                    "Print the value's own bytes; without --key the saved state as CBOR"),
                .json,
            ],
            examples: [
                ExampleDescription("show @last", "The session that was active last"),
                ExampleDescription(
                    "show 3F2A --key activity.userInfo.document", "One value of its state"),
                ExampleDescription(
                    "show @last --raw > state.cbor", "The stored state"),
            ])
    ) { invocation, context in
        let word = try invocation.requiredArgument("SESSION")
        return try context.withStore(invocation) { store in
            let record = try context.session(word, in: store)
            if let path = invocation.text("key") {
                let details = try SessionDetails(record, in: store)
                return try showValue(at: path, of: details, invocation, context)
            }
            if invocation.flag("raw") {
                guard let activity = try store.restorationActivity(key: record.key) else {
                    throw CommandError(.answeredNo, "the session has no saved state")
                }
                try context.writeBytes(try ValueCodec.encode(activity))
                return .done
            }
            let details = try SessionDetails(record, in: store)
            if invocation.format == .json {
                try context.output.json(CanonicalJSON(stored: details.fields))
            } else {
                try SessionPage(details, context, at: context.storePath(invocation)).write()
            }
            return .done
        }
    }

    private static func showValue(
        at path: String, of details: SessionDetails, _ invocation: Invocation,
        _ context: CommandContext
    ) throws -> ExitStatus {
        guard let keyPath = KeyPath(path) else {
            throw CommandError.usage(
                "\(path.quotedForError) is not a key path",
                hint: "write it as activity.userInfo.tabs[3] or storage[\"a.b\"]")
        }
        switch keyPath.find(in: .dictionary(details.tree)) {
        case .success(let value):
            if invocation.format == .json {
                try context.output.json(CanonicalJSON(stored: value))
            } else if invocation.flag("raw") {
                try writeRaw(value, context)
            } else {
                var tree = ValueTree(width: context.terminal.width)
                tree.add(path, value)
                for line in tree.lines {
                    try context.output.line(line)
                }
            }
            return .done
        case .failure(let missing):
            throw CommandError(
                .answeredNo, "the session has no value at \(path.quotedForError)",
                hint: missing.hint)
        }
    }

    /// A value's own bytes: text as it is with a line's end, data as it is, all else as JSON.
    private static func writeRaw(_ value: Value, _ context: CommandContext) throws {
        switch value {
        case .data(let data): try context.writeBytes(Array(data))
        case .string(let text) where !context.terminal.isOutputTerminal:
            try context.output.write(Array(text.utf8) + [0x0A])
        case .string(let text): try context.output.line("\(text)")
        case .url(let url): try context.output.line("\(url.absoluteString)")
        default: try context.output.json(CanonicalJSON(stored: value))
        }
    }
}

extension CommandContext {
    /// Writes bytes as they are, or as digits to a terminal, which must not be given them.
    func writeBytes(_ bytes: [UInt8]) throws {
        if terminal.isOutputTerminal {
            try output.line(TerminalText(verbatim: Hexadecimal.text(bytes)))
        } else {
            try output.write(bytes)
        }
    }
}

extension KeyPath.Missing {
    /// What there is instead.
    fileprivate var hint: String {
        switch value {
        case .dictionary(let values) where !values.isEmpty:
            "there is " + values.keys.prefix(8).joined(separator: ", ")
                + (values.count > 8 ? ", …" : "")
        case .array(let values) where !values.isEmpty:
            "the array has the places 0 to \(values.count - 1)"
        case .array, .dictionary: "there is nothing"
        default: "the value there has no parts"
        }
    }
}
