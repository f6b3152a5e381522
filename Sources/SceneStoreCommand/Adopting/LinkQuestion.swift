import SceneStore
import SceneStoreExchange
import SceneStoreLinks

/// The first question: is the link the app's?
struct LinkQuestion {
    let url: String
    let options: SceneApplicationOptions
    let decision: LinkDecision
    /// What was not asked, because nothing was given to ask.
    private(set) var assumptions: [String] = []

    init(_ url: String, _ invocation: Invocation, _ context: CommandContext) throws {
        self.url = url
        options =
            try invocation.text("manifest").map {
                SceneApplicationOptions(manifest: try context.readManifest($0))
            } ?? .ofUnknownApp
        var domains: [AssociatedDomain] = []
        // A plan has only the links; what it doesn't ask, it doesn't refuse.
        let asksHosts = invocation.declares("domain")
        for entry in asksHosts ? invocation.texts("domain") : [] {
            do throws(SceneStoreError) {
                domains.append(try AssociatedDomain(entry))
            } catch {
                throw CommandError.usage("--domain \(entry.quotedForError): \(error.message)")
            }
        }
        let file =
            try asksHosts ? invocation.text("aasa").map { try context.readAssociation($0) } : nil
        // What the link itself says stands in for what was not given.
        let link = try? CheckedLink(url)
        var schemes = options.manifest?.urlSchemes ?? []
        if !invocation.isGiven("manifest"), let link, link.kind == .customScheme {
            schemes = [link.scheme]
            assumptions.append("scheme: not asked; --manifest names the app's own")
        }
        if domains.isEmpty, let host = link?.host, let domain = try? AssociatedDomain(host) {
            domains = [domain]
            assumptions.append("domain: not asked; --domain names the associated ones")
        }
        var filter = LinkFilter(
            schemes: schemes, domains: domains,
            appID: asksHosts ? invocation.text("app-id") : nil)
        if let file {
            for domain in domains {
                filter.add(file, for: domain)
            }
        } else if link?.kind == .universalLink {
            assumptions.append("association: not asked; --aasa gives the file")
        }
        decision = filter.decide(url)
    }

    /// The questions that were really asked.
    var steps: [LinkDecision.Step] {
        let skipped = Set(
            assumptions.compactMap { $0.split(separator: ":").first.map(String.init) })
        return decision.steps.filter { !skipped.contains($0.name) }
    }
}
