import SceneStoreCFuzz

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The program's entry, in place of the one that SwiftPM would make: libFuzzer's loop calls back
/// with each input.
///
/// `--target=NAME` chooses what is fuzzed, `--growth` asks for the growth check instead of the
/// loop, `--list` prints the names. libFuzzer passes over arguments with two hyphens, and hands them
/// on when it starts itself again.
@_cdecl("Fuzz_main")
func main(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    let words = (0..<Int(count)).compactMap { arguments[$0].map { String(cString: $0) } }
    guard let line = FuzzCommandLine(words) else {
        print("usage: Fuzz --list | --target=NAME [--growth FILE…] [-libFuzzer-flag…] [CORPUS…]")
        return 2
    }
    switch line {
    case .list:
        FuzzTarget.all.forEach { print($0.name, $0.maximumBytes) }
        return 0
    case .growth(let target, let files):
        return GrowthCheck(target).run(files) ? 0 : 1
    case .loop(let target):
        FuzzRun.current.start(target)
        var count = count
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments
        return LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            FuzzRun.current.run(UnsafeRawBufferPointer(start: data, count: size))
            return 0
        }
    }
}

/// What the arguments ask for.
enum FuzzCommandLine {
    case list
    case growth(FuzzTarget, files: [String])
    case loop(FuzzTarget)

    init?(_ words: [String]) {
        if words.contains("--list") {
            self = .list
            return
        }
        let option = "--target="
        guard let word = words.first(where: { $0.hasPrefix(option) }),
            let target = FuzzTarget.all.first(where: { $0.name == word.dropFirst(option.count) })
        else {
            return nil
        }
        self =
            words.contains("--growth")
            ? .growth(target, files: words.dropFirst().filter { !$0.hasPrefix("-") })
            : .loop(target)
    }
}
