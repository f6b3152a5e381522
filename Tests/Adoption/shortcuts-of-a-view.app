# A property of the same name that a view has offers no quick actions
expect none
--- Search.swift
final class Search: UIViewController {
    func fill() {
        view.shortcutItems = [nearMe, mine]
    }
}
