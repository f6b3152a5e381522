import SceneStore

/// A page of text, one of them on the screen.
final class Page {
    enum Kind { case page, preferences }

    var state = PageState()
    let kind: Kind
    let isPrivate: Bool
    /// What begins with `!` is unfinished, and is lost when its page closes.
    var isDraft: Bool { state.text.hasPrefix("!") }

    init(_ session: SceneSession) {
        kind = session.role == .preferences ? .preferences : .page
        isPrivate = session.privacy == .ephemeral
    }

    var title: String {
        kind == .preferences ? "Preferences" : isPrivate ? "\(state.title) (private)" : state.title
    }
}

/// The toolkit, and the app that it shows: pages with a bar of their titles above.
final class Pages {
    static let windows = SceneApplicationOptions.desktop(
        .window("Page"), .single("Preferences", role: .preferences))

    let loop = MainLoop()
    var hosted: HostedSceneApplication<Pages>?
    private var pages: [Page] = []
    /// The page whose user is asked whether it may close.
    private var asking: Page?

    // MARK: Windows

    func makeWindow(for session: SceneSession) -> Page {
        let page = Page(session)
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

    func deliver(_ payload: Payload, to page: Page) {
        if case .urls(let links) = payload, let link = links.first {
            page.state.title = String(link.url.drop { $0 != ":" }.dropFirst())
            hosted?.windowDidChange(page)
        }
    }

    /// A link goes to the page of its name, else to a new one. A launch asks before it makes the
    /// pages: then the sessions have the names.
    func page(for payload: Payload) -> PayloadTarget? {
        guard case .urls(let links) = payload, let link = links.first, let hosted else {
            return nil
        }
        func fits(_ title: String?, _ session: SceneSession) -> Bool {
            title.map { link.url == "page:\($0)" } == true
                && session.role == .windowApplication && session.privacy != .ephemeral
        }
        let scene = pages.lazy.compactMap { page in
            hosted.scene(of: page).flatMap { fits(page.state.title, $0.session) ? $0 : nil }
        }.first
        let session = scene?.session ?? hosted.application.openSessions.first { fits($0.title, $0) }
        return session.map { .window($0.id) } ?? .new
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
        case 16: hosted.requestWindow(privacy: .ephemeral)  // Ctrl-P
        case 15: showPreferences()  // Ctrl-O
        case 23: hosted.closeWindow(front)  // Ctrl-W
        case 24: hosted.closeOtherWindows(than: front)  // Ctrl-X
        case 20: hosted.reopenClosedWindow()  // Ctrl-T
        case 9: turn(to: pages[0])  // Tab
        case 17: quit()  // Ctrl-Q
        case 127: _ = front.state.text.popLast()
        case 13: front.state.text += "\n"
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
        if let page = pages.first(where: { $0.kind == .preferences }) {
            turn(to: page)
        } else {
            hosted?.requestWindow(role: .preferences)
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

    /// The whole screen: titles, the page in front, a question.
    var picture: String {
        let bar = pages.map { $0 === pages.last ? "[\($0.title)]" : " \($0.title) " }.joined()
        let question = asking.map { "Close \($0.title) with its draft? y/n" } ?? ""
        return bar + "\r\n"
            + (pages.last?.state.text ?? "").split(
                separator: "\n", omittingEmptySubsequences: false
            ).joined(separator: "\r\n") + "\r\n" + question
    }
}
