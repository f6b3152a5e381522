import SceneStoreCSQLite

/// What a check found.
package struct CheckReport: Hashable, Sendable {
    /// What is damaged, a line each, made printable.
    package var problems: [String]
    /// Whether the budget sufficed.
    package var isComplete: Bool
}

extension Connection {
    /// Looks for damage in the pages, of one table or of all (S-61). SQLite sees few of the
    /// damages inside rows: the checksums of the rows are for those.
    ///
    /// SQLite can't be stopped while it walks one tree: to keep to a budget, check table by table.
    package func check(
        table: String? = nil, budget: Budget
    ) throws(SQLiteError) -> CheckReport {
        var report = CheckReport(problems: [], isComplete: true)
        do {
            try withBudget(budget) { () throws(SQLiteError) in
                try collectProblems(of: table, into: &report)
            }
        } catch {
            switch error.kind {
            case .budgetExceeded: report.isComplete = false
            case .corrupt, .notADatabase: report.problems.append("the pages are damaged")
            default: throw error
            }
        }
        if !report.problems.isEmpty, hasUnreadableFile {
            throw failure(SQLITE_CORRUPT, "checking the database")
        }
        return report
    }

    private func collectProblems(
        of table: String?, into report: inout CheckReport
    ) throws(SQLiteError) {
        // If the first table that it meets is a view, SQLite leaves out the list of free pages. It is
        // looked at with the schema's table.
        let texts =
            table == nil
            ? ["PRAGMA integrity_check(100)", "PRAGMA integrity_check('sqlite_schema')"]
            // As a function, because a pragma takes no parameter.
            : ["SELECT integrity_check FROM pragma_integrity_check(?1)"]
        for text in texts {
            let problems = try withStatement(text: text) { statement throws(SQLiteError) in
                var problems: [String] = []
                if let table { try statement.bind(1, table) }
                while try statement.step(), problems.count < 100 {
                    problems += Self.problems(try statement.textBytes(at: 0))
                }
                return problems
            }
            report.problems += problems.filter { !report.problems.contains($0) }
        }
    }

    /// SQLite's words, without the headings that it puts between them.
    private static func problems(_ text: UnsafeRawBufferPointer) -> [String] {
        text.split(separator: UInt8(ascii: "\n")).map { printable($0) }
            .filter { $0 != "ok" && !$0.hasPrefix("***") }
            .map { line in
                guard line != "database disk image is malformed" else {
                    return "the pages are damaged"
                }
                return "the pages are damaged: " + line.prefix(1).lowercased() + line.dropFirst()
            }
    }
}
