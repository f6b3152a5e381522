import Testing

/// Every public type has an example where its reader looks, and the example is code that runs.
///
/// The example is a block of code in the type's doc comment. It is the region of a file in
/// `Tests/SceneStoreExampleTests` that has the type's name; that target sees what an app sees. The
/// doc comment of a member may have one too: its region is named `TYPE.MEMBER`.
///
///     /// ```swift                         // example: NAME
///     /// …                                …
///     /// ```                              // end
///
/// A type inside another may be shown by the other's example, which then names it, or one of its
/// members that the other doesn't have. A typealias is shown by what it names.
@Suite("Examples of the reference")
struct ReferenceExampleTests {
    let sources: PublicTypes

    /// Reads the libraries.
    init() throws {
        sources = try PublicTypes(targets: [
            "SceneStore", "SceneStoreEngine", "SceneStoreExchange", "SceneStoreFormats",
            "SceneStoreHosting", "SceneStoreInstance", "SceneStoreLinks", "SceneStoreObservation",
            "SceneStorePreScene", "SceneStoreRecovery", "SceneStoreStorage", "SceneStoreTesting",
            "SceneStoreUIKit", "SceneStoreValues",
        ])
    }

    /// Whether an example of an outer type uses an inner one.
    func shows(_ type: PublicTypes.PublicType, in example: [String], of outer: String) -> Bool {
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
    func everyTypeHasOne() {
        #expect(sources.types.count > 180)
        for type in sources.types where sources.examples[type.name] == nil {
            let isShown = type.outer.contains { outer in
                sources.examples[outer, default: []].contains {
                    shows(type, in: $0, of: outer)
                }
            }
            #expect(isShown, "\(type.name) has no example, in \(type.file)")
        }
    }

    @Test("every example is code that runs, and all of that code stands in the reference")
    func examplesAreRegions() throws {
        let regions = try SnippetTests.regions(
            of: SnippetTests.files(in: "Tests/SceneStoreExampleTests", ending: ".swift"),
            marker: "// example: ")
        let examples = sources.examples.mapValues { blocks in
            Set(blocks.map { $0.joined(separator: "\n") })
        }
        for name in Set(regions.keys).union(examples.keys).sorted() {
            #expect(examples[name] == regions[name], "the example of \(name)")
        }
        #expect(sources.indentedCode == [], "code that nobody compiles")
    }

    @Test("an example of a type has two to six lines, not counting braces that close")
    func lengths() {
        for type in sources.types {
            for example in sources.examples[type.name, default: []] {
                let lines = example.filter { line in !line.allSatisfy { " })]".contains($0) } }
                #expect(2...6 ~= lines.count, "\(type.name)")
            }
        }
    }
}
