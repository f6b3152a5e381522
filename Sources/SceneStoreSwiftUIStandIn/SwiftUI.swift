// The names of SwiftUI that an app has around it, as far as tests need them where there is no SwiftUI.
// Documented by Apple, where the addresses lead.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("no view") }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

/// https://developer.apple.com/documentation/swiftui/text
public struct Text: View {
    public init(_ content: String) {}
    public var body: Never { fatalError("no view") }
}

/// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

/// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

/// https://developer.apple.com/documentation/swiftui/scenebuilder
@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("no scene") }
}

/// https://developer.apple.com/documentation/swiftui/window
public struct Window<Content: View>: Scene {
    public init(_ title: String, id: String, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("no scene") }
}

/// https://developer.apple.com/documentation/swiftui/settings
public struct Settings<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("no scene") }
}

/// https://developer.apple.com/documentation/swiftui/scenephase
public enum ScenePhase: Comparable {
    case background, inactive, active
}

/// https://developer.apple.com/documentation/swiftui/scenestorage
@propertyWrapper
public struct SceneStorage<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value, _ key: String) {
        self.wrappedValue = wrappedValue
    }
}

/// https://developer.apple.com/documentation/swiftui/appstorage
@propertyWrapper
public struct AppStorage<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value, _ key: String) {
        self.wrappedValue = wrappedValue
    }
}

/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper
public struct State<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

/// https://developer.apple.com/documentation/swiftui/binding
@propertyWrapper
public struct Binding<Value> {
    public var wrappedValue: Value

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        wrappedValue = get()
    }
}

/// https://developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }

    public init() {}
}

/// https://developer.apple.com/documentation/swiftui/environment
@propertyWrapper
public struct Environment<Value> {
    public let wrappedValue: Value

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        wrappedValue = EnvironmentValues()[keyPath: keyPath]
    }
}
