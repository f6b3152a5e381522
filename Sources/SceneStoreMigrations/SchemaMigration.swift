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
    package let schemaDigest: UInt64

    /// All of them, in order. A text is never changed once it was released.
    package static let all: [SchemaMigration] = [
        SchemaMigration(
            number: 1, name: "0001_core", text: PackageResources._001_core_sql,
            schemaDigest: 0xbf26_7ff2_60d4_f066),
        SchemaMigration(
            number: 2, name: "0002_records", text: PackageResources._002_records_sql,
            schemaDigest: 0x4f6d_2cb3_0a97_7045),
        SchemaMigration(
            number: 3, name: "0003_views", text: PackageResources._003_views_sql,
            schemaDigest: 0xc22e_469f_caef_9ea9),
        SchemaMigration(
            number: 4, name: "0004_freshness", text: PackageResources._004_freshness_sql,
            schemaDigest: 0xaf06_6b8e_f0c8_b823),
        SchemaMigration(
            number: 5, name: "0005_one_vocabulary",
            text: PackageResources._005_one_vocabulary_sql, schemaDigest: 0xe2cf_d9d0_a76a_2b64),
        SchemaMigration(
            number: 6, name: "0006_declaration", text: PackageResources._006_declaration_sql,
            schemaDigest: 0x6ce9_388f_7070_765a),
        SchemaMigration(
            number: 7, name: "0007_ledger", text: PackageResources._007_ledger_sql,
            schemaDigest: 0x388d_aa9e_8993_ba17),
    ]

    /// The version that this library writes.
    package static let currentVersion = 7
    /// `application_id` of our files: "SCSE".
    package static let applicationID: Int32 = 0x5343_5345
}
