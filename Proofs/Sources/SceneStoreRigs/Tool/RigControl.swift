/// A piece of a rig that does something wrong on purpose, and what the rig must say of it.
///
/// A rig that doesn't notice its control proves nothing, so that is a violation.
struct RigControl: Equatable {
    /// The number in the job.
    var number: UInt64
    /// What is done wrong.
    var flaw: String
    /// A part of the text with which the rig must notice it. Any other finding is a violation.
    var text: String

    static let key = "control"
}

/// What a piece of a rig finds: violations, or in a control the proof that the rig can see.
struct RigFindings {
    let control: RigControl?
    let report: JobReport
    private(set) var noticed: UInt64 = 0

    init(_ control: RigControl?, _ report: JobReport) {
        self.control = control
        self.report = report
    }

    mutating func add(_ text: String, replay job: Job) {
        guard let control, text.contains(control.text) else {
            return report.violation(text, replay: job)
        }
        noticed += 1
    }

    /// Counts a control that failed, as it must.
    func finish(_ job: Job) {
        guard let control else {
            return
        }
        guard noticed > 0 else {
            return report.violation(
                "the control \"\(control.flaw)\" finds nothing wrong: the rig is blind",
                replay: job)
        }
        report.count("controls that fail, as they must")
    }
}

extension Job {
    /// The control that the job is, of those that a rig has.
    func control(of controls: [RigControl]) -> RigControl? {
        optional(RigControl.key).flatMap { number in controls.first { $0.number == number } }
    }

    func with(_ control: RigControl) -> Job {
        with(RigControl.key, control.number)
    }
}
