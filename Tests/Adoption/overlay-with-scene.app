# A window elsewhere gets its scene in another method
expect none
--- Overlay.swift
final class Overlay {
    private let window = UIWindow(frame: .zero)
    func show(in scene: UIWindowScene) {
        window.windowScene = scene
        window.isHidden = false
    }
}
