extension HelpTopic {
    /// A task of support, with the commands that do it, in the order in which to try them.
    struct Task {
        var title: String
        var steps: [(command: String, explanation: String)]
    }

    /// Where a container is, and the lines that fetch it.
    struct ContainerPlace {
        var explanation: String
        var lines: [String] = []
    }

    /// How to get a container, before any of the tasks.
    static let containerHeading = "Getting a container"
    static let containerPlaces: [ContainerPlace] = [
        ContainerPlace(
            explanation: "From a simulator, while the app isn't running. This prints a folder; the "
                + "container is below Library/Application Support in it:",
            lines: ["xcrun simctl get_app_container booted BUNDLE data"]),
        ContainerPlace(
            explanation: "From a paired device; or choose the app in Xcode's Devices and "
                + "Simulators window, then Download Container:",
            lines: [
                "xcrun devicectl device copy from --device NAME \\",
                "    --domain-type appDataContainer --domain-identifier BUNDLE \\",
                "    --source \"Library/Application Support\" --destination DIR",
            ]),
        ContainerPlace(
            explanation: "On Linux the container is $XDG_STATE_HOME/BUNDLE/scenes/PROFILE, or "
                + "~/.local/state/BUNDLE/scenes/PROFILE. Copy a container only while its app is "
                + "closed."),
    ]

    /// The handbook; the documentation's page `Handbook` has a section for each, and a test holds the
    /// two together.
    static let tasks: [Task] = [
        Task(
            title: "The user's windows are gone",
            steps: [
                ("sessions --all", "every window, whether it comes back, and why not"),
                ("why WINDOW", "one window: its next launch, the last launches, the journal"),
                ("reopen WINDOW", "bring a discarded window back"),
            ]),
        Task(
            title: "A window comes back empty, or with an old state",
            steps: [
                ("why WINDOW", "whether the app gets its state, and why not"),
                ("history WINDOW", "the states that are stored"),
                ("checkout WINDOW@G", "go back to one of them"),
            ]),
        Task(
            title: "The app crashes at launch",
            steps: [
                ("doctor", "which window crashes the app"),
                ("hold WINDOW", "keep it from connecting"),
                ("release WINDOW", "let it connect again, once the app is repaired"),
            ]),
        Task(
            title: "The store is damaged",
            steps: [
                ("doctor --full", "what is damaged, by cause"),
                ("repair", "build a sound store, and name each window with its state"),
                ("checkout --lost", "give the app earlier states where the last was lost"),
                ("salvage FILE -o DIR", "if the file doesn't open at all"),
            ]),
        Task(
            title: "Send me what you have",
            steps: [
                (
                    "support -o FILE.zip",
                    "everything that a report needs, without text that people wrote"
                )
            ]),
        Task(
            title: "Look at a customer's store",
            steps: [
                ("info -s FILE", "a backup or a copied file, under any name"),
                ("report -s FILE -o FILE.html", "the complete store as one page"),
                ("find TEXT -s FILE", "the window that they mean"),
            ]),
        Task(
            title: "Try an update before it ships",
            steps: [
                ("plan --manifest NEW.plist", "what the next launch would do with each window"),
                ("doctor --manifest NEW.plist", "which sessions the app can't show any more"),
                ("simulate FILE -s STORE", "play the update on a copy of the store"),
            ]),
        Task(
            title: "A link opens the wrong window",
            steps: [
                ("open-url URL --why", "which window gets the link, and by which rule"),
                ("link match --aasa FILE URL", "the association file alone"),
                ("log WINDOW", "what was decided when the link came"),
            ]),
        Task(
            title: "Take back what I did",
            steps: [
                ("operations", "what scenestore changed"),
                ("undo", "take the last change back, exactly"),
                ("restore FILE", "put a backup in the store's place"),
            ]),
        Task(
            title: "Hand the device to somebody else",
            steps: [
                ("backup -o FILE", "a last copy, elsewhere"),
                ("reset --erase", "no byte of the content stays in the container"),
            ]),
    ]
}
