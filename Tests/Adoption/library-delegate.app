# A library's application delegate is asked about
expect none
ask 1
--- AppDelegate.swift
// A UIApplicationDelegate by its superclass.
@main class AppDelegate: ExpoAppDelegate {
}
