#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

extension ScenarioStep {
    /// An activity as a scenario writes it; not checked before it is made.
    package struct ActivityDescription: Hashable, Sendable {
        /// What the user is doing.
        package var type: String
        /// `title=`.
        package var title: String?
        /// `webpage=`: its page.
        package var webpage: String?
        /// `target=`: its targetContentIdentifier.
        package var target: String?
        /// Its userInfo, in the order in which it was written; keys are distinct.
        package var values: [KeyedValue] = []

        /// The activity.
        ///
        /// Throws what `UserActivity` throws for an empty type and a page that is neither http
        /// nor https.
        package func makeActivity() throws(SceneStoreError) -> UserActivity {
            var userInfo = ValueDictionary()
            for pair in values {
                userInfo[pair.key] = pair.value
            }
            var activity = try UserActivity(activityType: type, title: title, userInfo: userInfo)
            if let webpage {
                guard let url = URL(string: webpage, encodingInvalidCharacters: false) else {
                    throw SceneStoreError(
                        .invalidWebpageURL, "a webpage URL must be a URL", path: "webpageURL")
                }
                try activity.setWebpageURL(url)
            }
            activity.targetContentIdentifier = target
            activity.needsSave = false
            return activity
        }
    }

    /// A start of the process, with what rides on it.
    package struct LaunchStep: Hashable, Sendable {
        /// `url=`, each with `source=` behind it: links, in their order.
        package var urls: [OpenURLContext] = []
        /// The first link.
        package var url: OpenURLContext? { urls.first }
        /// `activity=`, `webpage=`, `target=`: an activity.
        package var activity: ActivityDescription?
        /// `shortcut=`, `target=`: a quick action.
        package var shortcut: ShortcutItem?
        /// `push=`, `target=`: the answer to a notification.
        package var push: NotificationResponse?
    }

    /// A request for another scene.
    package struct NewSceneStep: Hashable, Sendable {
        /// `role=`: what it is for; nil is an ordinary window.
        package var role: SceneSessionRole?
        /// `as=`: its name in the scenario; nil is the next letter.
        package var name: SessionReference?
        /// `activity=`, `webpage=`, `target=`: what it is to show.
        package var activity: ActivityDescription?
        /// `background`: whether it is connected without coming forward.
        package var isBackground: Bool
        /// `privacy=`: who may see what it holds.
        package var privacy: PrivacyClass
    }

    /// A session is brought forward.
    package struct ActivateStep: Hashable, Sendable {
        /// The session.
        package var session: SessionReference
        /// `activity=`, `webpage=`, `target=`: what it is to show.
        package var activity: ActivityDescription?
    }

    /// An activity arrives.
    package struct ContinueStep: Hashable, Sendable {
        /// The activity.
        package var activity: ActivityDescription
        /// `fail`: whether its data never comes.
        package var fails: Bool
        /// `handoff`: only its type is announced; the data arrives later.
        package var isHandoff = false
    }

    /// What a scene answers each time when it is asked for its state.
    package struct StateStep: Hashable, Sendable {
        /// The sessions.
        package var session: SessionSelection
        /// The state; nil, written `nil`, is the answer nil.
        package var activity: ActivityDescription?
        /// Written `throws`: the scene throws instead of answering.
        package var isThrowing = false
    }

    /// Values to be set for a session.
    package struct ValuesStep: Hashable, Sendable {
        /// The sessions.
        package var session: SessionSelection
        /// The values, in the order in which they were written; keys are distinct.
        package var values: [KeyedValue]
    }
}

extension ScenarioStep.ActivityDescription {
    /// Reads `activity=TYPE [webpage=U] [target=ID]`.
    init?(options arguments: ScenarioArguments) throws(ScenarioStepError) {
        guard let type = arguments.text("activity") else {
            if let option = arguments.option("webpage") ?? arguments.option("target") {
                throw ScenarioStepError(
                    column: option.column, message: "'\(option.name)=' needs activity=")
            }
            return nil
        }
        self.type = type
        webpage = arguments.text("webpage")
        target = arguments.text("target")
    }
}

extension ScenarioStep.LaunchStep {
    /// Reads payloads. A `target=` belongs to the payload before it, or, in front of all, to the
    /// first one that can have a target.
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        for option in arguments.options {
            switch option.name.keyword {
            case "url": urls.append(OpenURLContext(url: option.value))
            case "source":
                guard let last = urls.indices.last, urls[last].sourceApplication == nil else {
                    throw ScenarioStepError(
                        column: option.column, message: "'source=' needs url= in front of it")
                }
                urls[last].sourceApplication = option.value
            default: break
            }
        }
        var targets = Targets()
        for option in arguments.options {
            switch option.name {
            case "target": try targets.add(option)
            case "activity", "shortcut", "push": targets.enter(option.name)
            default: break
            }
        }
        if let waiting = targets.waiting {
            throw ScenarioStepError(
                column: waiting.column,
                message: "'target=' needs activity=, shortcut= or push=")
        }
        activity = arguments.text("activity").map { ScenarioStep.ActivityDescription(type: $0) }
        activity?.webpage = arguments.text("webpage")
        activity?.target = targets.byPayload["activity"]
        if let webpage = arguments.option("webpage"), activity == nil {
            throw ScenarioStepError(
                column: webpage.column, message: "'webpage=' needs activity=")
        }
        shortcut = arguments.text("shortcut").map {
            ShortcutItem(type: $0, targetContentIdentifier: targets.byPayload["shortcut"])
        }
        push = arguments.text("push").map {
            NotificationResponse(
                identifier: $0, targetContentIdentifier: targets.byPayload["push"])
        }
    }

    /// Finds the payload of each `target=`.
    private struct Targets {
        var byPayload: [String: String] = [:]
        /// A target in front of every payload.
        var waiting: ScenarioOption?
        private var payload: String?

        mutating func enter(_ name: String) {
            payload = name
            if let option = waiting {
                byPayload[name] = option.value
                waiting = nil
            }
        }

        mutating func add(_ option: ScenarioOption) throws(ScenarioStepError) {
            let isSecond = payload.map { byPayload[$0] != nil } ?? (waiting != nil)
            guard !isSecond else {
                throw ScenarioStepError(
                    column: option.column, message: "option 'target' occurs twice here")
            }
            if let payload {
                byPayload[payload] = option.value
            } else {
                waiting = option
            }
        }
    }
}

extension ScenarioStep.NewSceneStep {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        role = try arguments.filledText("role").map { SceneSessionRole(rawValue: $0) }
        if let option = arguments.option("as") {
            name = try ScenarioArguments.reference(option.value, column: option.column)
        }
        activity = try ScenarioStep.ActivityDescription(options: arguments)
        isBackground = arguments.flag("background")
        privacy = try ScenarioStep.privacy(arguments)
    }
}

extension ScenarioStep.ActivateStep {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        session = try arguments.session()
        activity = try ScenarioStep.ActivityDescription(options: arguments)
    }
}

extension ScenarioStep.ContinueStep {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        activity = ScenarioStep.ActivityDescription(
            type: try arguments.anyWord("the type of an activity").text)
        activity.webpage = arguments.text("webpage")
        activity.target = arguments.text("target")
        fails = arguments.flag("fail")
        isHandoff = arguments.flag("handoff")
    }
}

extension ScenarioStep.StateStep {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        session = try arguments.selection()
        let type = try arguments.anyWord("the type of an activity, nil or throws").text
        guard type.keyword != "nil", type.keyword != "throws" else {
            activity = nil
            isThrowing = type.keyword == "throws"
            if let option = arguments.options.first ?? arguments.pairs.first {
                throw ScenarioStepError(
                    column: option.column,
                    message: "the answer \(type) has no title, page or values")
            }
            return
        }
        var state = ScenarioStep.ActivityDescription(type: type)
        state.title = arguments.text("title")
        state.webpage = arguments.text("webpage")
        state.target = arguments.text("target")
        state.values = try ScenarioValue.keyedValues(arguments.pairs)
        activity = state
    }
}

extension ScenarioStep.ValuesStep {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        session = try arguments.selection()
        values = try ScenarioValue.keyedValues(arguments.pairs)
        guard !values.isEmpty else {
            throw arguments.missing("KEY=VALUE")
        }
    }
}
