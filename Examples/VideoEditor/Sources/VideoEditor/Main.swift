import SceneStore
import SceneStoreFormats
import SceneStoreRecovery

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The deep links of a video editor.
///
///     VideoEditor CONTAINER [LINK | -] [LINK | yes | no]…
///
/// The first link launches the app, the others come while it runs; `-` launches it plainly. `yes`
/// and `no` answer the question that a link made a window ask. What the windows show lies in the
/// container directory and is there again in the next run.
@main
struct Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let container = arguments.first else {
            print("usage: VideoEditor CONTAINER [LINK | -] [LINK | yes | no]…")
            exit(2)
        }
        do throws(SceneStoreError) {
            try run(container, arguments.dropFirst())
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    private static func run(
        _ container: String, _ words: ArraySlice<String>
    ) throws(SceneStoreError) {
        let manifest = try SceneManifest(propertyList: PackageResources.VideoEditor_Info_plist)
        let links = try EditorLinks(
            manifest: manifest,
            association: PackageResources.apple_app_site_association_json)
        var storeOptions = SceneSessionStore.Options()
        storeOptions.corruption = .salvage
        let store = try SceneSessionStore.open(at: .directory(container), options: storeOptions)
        let editor = VideoEditor(links: links)
        let application = SceneApplication(
            store: store, delegate: editor, options: SceneApplicationOptions(manifest: manifest),
            scheduler: .manual)

        let first = words.first.flatMap { $0 == "-" ? nil : $0 }
        print("launch" + (first.map { " by \($0)" } ?? ""))
        try editor.launch(application, with: first.flatMap { isOurs($0, links) ? $0 : nil })
        for word in words.dropFirst() {
            print(word)
            switch word {
            case "yes", "no": editor.asking?.answer(word == "yes")
            default:
                if isOurs(word, links) {
                    try editor.receive(word)
                }
            }
        }
        editor.printWindows()
        try application.quit()
    }

    /// What the system asks before it hands a link to an app; on a device it has done so already.
    private static func isOurs(_ link: String, _ links: EditorLinks) -> Bool {
        let decision = links.filter.decide(link)
        if let refusal = decision.refusal {
            print("  not a link of this app: \(refusal)")
        }
        return decision.isAccepted
    }
}
