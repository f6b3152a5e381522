import SceneStoreValues

/// An object that opens one kind of link.
///
/// ```swift
/// struct ImportHandler: LinkHandler {
///     let importer: Importer
///     func canOpen(_ link: CheckedLink) -> Bool { link.segments.first == "import" }
///     func open(_ link: CheckedLink) -> Bool { importer.start(link) }
/// }
/// ```
public protocol LinkHandler {
    /// The handler's name in results and explanations; by default its type's name.
    var linkHandlerName: String { get }

    /// Returns whether the handler would open a link. It must not open it yet.
    func canOpen(_ link: CheckedLink) -> Bool

    /// Opens a link that ``canOpen(_:)`` said yes to.
    ///
    /// - Returns: Whether it was opened; false declines, and the next handler is asked.
    func open(_ link: CheckedLink) -> Bool
}

extension LinkHandler {
    /// The name of the handler's type.
    public var linkHandlerName: String {
        "\(type(of: self))"
    }
}
