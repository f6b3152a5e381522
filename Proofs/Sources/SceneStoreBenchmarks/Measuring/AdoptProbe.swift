import SceneStoreAdoption

/// One source file that asks for a look at all of it with each of its functions.
enum AdoptProbe {
    static func run(functions count: Int) throws {
        let bytes = Array(source(functions: count).utf8)
        var reports = 0
        try InstructionCount.counted {
            var reader = AdoptionReader()
            reader.add("App.swift", .swift, bytes)
            reports = reader.report().apps.count
        }
        guard reports == 1 else {
            throw BenchmarkFailure("\(reports) apps were found in one")
        }
    }

    private static func source(functions count: Int) -> String {
        let functions = (0..<count).map { number in
            """
            func show\(number)() { let window = UIWindow(frame: bounds); present(window) }
            func keep\(number)(_ key: String) { remember(key, \(number)) }
            func note\(number)() { keep\(number)(session.persistentIdentifier) }
            func ask\(number)() { let app = UIApplication.shared.delegate; use(app.window) }
            extension AppDelegate { func more\(number)() { log(\(number)) } }
            """
        }
        return """
            @main final class AppDelegate: UIResponder, UIApplicationDelegate {}
            \(functions.joined(separator: "\n"))
            final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
                func last() { window.windowScene = nil }
            }
            """
    }
}
