/// Looks for everything that breaks in one app.
struct AppExamination {
    let app: AppModel
    let entry: AppEntry
    let judge: PayloadJudge
    let delegateMentions: DelegateMentions
    /// Findings and questions beyond these are not made.
    static let maximumFindings = 5_000

    /// Whether some code hands the application delegate a scene's window; nil before it is known.
    var setsDelegateWindow: Bool?
    private var findings: [Finding] = []
    private var questions: [OpenQuestion] = []

    init(_ app: AppModel, _ entry: AppEntry) {
        self.app = app
        self.entry = entry
        judge = PayloadJudge(app)
        delegateMentions = DelegateMentions(app)
    }

    var table: TypeTable { app.table }

    func report() -> AppReport {
        var examination = self
        return examination.examine()
    }

    private mutating func examine() -> AppReport {
        let place = entry.place
        let token =
            app.sources.files[place.file].tokens.indices.contains(place.token)
            ? app.sources.files[place.file].tokens[place.token] : nil
        let isSwiftUI = app.swiftUIApp != nil
        let answers = isSwiftUI ? SwiftUIJudge(app: app, judge: judge).answers() : judge.answers()
        if isSwiftUI {
            examinePayloads(answers)
            examineMethods()
        } else {
            examineManifest()
            examinePayloads(answers)
            askOfLaunchEscapes()
            examineMethods()
            examineWindows()
            examineState()
        }
        var seen: Set<String> = []
        findings = findings.filter {
            seen.insert("\($0.code.rawValue) \($0.path) \($0.line) \($0.column)").inserted
        }
        findings.sort {
            ($0.code.rawValue, $0.path, $0.line, $0.column)
                < ($1.code.rawValue, $1.path, $1.line, $1.column)
        }
        let all = findings.count
        let deadMethods = Set(findings.lazy.filter { $0.code == .deadMethod }.map(\.subject))
        findings.removeAll(where: isIgnored)
        return AppReport(
            name: app.delegate.map(app.sources.text)
                ?? (isSwiftUI ? token.map { app.sources.text($0.symbol) } : nil)
                    ?? app.sceneDelegates.first.map(app.sources.text) ?? "",
            path: app.sources.files[place.file].path, line: Int(token?.line ?? 1),
            lifeCycle: lifeCycle, manifestPath: app.manifest.path,
            sceneDelegates: app.sceneDelegates.map(app.sources.text), answers: answers,
            findings: findings, questions: questions,
            ways: isSwiftUI ? [] : LaunchWay.all(app, answers, deadMethods: deadMethods),
            leftOut: all - findings.count)
    }

    private var lifeCycle: AppReport.LifeCycle {
        if app.swiftUIApp != nil {
            return .swiftUI
        }
        switch app.hasScenes {
        case .yes: return .scenes
        case .no: return .application
        case .unknown: return .unknown
        }
    }

    // MARK: - Findings

    mutating func report(
        _ code: FindingCode, at place: SourcePlace, _ subject: String, _ message: String,
        why: String, fix: String
    ) {
        guard findings.count < Self.maximumFindings else {
            return
        }
        let file = app.sources.files[place.file]
        let token = file.tokens.indices.contains(place.token) ? file.tokens[place.token] : nil
        findings.append(
            Finding(
                code: code, path: file.path, line: Int(token?.line ?? 1),
                column: Int(token?.column ?? 1), subject: subject, message: message, why: why,
                fix: fix))
    }

    mutating func reportManifest(
        _ code: FindingCode, _ path: String, line: Int, _ subject: String, _ message: String,
        why: String, fix: String
    ) {
        findings.append(
            Finding(
                code: code, path: path, line: line, column: 1, subject: subject, message: message,
                why: why, fix: fix))
    }

    /// Whether no more findings are made.
    var isFull: Bool { findings.count >= Self.maximumFindings }

    mutating func ask(_ message: String, at place: SourcePlace?) {
        guard questions.count < Self.maximumFindings else {
            return
        }
        let place = place ?? entry.place
        let file = app.sources.files[place.file]
        let token = file.tokens.indices.contains(place.token) ? file.tokens[place.token] : nil
        questions.append(
            OpenQuestion(path: file.path, line: Int(token?.line ?? 1), message: message))
    }

    /// The name of the method around a token, else of its type.
    func subject(_ place: SourcePlace) -> String {
        for function in functions(at: place) {
            return function.name
        }
        return ""
    }

    /// The functions whose body holds a token, the innermost first.
    func functions(at place: SourcePlace) -> [Function] {
        let declarations = app.sources.files[place.file].declarations
        // Without a copy of all functions: hostile sources have many, and many places.
        var found = declarations.functions.filter { $0.body?.contains(place.token) == true }
        for type in declarations.types {
            for function in type.functions where function.body?.contains(place.token) == true {
                found.append(function)
            }
        }
        return found.sorted { ($0.body?.count ?? 0) < ($1.body?.count ?? 0) }
    }

    private func isIgnored(_ finding: Finding) -> Bool {
        if finding.path == app.manifest.path {
            return app.manifest.ignored.contains(finding.code.rawValue)
        }
        guard let file = app.files.first(where: { app.sources.files[$0].path == finding.path })
        else {
            return false
        }
        return app.sources.files[file].ignores.contains { ignore in
            ignore.codes.contains(finding.code.rawValue)
                && (ignore.line == finding.line
                    || (ignore.isAlone && ignore.line + 1 == finding.line))
        }
    }
}
