// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Ledger",
    products: [.library(name: "Ledger", targets: ["Ledger"])],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "Ledger", dependencies: ["CSQLite"]),
    ]
)
