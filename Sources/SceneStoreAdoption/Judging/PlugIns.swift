/// Finds plug-ins of Flutter and Cordova that get payloads without scenes alone (L-95).
///
/// `FlutterSceneDelegate` hands a payload to each plug-in's scene method, and to the old method of
/// those that don't conform to `FlutterSceneLifeCycleDelegate`
/// (`FlutterPluginAppLifeCycleDelegate.mm` of Flutter's engine). `CDVSceneDelegate` posts
/// `CDVPluginHandleOpenURLNotification`, at a launch before there are plug-ins
/// (https://github.com/apache/cordova-ios/issues/1671).
struct PlugIns {
    /// A question about what a plug-in gets.
    struct Gap {
        let message: String
        let place: SourcePlace
    }

    let app: AppModel

    private var table: TypeTable { app.table }

    private static let kinds: [(kind: PayloadKind, old: Callback, new: Callback)] = [
        (.url, .appOpen, .sceneOpen), (.activity, .appContinue, .sceneContinue),
        (.shortcut, .appShortcut, .sceneShortcut),
    ]
    private static let cordovaOpen = Callback("handleOpenURL(_:)", "handleOpenURL:")

    /// What plug-ins lose with the scene delegates that there are, in the order of their names.
    var gaps: [Gap] {
        let flutter = ["FlutterPlugin", "FlutterApplicationLifeCycleDelegate"]
        let frameworks = (flutter + ["CDVPlugin"]).compactMap(app.sources.symbols.known)
        guard !frameworks.isEmpty else {
            return []
        }
        let delegates = Set(([app.delegate].compactMap(\.self) + app.sceneDelegates))
        let plugIns = table.types.filter {
            $0.value.kind == .class_ && !delegates.contains($0.key)
                && !table.lineage(of: $0.key).allSatisfy { !frameworks.contains($0) }
        }.map { ($0.key, app.sources.text($0.key)) }.sorted { $0.1 < $1.1 }
        return plugIns.flatMap { type, name in
            conforms(type, to: "CDVPlugin") ? cordovaGaps(type, name) : flutterGaps(type, name)
        }
    }

    private func conforms(_ type: Int32, to name: String) -> Bool {
        app.sources.symbols.known(name).map { table.lineage(of: type).contains($0) } ?? false
    }

    /// A method of a plug-in that does something.
    private func method(_ callback: Callback, of type: Int32) -> PlacedFunction? {
        table.implementation(of: callback, in: type)
            .flatMap { app.flow.bodies.isMeaningful($0.index) ? table.functions[$0.index] : nil }
    }

    private func flutterGaps(_ type: Int32, _ name: String) -> [Gap] {
        let knowsScenes = conforms(type, to: "FlutterSceneLifeCycleDelegate")
        return Self.kinds.compactMap { kind, old, new in
            guard let taker = method(old, of: type) else {
                return nil
            }
            let reason: String
            if knowsScenes {
                guard table.implementation(of: new, in: type) == nil else {
                    return nil
                }
                reason =
                    "Flutter doesn't call \(old.title) of what conforms to "
                    + "FlutterSceneLifeCycleDelegate, and it has no \(new.title)"
            } else if let delegate = app.sceneDelegates.first(where: { !passesOn(new, $0) }) {
                reason =
                    "\(app.sources.text(delegate)) doesn't pass it on to Flutter's plug-ins"
            } else {
                return nil
            }
            return Gap(
                message: "whether the plug-in \(name) gets \(kind.article) \(kind.title): "
                    + reason,
                place: taker.place)
        }
    }

    /// Whether a scene delegate hands a payload to Flutter, or to the application delegate, which
    /// hands it to plug-ins.
    private func passesOn(_ callback: Callback, _ delegate: Int32) -> Bool {
        guard let found = table.implementation(of: callback, in: delegate),
            let body = table.functions[found.index].function.body
        else {
            return table.unknownSuperclass(of: delegate, app.sources.symbols) != nil
        }
        let tokens = app.sources.files[table.functions[found.index].file].tokens
        return body.clamped(to: tokens.indices).contains {
            tokens[$0].isWord(.super_)
                || ["sceneLifeCycleDelegate", "application"].contains(
                    app.sources.text(tokens[$0].symbol))
        }
    }

    private func cordovaGaps(_ type: Int32, _ name: String) -> [Gap] {
        guard let taker = method(Self.cordovaOpen, of: type) else {
            return []
        }
        let isCordovas =
            app.missingDelegate?.name == "CDVSceneDelegate"
            || app.sceneDelegates.contains { conforms($0, to: "CDVSceneDelegate") }
        let posts = app.sources.symbols.known("CDVPluginHandleOpenURLNotification")
        if !isCordovas, let posts,
            app.sources.droppedWords.contains(posts) || postedByDelegates(posts)
        {
            return []
        }
        return [
            Gap(
                message: isCordovas
                    ? "whether the plug-in \(name) gets a link that starts the app: CDVSceneDelegate "
                        + "posts CDVPluginHandleOpenURLNotification before there are plug-ins"
                    : "whether the plug-in \(name) gets a link: with scenes, a scene delegate has to "
                        + "post CDVPluginHandleOpenURLNotification, and none does",
                place: taker.place)
        ]
    }

    /// Whether a scene delegate of the app mentions the notification of Cordova's links.
    private func postedByDelegates(_ name: Int32) -> Bool {
        app.sceneDelegates.flatMap { table.types[$0]?.functions ?? [] }.contains { index in
            let placed = table.functions[index]
            let tokens = app.sources.files[placed.file].tokens
            return (placed.function.body ?? 0..<0).clamped(to: tokens.indices).contains {
                tokens[$0].symbol == name && tokens[$0].kind == .word
            }
        }
    }
}
