import SceneStore

extension ScenarioStep {
    /// Where a window is.
    package struct PlacementStep: Hashable, Sendable {
        /// The session.
        package var session: SessionReference
        /// `x=`, `y=`, `width=`, `height=`, `display=`, `state=`, `workspace=`.
        package var placement: ScenePlacement
        /// `moved`: whether the user moved it there; else the toolkit reports it.
        package var isMoved: Bool

        init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
            isMoved = arguments.flag("moved")
            session = try arguments.session()
            placement = ScenePlacement(
                x: try Self.optionalNumber("x", arguments),
                y: try Self.optionalNumber("y", arguments),
                width: try Self.number("width", arguments),
                height: try Self.number("height", arguments),
                display: try arguments.filledText("display"),
                workspace: try arguments.filledText("workspace"))
            placement.windowState =
                try arguments.choice(
                    "state",
                    [
                        "normal": .normal, "minimized": .minimized, "maximized": .maximized,
                        "full-screen": .fullScreen,
                    ]) ?? .normal
        }

        private static func number(
            _ name: String, _ arguments: ScenarioArguments
        ) throws(ScenarioStepError) -> Double {
            guard let value = try optionalNumber(name, arguments) else {
                throw arguments.missing("width= and height=")
            }
            return value
        }

        /// A coordinate that a toolkit may not know.
        private static func optionalNumber(
            _ name: String, _ arguments: ScenarioArguments
        ) throws(ScenarioStepError) -> Double? {
            guard let option = arguments.option(name) else {
                return nil
            }
            guard let value = Double(option.value), value.isFinite else {
                throw ScenarioStepError(
                    column: option.column, message: "'\(name)=' is a number")
            }
            return value
        }
    }

    /// Reads `privacy=`.
    static func privacy(
        _ arguments: ScenarioArguments
    ) throws(ScenarioStepError) -> PrivacyClass {
        try arguments.choice(
            "privacy", ["standard": .standard, "redacted": .redacted, "ephemeral": .ephemeral])
            ?? .standard
    }

    /// A window for a value.
    package struct OpenValueStep: Hashable, Sendable {
        /// The session whose window asks; nil is the app.
        package var session: SessionReference?
        /// The value, a text.
        package var value: String
        /// `as=`: its name in the scenario; nil is the next letter.
        package var name: SessionReference?
        /// `privacy=`: who may see what a new window holds.
        package var privacy: PrivacyClass

        init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
            privacy = try ScenarioStep.privacy(arguments)
            let word = try arguments.anyWord("a value")
            if let second = arguments.nextWord() {
                session = try ScenarioArguments.reference(word.text, column: word.column)
                value = second.text
            } else {
                value = word.text
            }
            if let option = arguments.option("as") {
                name = try ScenarioArguments.reference(option.value, column: option.column)
            }
        }
    }

    /// A window with unsaved work.
    package struct UnsavedStep: Hashable, Sendable {
        /// The sessions.
        package var session: SessionSelection
        /// `close`, `keep`, `later`: what it answers when it is asked whether it may close; nil with
        /// `none`: it has no unsaved work any more.
        package var answer: ClosingAnswer?

        init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
            session = try arguments.selection()
            guard !arguments.flag("none") else {
                return
            }
            answer = try Self.answer(&arguments)
        }

        static func answer(
            _ arguments: inout ScenarioArguments
        ) throws(ScenarioStepError) -> ClosingAnswer {
            let word = try arguments.anyWord("close, keep or later")
            return try ScenarioArguments.choice(
                word.text, column: word.column,
                ["close": .close, "keep": .keep, "later": .later], of: "an answer")
        }
    }

    /// How many payloads are kept.
    package struct WaitingExpectation: Hashable, Sendable {
        /// Those that wait until the app acknowledges them.
        package var waiting: Int
        /// `aside=`: those that are set aside.
        package var aside: Int

        init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
            let word = try arguments.requiredWord("a number of payloads")
            waiting = try Self.count(word.text, word.column)
            aside =
                try arguments.option("aside").map { option throws(ScenarioStepError) in
                    try Self.count(option.value, option.column)
                } ?? 0
        }

        private static func count(
            _ text: String, _ column: Int
        ) throws(ScenarioStepError) -> Int {
            guard let count = Int(text), count >= 0 else {
                throw ScenarioStepError(
                    column: column, message: "a number of payloads is 0 or more")
            }
            return count
        }
    }
}
