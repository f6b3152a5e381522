# Comments leave findings out
expect none
--- Overlay.swift
func show() {
    // scenestore:ignore AD012 shown on the second screen
    let window = UIWindow(frame: .zero)
    let other = UIWindow(frame: .zero)  // scenestore:ignore AD012, AD013 the same
    window.isHidden = other.isHidden
}
