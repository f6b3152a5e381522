# Whether a window that is handed on is shown can't be told
expect none
ask 1
--- Overlays.swift
final class Overlays {
    func make() -> UIWindow {
        let overlay = UIWindow(frame: .zero)
        return overlay
    }
}
