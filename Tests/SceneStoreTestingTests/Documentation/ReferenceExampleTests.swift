import Testing

/// Every public type has an example where its reader looks, and the example is code that runs.
///
/// The example is the block of code in the type's doc comment. It is the region of a file in
/// `Tests/SceneStoreExampleTests` that has the type's name; that target sees what an app sees.
///
///     /// ```swift                         // example: NAME
///     /// …                                …
///     /// ```                              // end
///
/// A type inside another may be shown by the other's example, which then names it, or one of its
/// members that the other doesn't have. A typealias is shown by what it names.
@Suite("Examples of the reference")
struct ReferenceExampleTests {
    /// The libraries whose types have examples.
    static let targets = [
        "SceneStore", "SceneStoreEngine", "SceneStoreExchange", "SceneStoreInstance",
        "SceneStoreLinks", "SceneStoreObservation", "SceneStoreRecovery", "SceneStoreStorage",
        "SceneStoreTesting", "SceneStoreUIKit", "SceneStoreValues",
    ]

    static func regions() throws -> [String: Set<String>] {
        try SnippetTests.regions(
            of: SnippetTests.files(in: "Tests/SceneStoreExampleTests", ending: ".swift"),
            marker: "// example: ")
    }

    /// Whether an example of an outer type uses an inner one.
    static func shows(
        _ type: PublicType, in example: [String], of outer: String, _ sources: PublicTypes
    ) -> Bool {
        let own = sources.members[type.name, default: []]
            .subtracting(sources.members[outer, default: []])
        let last = type.name.split(separator: ".").last
        return example.contains { line in
            line.split { !$0.isLetter && !$0.isNumber && $0 != "." }.contains { words in
                let parts = words.split(separator: ".", omittingEmptySubsequences: false)
                return parts.contains { $0 == last }
                    || parts.dropFirst().contains { own.contains(String($0)) }
            }
        }
    }

    @Test("every public type has an example")
    func everyTypeHasOne() throws {
        let sources = try PublicTypes(targets: Self.targets)
        let examples = Dictionary(
            sources.types.compactMap { type in type.example.map { (type.name, $0) } },
            uniquingKeysWith: { first, _ in first })
        #expect(sources.types.count > 50)
        for type in sources.types where type.example == nil {
            let isShown = type.ancestors.contains { outer in
                examples[outer].map { Self.shows(type, in: $0, of: outer, sources) } == true
            }
            #expect(isShown, "\(type.name) has no example, in \(type.file)")
        }
    }

    @Test("every example is code that runs, and all of that code stands in the reference")
    func examplesAreRegions() throws {
        let sources = try PublicTypes(targets: Self.targets)
        var regions = try Self.regions()
        for type in sources.types {
            let text = type.example?.joined(separator: "\n")
            let region = regions.removeValue(forKey: type.name)
            #expect(region == text.map { [$0] }, "the example of \(type.name), in \(type.file)")
        }
        #expect(regions.keys.sorted() == [], "examples of no public type")
        #expect(sources.otherBlocks == [], "blocks of code that nobody compiles")
    }

    @Test("an example has two to six lines, not counting braces that close")
    func lengths() throws {
        for type in try PublicTypes(targets: Self.targets).types {
            if let example = type.example {
                let lines = example.filter { line in !line.allSatisfy { " })]".contains($0) } }
                #expect(2...6 ~= lines.count, "\(type.name)")
            }
        }
    }
}
