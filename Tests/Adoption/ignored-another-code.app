# A comment for another code leaves nothing out
expect AD012
--- Overlay.swift
func show() {
    // scenestore:ignore AD013 not this one
    let window = UIWindow(frame: .zero)
    window.isHidden = false
}
