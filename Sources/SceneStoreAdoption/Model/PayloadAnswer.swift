/// What becomes of one kind of payload in one of the two launches.
package struct PayloadAnswer: Sendable {
    /// Whether the payload starts the app, or comes while it runs.
    package enum Launch: String, CaseIterable, Sendable {
        case cold
        case warm
    }

    package let kind: PayloadKind
    package let launch: Launch
    /// Whether the app's code takes it without scenes.
    package let withoutScenes: Truth
    /// Whether the app's code takes it with scenes.
    package let withScenes: Truth
    /// Whether the app means to take it at all.
    package let isExpected: Truth
    /// In a sentence: what takes it, what drops it, or what can't be seen.
    package let reason: String
    let place: SourcePlace?

    /// Whether it is lost with scenes.
    package var isLost: Truth { isExpected && !withScenes }
}
