extension CommandContext {
    /// Asks before something is lost. The question names the loss: "Discard 3 sessions, 2 with
    /// state, newest 2 min old?"
    ///
    /// `--yes` answers beforehand. On a terminal the person is asked, and everything but `y` or
    /// `yes` is no (exit 1). Elsewhere nobody can be asked, and the command ends with 7.
    func confirm(
        _ question: TerminalText, _ invocation: Invocation, losesWayBack: Bool? = nil
    ) throws {
        let isFinal =
            losesWayBack
            ?? (invocation.declares("no-backup") && invocation.flag("no-backup"))
        let question: TerminalText = isFinal ? "\(question) This can't be undone." : question
        if invocation.flag("yes") {
            return
        }
        guard terminal.isInputTerminal, terminal.isErrorTerminal else {
            throw CommandError(
                .needsConfirmation, "not done without --yes: \(question.plain)",
                hint: ExitStatus.needsConfirmation.hint)
        }
        try output.flush()
        try errorOutput.write(
            verbatim: question.rendered(colored: errorOutput.isColored) + " [y/N] ")
        try errorOutput.flush()
        let answer = try readLine()
        try checkInterruption()
        guard let answer, ["y", "yes"].contains(answer.lowercased()) else {
            throw CommandError(.answeredNo, "nothing was changed")
        }
    }
}
