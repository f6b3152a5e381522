/// A scene delegate that stands for a host's window.
package protocol WindowOfHost {
    /// The window, while the scene is connected.
    var hostedWindow: AnyObject? { get }
    /// Whether the window has another title or place than the stored ones.
    func hasNewAppearance(_ scene: Scene) -> Bool
}
