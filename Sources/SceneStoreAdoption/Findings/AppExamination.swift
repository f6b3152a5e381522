/// Looks for everything that breaks in one app.
struct AppExamination {
    let app: AppModel
    let entry: AppEntry
    /// Where the app begins.
    let home: SourcePlace
    let judge: PayloadJudge
    let delegateMentions: DelegateMentions
    /// The application delegate's class and all that it inherits from.
    let delegateTypes: Set<Int32>
    /// The same of the scene delegates.
    let sceneTypes: Set<Int32>
    /// Where a window is given its scene.
    let sceneNames: Occurrences
    /// Where something is stored.
    let storing: Occurrences
    /// Where a window is asked for.
    let sceneRequests: Occurrences
    /// Whether some code hands the application delegate a scene's window; nil before it is known.
    var setsDelegateWindow: Bool?
    /// Where the application delegate asks its own window after the launch; nil before it is known.
    var ownWindows: Set<SourcePlace>?
    /// How a name of windows is used, by file: many windows may have one name.
    var windowUses: [Int: [Int32: (show: Bool, handOn: Bool)]] = [:]
    private var findings: [Finding] = []
    /// Codes and places of the findings: one code says one thing of one place.
    private var known: Set<String> = []
    private var questions: [OpenQuestion] = []
    /// Whether there are more findings or questions than are made.
    private(set) var isCut = false

    init(_ app: AppModel, _ entry: AppEntry, at home: SourcePlace) {
        self.app = app
        self.entry = entry
        self.home = home
        judge = PayloadJudge(app)
        delegateMentions = DelegateMentions(app)
        delegateTypes = Set(app.delegate.map(app.table.lineage) ?? [])
        sceneTypes = Set(app.sceneDelegates.flatMap(app.table.lineage))
        func occurrences(of words: some Sequence<Int32>) -> Occurrences {
            Occurrences(of: Set(words), app.sources, files: app.files)
        }
        sceneNames = occurrences(
            of: [Word.windowScene, .setWindowScene, .initWithWindowScene].map(\.id))
        storing = occurrences(of: Self.storingWords.compactMap(app.sources.symbols.known))
        sceneRequests = occurrences(of: [Word.requestSceneSessionActivation.id])
    }

    var table: TypeTable { app.table }

    func report() -> AppReport {
        var examination = self
        return examination.examine()
    }

    private mutating func examine() -> AppReport {
        let place = home
        let token =
            app.sources.files[place.file].tokens.indices.contains(place.token)
            ? app.sources.files[place.file].tokens[place.token] : nil
        let isSwiftUI = app.swiftUIApp != nil
        let answers = isSwiftUI ? SwiftUIJudge(app: app, judge: judge).answers() : judge.answers()
        if isSwiftUI {
            examinePayloads(answers)
            examineMissingOptions()
            examineMethods()
        } else {
            examineManifest()
            examinePayloads(answers)
            examineMissingOptions()
            askOfLaunchEscapes()
            askOfSuperclass(answers)
            askOfCarPlay()
            askOfPlugIns()
            examineMethods()
            examineWindows()
            examineLaunchWindow()
            examineState()
        }
        findings.sort {
            ($0.code.rawValue, $0.path, $0.line, $0.column)
                < ($1.code.rawValue, $1.path, $1.line, $1.column)
        }
        let all = findings.count
        let deadMethods = Set(findings.lazy.filter { $0.code == .deadMethod }.map(\.subject))
        leaveOutIgnored()
        return AppReport(
            name: name,
            path: app.sources.files[place.file].path, line: Int(token?.line ?? 1),
            target: entry.target?.name, foundBy: entry.foundBy, lifeCycle: lifeCycle,
            manifestPath: app.manifest.path,
            sceneDelegates: app.sceneDelegates.map(app.sources.text), answers: answers,
            findings: findings, questions: questions,
            ways: isSwiftUI ? [] : LaunchWay.all(app, answers, deadMethods: deadMethods),
            isCut: isCut, leftOut: all - findings.count)
    }

    /// The application delegate's class, or SwiftUI's app.
    private var name: String {
        let tokens = app.sources.files[home.file].tokens
        let token = tokens.indices.contains(home.token) ? tokens[home.token] : nil
        return app.delegate.map(app.sources.text)
            ?? (app.swiftUIApp != nil ? token.map { app.sources.text($0.symbol) } : nil)
            ?? app.sceneDelegates.first.map(app.sources.text) ?? ""
    }

    private var appName: String { entry.target?.name ?? name }

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
        let file = app.sources.files[place.file]
        let token = file.tokens.indices.contains(place.token) ? file.tokens[place.token] : nil
        add(
            Finding(
                code: code, app: appName, path: file.path, line: Int(token?.line ?? 1),
                column: Int(token?.column ?? 1), subject: subject, message: message, why: why,
                fix: fix))
    }

    mutating func reportManifest(
        _ code: FindingCode, _ path: String, line: Int, _ subject: String, _ message: String,
        why: String, fix: String
    ) {
        add(
            Finding(
                code: code, app: appName, path: path, line: line, column: 1, subject: subject,
                message: message,
                why: why, fix: fix))
    }

    private mutating func add(_ finding: Finding) {
        let key = "\(finding.code.rawValue) \(finding.path) \(finding.line) \(finding.column)"
        guard !known.contains(key) else {
            return
        }
        guard findings.count < AppReport.maximumFindings else {
            isCut = true
            return
        }
        known.insert(key)
        findings.append(finding)
    }

    mutating func ask(_ message: String, at place: SourcePlace?) {
        guard questions.count < AppReport.maximumFindings else {
            isCut = true
            return
        }
        let place = place ?? home
        let file = app.sources.files[place.file]
        let token = file.tokens.indices.contains(place.token) ? file.tokens[place.token] : nil
        questions.append(
            OpenQuestion(
                app: appName, path: file.path, line: Int(token?.line ?? 1), message: message))
    }

    /// What a class that the application delegate extends does is asked, if no answer rests on it.
    private mutating func askOfSuperclass(_ answers: [PayloadAnswer]) {
        guard let delegate = app.delegate,
            let parent = table.unknownSuperclass(of: delegate, app.sources.symbols),
            parent != delegate, !isFlutters
        else {
            return
        }
        let name = app.sources.text(parent)
        guard !questions.contains(where: { $0.message.contains(name) }) else {
            return
        }
        ask(
            "\(name), which the application delegate extends, is not among the sources: which "
                + "payloads it takes, and whether it does with scenes", at: nil)
    }

    /// A car display may connect first, and then there is no window scene.
    private mutating func askOfCarPlay() {
        let roles = app.manifest.manifest?.configurations ?? [:]
        guard roles.keys.contains(where: { $0.rawValue.hasPrefix("CPTemplateApplication") }),
            let scene = app.sceneDelegates.first,
            let connect = table.implementation(of: .willConnect, in: scene)
        else {
            return
        }
        ask(
            "CarPlay can start the app without a window scene: whether it needs what "
                + "\(Callback.willConnect.title) sets up", at: table.functions[connect.index].place)
    }

    /// Plug-ins that know only the application delegate may get nothing with scenes (L-95).
    private mutating func askOfPlugIns() {
        for gap in PlugIns(app: app).gaps {
            ask(gap.message, at: gap.place)
        }
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
        app.sources.files[place.file].functions(around: place.token)
    }

    /// Removes the findings that a comment ignores.
    private mutating func leaveOutIgnored() {
        var codes: [String: [Int: Set<String>]] = [:]
        for file in app.files.map({ app.sources.files[$0] }) {
            for ignore in file.ignores {
                for line in ignore.isAlone ? [ignore.line, ignore.line + 1] : [ignore.line] {
                    codes[file.path, default: [:]][line, default: []].formUnion(ignore.codes)
                }
            }
        }
        findings.removeAll { finding in
            finding.path == app.manifest.path
                ? app.manifest.ignored.contains(finding.code.rawValue)
                : codes[finding.path]?[finding.line]?.contains(finding.code.rawValue) == true
        }
    }
}
