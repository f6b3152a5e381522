# A window of a subclass without a scene
expect AD012
--- Overlay.swift
final class PassthroughWindow: UIWindow {}
final class Overlay {
    func show() {
        let window = PassthroughWindow(frame: .zero)
        window.isHidden = false
    }
}
