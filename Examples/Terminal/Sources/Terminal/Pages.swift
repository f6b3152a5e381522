import SceneStoreHosting

/// A page of text, one of them on the screen.
final class Page: SceneStorageOwner {
    weak var scene: Scene?
    var state = PageState()
    @SceneStorage("zoom") var zoom = 1
    private let role: SceneSessionRole
    private let privacy: PrivacyClass
    var hasPreferences: Bool { role == .preferences }
    /// What begins with `!` is unfinished, and is lost when its page closes.
    var isDraft: Bool { state.text.hasPrefix("!") }

    init(_ session: SceneSession) {
        role = session.role
        privacy = session.privacy
    }

    var title: String {
        hasPreferences
            ? "Preferences" : privacy == .standard ? state.title : "\(state.title) (private)"
    }
}

/// The toolkit, and the app that it shows: pages with a bar of their titles above.
final class Pages {
    let loop = MainLoop()
    var hosted: HostedSceneApplication<Pages>?
    private var pages: [Page] = []
    /// The page whose user is asked whether it may close.
    private var asking: Page?

    // MARK: Windows

    func add(_ page: Page) -> Page {
        pages.insert(page, at: 0)
        return page
    }

    func bringForward(_ page: Page) {
        pages.removeAll { $0 === page }
        pages.append(page)
    }

    func close(_ page: Page) {
        pages.removeAll { $0 === page }
        if let front = pages.last {
            hosted?.windowDidBecomeActive(front)
        }
    }

    // MARK: Keys

    func ask(_ page: Page) -> ClosingAnswer {
        asking = page
        return .later
    }

    func type(_ key: UInt8) {
        guard let hosted, let front = pages.last else {
            return
        }
        if let page = asking {
            asking = nil
            hosted.answerClosing(key == UInt8(ascii: "y") ? .close : .keep, of: page)
            if hosted.application.hasEnded {
                end()
            }
            return
        }
        switch key {
        case 14: hosted.requestWindow()  // Ctrl-N
        case 16: openPrivatePage()  // Ctrl-P
        case 15: showPreferences()  // Ctrl-O
        case 23: hosted.closeWindow(front)  // Ctrl-W
        case 24: hosted.closeOtherWindows(than: front)  // Ctrl-X
        case 20: undoClose()  // Ctrl-T
        case 9: turn(to: pages[0])  // Tab
        case 17: quit()  // Ctrl-Q
        case 43: front.zoom += 1  // +
        case 127: _ = front.state.text.popLast()
        case 13: front.state.text += "\n"
        case _ where front.hasPreferences: hosted.application.wraps.toggle()
        default: front.state.text.append(Character(UnicodeScalar(key)))
        }
        if let front = pages.last {
            hosted.windowDidChange(front)
        }
    }

    /// The user goes to a page that is there.
    private func turn(to page: Page) {
        bringForward(page)
        hosted?.windowDidBecomeActive(page)
    }

    private func showPreferences() {
        if let page = pages.first(where: { $0.hasPreferences }) {
            turn(to: page)
        } else {
            openPreferences()
        }
    }

    /// The user quits: a draft is asked about first.
    func quit() {
        do throws(SceneStoreError) {
            try hosted?.quit()
            end()
        } catch  where error.code == .closingPostponed {
            // The user is asked.
        } catch {
            print(error)
        }
    }

    func end() { loop.stop() }

    // MARK: The screen

    /// The whole screen: titles, the page in front, its zoom or the setting, a question.
    var picture: String {
        let bar = pages.map { $0 === pages.last ? "[\($0.title)]" : " \($0.title) " }.joined()
        let question = asking.map { "Close \($0.title) with its draft? y/n" } ?? ""
        return bar + "\r\n"
            + (pages.last?.state.text ?? "").split(
                separator: "\n", omittingEmptySubsequences: false
            ).joined(separator: "\r\n") + "\r\n" + status + "\r\n" + question
    }

    private var status: String {
        guard let front = pages.last, let hosted else { return "" }
        return front.hasPreferences
            ? "wraps \(hosted.application.wraps ? "on" : "off")" : "zoom \(front.zoom)"
    }
}

extension SceneApplication {
    /// A setting of the app.
    var wraps: Bool {
        get { storage["wraps", as: Bool.self] ?? false }
        set { storage["wraps", as: Bool.self] = newValue }
    }
}
