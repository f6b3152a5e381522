/// All SQL but the schema's, each statement whole: parameters are named for their columns, and
/// numbered in the order in which they first stand in the text.
enum Queries {
    static let beginRead: StaticString = "BEGIN"
    static let beginWrite: StaticString = "BEGIN IMMEDIATE"
    static let commit: StaticString = "COMMIT"
    static let rollback: StaticString = "ROLLBACK"
}
