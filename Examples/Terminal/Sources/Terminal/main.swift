import SceneStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// terminal DIR [page:NAME…]
guard CommandLine.arguments.count > 1 else {
    print("usage: Terminal DIR [page:NAME…]")
    exit(2)
}
let pages = Pages()
let links = CommandLine.arguments.dropFirst(2).map { OpenURLContext(url: $0) }
do {
    guard try pages.start(CommandLine.arguments[1], links) else {
        exit(0)
    }
} catch {
    print(error)
    exit(1)
}

var before = termios()
tcgetattr(STDIN_FILENO, &before)
var raw = before
cfmakeraw(&raw)
tcsetattr(STDIN_FILENO, TCSANOW, &raw)
var shown = ""
pages.loop.run { key in
    pages.type(key)
} idle: {
    if pages.picture != shown {
        shown = pages.picture
        let frame = Array("\u{1B}[2J\u{1B}[H\(shown)\u{1B}[K\u{7}".utf8)
        _ = write(STDOUT_FILENO, frame, frame.count)
    }
}
tcsetattr(STDIN_FILENO, TCSANOW, &before)
if pages.loop.isRunning {
    pages.quit()
}
