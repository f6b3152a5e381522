// swift-tools-version: 6.2
import PackageDescription

// What people use instead, for the family `beside` of the benchmarks: programs that keep the same windows
// in one JSON file, or as records of a general SQLite library. The second one is built where
// SCENESTORE_GRDB names a checkout of GRDB.swift. Scripts/benchmark.sh builds them.
let checkout = Context.environment["SCENESTORE_GRDB"]

let package = Package(
    name: "Beside",
    platforms: [.macOS(.v15)],
    dependencies: checkout.map { [.package(name: "GRDB.swift", path: $0)] } ?? [],
    targets: [
        .target(name: "BesideWindow"),
        .executableTarget(name: "OneJSONFile", dependencies: ["BesideWindow"]),
    ]
        + (checkout == nil
            ? []
            : [
                .executableTarget(
                    name: "GeneralRecords",
                    dependencies: [
                        "BesideWindow", .product(name: "GRDB", package: "GRDB.swift"),
                    ],
                    // It names functions of snapshots, which Debian's SQLite leaves out.
                    linkerSettings: [
                        .unsafeFlags(
                            ["-Xlinker", "--unresolved-symbols=ignore-all"],
                            .when(platforms: [.linux]))
                    ])
            ]),
    swiftLanguageModes: [.v6]
)
