import Testing

@Suite("the pages' questions")
struct PageQuestionTests {
    @Test("each page's first sentence is its question")
    func question() throws {
        let pages = try RepositoryFile.pages()
        #expect(pages.count > 30)
        for (name, text) in pages {
            let lines = text.split(separator: "\n").drop { "#@ ".contains($0.first ?? " ") }
            let paragraph = lines.prefix(3).joined(separator: " ")
            let end = paragraph.split(separator: " ").first { ".?!".contains($0.last ?? " ") }
            #expect(end?.last == "?", "\(name)")
        }
    }
}
