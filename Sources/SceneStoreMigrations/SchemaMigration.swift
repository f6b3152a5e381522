/// One step of the schema: a numbered file of the folder `Migrations`, compiled in (S-02).
package struct SchemaMigration: Sendable {
    /// From 1, without gaps; `user_version` after it.
    package let number: Int
    /// The file's name without its ending.
    package let name: String
    /// The file's text, byte by byte.
    package let text: [UInt8]
    /// The digest of the whole schema when this and all before it have run; see
    /// `SchemaCheck` for how it is made. A test computes it anew.
    package var schemaDigest: UInt64

    package init(number: Int, name: String, text: [UInt8], schemaDigest: UInt64) {
        self.number = number
        self.name = name
        self.text = text
        self.schemaDigest = schemaDigest
    }

    /// All of them, in order. A text is never changed once it was released.
    private static let released = [
        SchemaMigration(
            number: 1, name: "0001_schema", text: PackageResources._001_schema_sql,
            schemaDigest: 0x3901_1c9c_f29f_2a24)
    ]

    /// What tests add: to a library with more migrations, every store of this one is an older one.
    @TaskLocal package static var made: [SchemaMigration] = []

    package static var all: [SchemaMigration] { released + made }
    /// The version that this library writes.
    package static var currentVersion: Int { released.count + made.count }
    /// `application_id` of our files: "SCSE".
    package static let applicationID: Int32 = 0x5343_5345
}
