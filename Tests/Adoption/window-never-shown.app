# A window that nobody shows needs no scene
expect none
--- Sizes.swift
final class Sizes {
    func measure() -> CGFloat {
        let window = UIWindow()
        window.rootViewController = controller
        return window.safeAreaInsets.top
    }
}
