/// One of the ten ways in which an app is started or opened, without scenes and with them.
package struct LaunchWay: Sendable {
    /// What becomes of a call.
    package enum Mark: String, Sendable {
        /// The app does something.
        case handled
        /// Something is in it that the app drops.
        case dropped
        case unknown
        /// The app has no such method, and needs none.
        case unused
    }

    package struct Call: Sendable {
        package let name: String
        package let mark: Mark
    }

    package let title: String
    package let withoutScenes: [Call]
    package let withScenes: [Call]

    /// The ten ways, in the order of the life cycle's contract.
    static func all(
        _ app: AppModel, _ answers: [PayloadAnswer], deadMethods: Set<String>
    ) -> [LaunchWay] {
        let maker = Maker(app: app, answers: answers, deadMethods: deadMethods)
        let plain = LaunchWay(
            title: "launch", withoutScenes: maker.oldLaunch(nil), withScenes: maker.newLaunch(nil))
        let open = LaunchWay(
            title: "open", withoutScenes: maker.oldOpen(nil), withScenes: maker.newOpen(nil))
        let kinds: [(PayloadKind, String)] = [
            (.url, "a link"), (.activity, "a universal link"), (.notification, "a notification"),
            (.shortcut, "a quick action"),
        ]
        return [plain, open]
            + kinds.flatMap { kind, title in
                [
                    LaunchWay(
                        title: "launch from \(title)", withoutScenes: maker.oldLaunch(kind),
                        withScenes: maker.newLaunch(kind)),
                    LaunchWay(
                        title: "open from \(title)", withoutScenes: maker.oldOpen(kind),
                        withScenes: maker.newOpen(kind)),
                ]
            }
    }

    private struct Maker {
        let app: AppModel
        let answers: [PayloadAnswer]
        /// The application delegate's methods whose work is lost with scenes.
        let deadMethods: Set<String>

        func oldLaunch(_ kind: PayloadKind?) -> [Call] {
            let calls = [
                oldCall("will", .willFinishLaunching), oldCall("did", .didFinishLaunching),
            ]
            return calls + payload(kind, .cold, isOld: true)
                + [oldCall("didBecomeActive", ReplacedCallback.didBecomeActive.old)]
        }

        func oldOpen(_ kind: PayloadKind?) -> [Call] {
            [oldCall("willEnterForeground", ReplacedCallback.willEnterForeground.old)]
                + payload(kind, .warm, isOld: true)
                + [oldCall("didBecomeActive", ReplacedCallback.didBecomeActive.old)]
        }

        func newLaunch(_ kind: PayloadKind?) -> [Call] {
            let mark: Mark
            if let kind, kind != .notification {
                mark = self.mark(kind, .cold, isOld: false)
            } else {
                mark = hasScene(.willConnect)
            }
            var calls = [
                oldCall("will", .willFinishLaunching), oldCall("did", .didFinishLaunching),
                Call(name: "connect", mark: mark),
            ]
            if kind == .notification {
                calls.append(
                    Call(name: "response", mark: self.mark(.notification, .cold, isOld: false)))
            }
            return calls + [
                newCall("fg", .willEnterForeground),
                newCall("active", .didBecomeActive),
            ]
        }

        func newOpen(_ kind: PayloadKind?) -> [Call] {
            let foreground = newCall("fg", .willEnterForeground)
            let active = newCall("active", .didBecomeActive)
            let calls = payload(kind, .warm, isOld: false)
            return kind == .url ? calls + [foreground, active] : [foreground] + calls + [active]
        }

        private func payload(
            _ kind: PayloadKind?, _ launch: PayloadAnswer.Launch, isOld: Bool
        ) -> [Call] {
            guard let kind else {
                return []
            }
            let mark = mark(kind, launch, isOld: isOld)
            switch kind {
            case .url: return [Call(name: isOld ? "open" : "url", mark: mark)]
            case .activity:
                let announcement =
                    isOld
                    ? oldCall("willContinue", ReplacedCallback.willContinue.old)
                    : newCall("willContinue", .willContinue)
                return [announcement, Call(name: "continue", mark: mark)]
            case .notification: return [Call(name: "response", mark: mark)]
            case .shortcut: return [Call(name: isOld ? "performActionFor" : "shortcut", mark: mark)]
            }
        }

        private func mark(
            _ kind: PayloadKind, _ launch: PayloadAnswer.Launch, isOld: Bool
        ) -> Mark {
            guard let answer = answers.first(where: { $0.kind == kind && $0.launch == launch })
            else {
                return .unused
            }
            switch isOld ? answer.withoutScenes : answer.withScenes {
            case .yes: return .handled
            case .unknown: return answer.isExpected == .no ? .unused : .unknown
            case .no: return answer.isExpected == .yes ? .dropped : .unused
            }
        }

        private func oldCall(_ name: String, _ callback: Callback) -> Call {
            let found = app.delegate.flatMap { app.table.implementation(of: callback, in: $0) }
            return Call(
                name: name,
                mark: found.map { app.flow.bodies.isMeaningful($0.index) } == true
                    ? .handled : .unused)
        }

        private func newCall(_ name: String, _ callback: ReplacedCallback) -> Call {
            let mark = hasScene(callback.new)
            let isDropped = mark == .unused && deadMethods.contains(callback.old.title)
            return Call(name: name, mark: isDropped ? .dropped : mark)
        }

        private func hasScene(_ callback: Callback) -> Mark {
            let isThere = app.sceneDelegates.contains {
                app.table.implementation(of: callback, in: $0).map {
                    app.flow.bodies.isMeaningful($0.index)
                } == true
            }
            return isThere ? .handled : .unused
        }
    }
}
