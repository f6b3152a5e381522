# A SwiftUI app that mentions nothing of UIKit
expect none
ask 0
life swiftUI
lost url cold no
--- App.swift
@main
struct ShelfApp: App {
    var body: some Scene {
        WindowGroup { ContentView() }
    }
}
