# The application delegate behind a function
expect AD013
--- Support.swift
func appDelegate() -> AppDelegate? {
    UIApplication.shared.delegate as? AppDelegate
}
func top() -> UIViewController? {
    appDelegate()?.window?.rootViewController
}
