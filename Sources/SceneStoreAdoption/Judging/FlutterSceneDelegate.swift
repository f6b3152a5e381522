/// What Flutter's own scene delegate does with payloads.
///
/// `FlutterSceneDelegate` passes each payload to the plug-ins and links to the Dart code, cold and
/// warm (`FlutterSceneLifeCycle.mm` of Flutter's engine). It never calls a method that the app has
/// overridden in its application delegate.
enum FlutterSceneDelegate {
    static func isNamed(_ name: String) -> Bool {
        name == "FlutterSceneDelegate" || name.hasSuffix(".FlutterSceneDelegate")
    }

    /// - Parameter ownHandler: Whether the app's application delegate takes the kind itself.
    static func verdict(
        _ kind: PayloadKind, ownHandler: Truth, _ place: SourcePlace?
    ) -> Verdict {
        if kind == .notification {
            return Verdict(
                truth: .unknown, reason: "FlutterSceneDelegate is not among the sources",
                place: place)
        }
        let reason = "FlutterSceneDelegate passes it to plug-ins"
        return ownHandler == .yes
            ? Verdict(
                truth: .no,
                reason: reason + ", and never calls the application delegate's method",
                place: place)
            : Verdict(truth: .yes, reason: reason, place: place)
    }

    /// Whether options are passed to it: `super.scene(…)`, `sceneLifeCycleDelegate.scene(…)`.
    static func isCall(_ place: SourcePlace, _ app: AppModel) -> Bool {
        let tokens = app.sources.files[place.file].tokens
        let open = Int(tokens[place.token].parent)
        guard open > 0 else {
            return false
        }
        if tokens[open].isMark("[") {
            return tokens[open + 1].isWord(.super_)
        }
        guard let callee = app.flow.expressions.callee(place.file, open), callee > 1,
            tokens[callee - 1].isMark(".")
        else {
            return false
        }
        return tokens[callee - 2].isWord(.super_)
            || app.sources.text(tokens[callee - 2].symbol) == "sceneLifeCycleDelegate"
    }
}
