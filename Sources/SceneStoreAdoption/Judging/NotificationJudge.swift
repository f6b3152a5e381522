/// Judges whether the app gets what the user does with a notification.
struct NotificationJudge {
    let app: AppModel

    private var table: TypeTable { app.table }

    /// The delegate of the notification centre, which is asked with and without scenes.
    func handler(cold: Bool) -> Verdict {
        let responses = table.implementations(of: .response).filter(app.flow.bodies.isMeaningful)
        if let response = responses.first {
            let place = table.functions[response].place
            let title = Callback.response.title
            switch registration {
            case .early:
                return Verdict(truth: .yes, reason: "\(title) takes it", place: place)
            case .late where !cold:
                return Verdict(truth: .yes, reason: "\(title) takes it", place: place)
            case .late(let late):
                return Verdict(
                    truth: .unknown,
                    reason: "the notification centre's delegate may be set after the launch",
                    place: late)
            case .none:
                return Verdict(
                    truth: .unknown,
                    reason: "the command can't see who sets the notification centre's delegate",
                    place: place)
            }
        }
        if case .early(let asked) = registration {
            guard let asked else {
                return Verdict(
                    truth: .yes, reason: "the notification centre's delegate is still called")
            }
            if let idle = table.implementation(of: .response, in: asked) {
                return Verdict(
                    truth: .no, reason: "\(Callback.response.title) does nothing with it",
                    place: table.functions[idle.index].place)
            }
            // Without that method the old ones are called.
        }
        guard let delegate = app.delegate else {
            return Verdict(
                truth: .unknown, reason: "there is no application delegate among the sources")
        }
        if let found = table.implementation(of: .remoteNotification, in: delegate),
            app.flow.bodies.isMeaningful(found.index)
        {
            return Verdict(
                truth: .yes, reason: "\(Callback.remoteNotification.title) takes it",
                place: table.functions[found.index].place)
        }
        if !cold, let found = table.implementation(of: .oldRemoteNotification, in: delegate),
            app.flow.bodies.isMeaningful(found.index)
        {
            return Verdict(
                truth: .yes, reason: "\(Callback.oldRemoteNotification.title) takes it",
                place: table.functions[found.index].place)
        }
        if !cold, let parent = table.unknownSuperclass(of: delegate, app.sources.symbols) {
            return Verdict(
                truth: .unknown, reason: "\(app.sources.text(parent)) is not among the sources",
                place: table.types[delegate]?.place)
        }
        return Verdict(truth: .no, reason: "nothing takes a notification's response")
    }

    /// Whether the application delegate has the old handler of remote notifications.
    var hasOldHandler: Bool {
        app.delegate.flatMap { table.implementation(of: .oldRemoteNotification, in: $0) }
            .map { app.flow.bodies.isMeaningful($0.index) } ?? false
    }

    private enum Registration {
        /// While the app is launched; with the delegate's class if all of it is to be seen.
        case early(Int32?)
        case late(SourcePlace)
        case none
    }

    /// When the notification centre gets its delegate.
    private var registration: Registration {
        var late: SourcePlace?
        let launch = launchFunctions
        for (index, placed) in table.functions.enumerated() {
            guard let body = placed.function.body,
                app.sources.files[placed.file].mentions(.UNUserNotificationCenter),
                let place = delegateAssignment(placed.file, body)
            else {
                continue
            }
            if launch.contains(index) {
                return .early(visibleDelegate(place, of: placed))
            }
            late = late ?? SourcePlace(file: placed.file, token: place)
        }
        return late.map { .late($0) } ?? .none
    }

    /// The class of `self` where it is made the delegate, if no superclass of it is unknown.
    private func visibleDelegate(_ place: Int, of placed: PlacedFunction) -> Int32? {
        let tokens = app.sources.files[placed.file].tokens
        let value = place + 2
        let owner = table.canonical(placed.function.owner)
        guard value < tokens.count, tokens[value].isWord(.self_),
            value + 1 >= tokens.count || !tokens[value + 1].isMark("."),
            table.types[owner]?.kind == .class_,
            table.unknownSuperclass(of: owner, app.sources.symbols) == nil
        else {
            return nil
        }
        return owner
    }

    private func delegateAssignment(_ file: Int, _ body: Range<Int>) -> Int? {
        let tokens = app.sources.files[file].tokens
        let range = body.clamped(to: tokens.indices)
        // Without the class beside it, the name has to be all of the class's.
        let isNear = range.contains { tokens[$0].isWord(.UNUserNotificationCenter) }
        return range.first { index in
            if tokens[index].isWord(.setDelegate) {
                return index > 0 && isCenter(tokens, index - 1, isNear)
            }
            return tokens[index].isWord(.delegate) && index + 1 < tokens.count
                && tokens[index + 1].isMark("=") && index > 1 && tokens[index - 1].isMark(".")
                && isCenter(tokens, index - 2, isNear)
        }
    }

    /// Whether an expression that ends at a token is the notification centre.
    private func isCenter(_ tokens: [Token], _ end: Int, _ isNear: Bool) -> Bool {
        var index = end
        while index > 0, tokens[index].isMark("?") || tokens[index].isMark("!") {
            index -= 1
        }
        if tokens[index].closes, tokens[index].match > 0 {
            // `UNUserNotificationCenter.current()`, `[UNUserNotificationCenter …]`
            let open = Int(tokens[index].match)
            return (max(open - 3, 0)..<index).contains {
                tokens[$0].isWord(.UNUserNotificationCenter)
            }
        }
        let name = app.sources.text(tokens[index].symbol).lowercased()
        guard isNear else {
            return name.hasSuffix("notificationcenter") || name.hasSuffix("notificationcentre")
        }
        return name.contains("center") || name.contains("centre") || name.contains("notification")
    }

    /// The functions that run while the app is launched, as far as calls tell.
    private var launchFunctions: Set<Int> {
        var starts =
            app.delegate.map { delegate in
                [Callback.willFinishLaunching, .didFinishLaunching].compactMap {
                    table.implementation(of: $0, in: delegate)?.index
                } + table.lineage(of: delegate).flatMap(made)
            } ?? []
        if let place = app.swiftUIApp,
            let type = app.sources.files[place.file].declarations.types.first(where: {
                $0.place == place.token
            })
        {
            starts += made(type.name)
        }
        return Self.reachable(from: starts, app)
    }

    /// What runs when an object of a type is made.
    private func made(_ type: Int32) -> [Int] {
        (table.types[type]?.functions ?? []).filter {
            table.functions[$0].function.base == Word.init_.id
                || table.functions[$0].function.isAccessor
        }
    }

    /// Functions that functions call, and those that these call, and so on. A name that many
    /// functions have is followed where `self` or nobody gets the call.
    static func reachable(from starts: [Int], _ app: AppModel) -> Set<Int> {
        let table = app.table
        var found: Set<Int> = []
        var pending = starts
        while let index = pending.popLast() {
            guard found.insert(index).inserted, let body = table.functions[index].function.body
            else {
                continue
            }
            let file = table.functions[index].file
            let tokens = app.sources.files[file].tokens
            let owner = table.functions[index].function.owner
            var seen: Set<Int32> = []
            for place in body.clamped(to: tokens.indices) where tokens[place].kind == .word {
                let name = tokens[place].symbol
                guard seen.insert(name).inserted else {
                    continue
                }
                let candidates =
                    (table.functionsByBase[name] ?? [])
                    + (table.types[name]?.functions ?? []).filter {
                        table.functions[$0].function.base == Word.init_.id
                            || table.functions[$0].function.isAccessor
                    }
                if candidates.count <= 8 {
                    pending += candidates
                } else {
                    pending += candidates.filter { table.functions[$0].function.owner == owner }
                }
            }
        }
        return found
    }
}
