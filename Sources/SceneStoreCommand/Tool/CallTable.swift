import SceneStore

/// A table of two columns: what an app gets without scenes, and with them.
struct CallTable {
    private var table: TableWriter

    /// Begins a table; the title is that of its first column.
    init(of title: String, _ context: CommandContext) throws {
        table = try TableWriter(
            [
                TableColumn("way", title, priority: 0),
                TableColumn("without", "Without scenes", priority: 0, minimumWidth: 20),
                TableColumn("with", "With scenes", priority: 0, minimumWidth: 20),
            ], format: .text, context: context)
    }

    mutating func append(_ title: String, without: [String], with: [String]) throws {
        try table.append([
            .text(title), .text(without.joined(separator: ", ")),
            .text(with.joined(separator: ", ")),
        ])
    }

    mutating func finish() throws {
        try table.finish()
    }
}
