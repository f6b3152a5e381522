// swift-tools-version: 6.2
import PackageDescription

// What proves the figures and the promises: benchmarks and rigs. The library's sources stand here
// by symbolic links, so that the proofs see what has package access. Build it by
// Scripts/benchmark.sh and Scripts/rigs.sh.
let package = Package(
    name: "Proofs",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "scenestore", targets: ["SceneStoreCommand"])],
    targets: [
        .systemLibrary(
            name: "SceneStoreCSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        .target(name: "SceneStoreCSupport"),
        .target(name: "SceneStoreCSockets", dependencies: ["SceneStoreCSupport"]),
        .target(
            name: "SceneStoreSQLite",
            dependencies: ["SceneStoreCSQLite", "SceneStoreCSupport"]
        ),
        .target(
            name: "SceneStoreMigrations",
            resources: [
                .embedInCode("../../Migrations/0001_schema.sql")
            ]
        ),
        .target(name: "SceneStoreValues"),
        .target(name: "SceneStoreFormats", dependencies: ["SceneStoreValues"]),
        .target(name: "SceneStoreEngine", dependencies: ["SceneStoreValues"]),
        .target(
            name: "SceneStoreStorage",
            dependencies: ["SceneStoreValues", "SceneStoreSQLite", "SceneStoreMigrations"]
        ),
        .target(
            name: "SceneStoreRecovery",
            dependencies: [
                "SceneStoreValues", "SceneStoreSQLite", "SceneStoreMigrations", "SceneStoreStorage",
            ]
        ),
        .target(
            name: "SceneStore",
            dependencies: [
                "SceneStoreValues", "SceneStoreEngine", "SceneStoreSQLite", "SceneStoreMigrations",
                "SceneStoreStorage",
            ]
        ),
        .target(
            name: "SceneStoreExchange",
            dependencies: [
                "SceneStore", "SceneStoreCSQLite", "SceneStoreEngine", "SceneStoreFormats",
                "SceneStoreMigrations", "SceneStoreRecovery", "SceneStoreSQLite",
                "SceneStoreStorage", "SceneStoreValues",
            ]
        ),
        .target(
            name: "SceneStoreLinks", dependencies: ["SceneStoreFormats", "SceneStoreValues"]),
        .target(
            name: "SceneStoreCFaults",
            dependencies: ["SceneStoreCSQLite"]
        ),
        .target(
            name: "SceneStoreTesting",
            dependencies: [
                "SceneStoreRecovery", "SceneStore", "SceneStoreCFaults", "SceneStoreExchange",
                "SceneStoreFormats", "SceneStoreHosting", "SceneStoreInstance",
                "SceneStoreMigrations", "SceneStoreSQLite",
            ]
        ),
        .target(
            name: "SceneStoreAdoption", dependencies: ["SceneStoreFormats", "SceneStoreValues"]),
        .target(
            name: "SceneStoreHosting",
            dependencies: ["SceneStore", "SceneStoreEngine", "SceneStoreValues"]
        ),
        .target(
            name: "SceneStoreInstance",
            dependencies: [
                "SceneStore", "SceneStoreCSockets", "SceneStoreEngine", "SceneStoreHosting",
                "SceneStoreSQLite", "SceneStoreValues",
            ]
        ),
        .executableTarget(
            name: "SceneStoreCommand",
            dependencies: [
                "SceneStoreRecovery", "SceneStore", "SceneStoreAdoption", "SceneStoreEngine",
                "SceneStoreExchange", "SceneStoreFormats", "SceneStoreInstance",
                "SceneStoreLinks", "SceneStoreTesting", "SceneStoreValues",
            ],
            resources: [
                .embedInCode("../SceneStore/Documentation.docc/Adopting.md"),
                .embedInCode("../SceneStore/Documentation.docc/Doctor.md"),
                .embedInCode("../SceneStore/Documentation.docc/Errors.md"),
                .embedInCode("../SceneStore/Documentation.docc/Linting.md"),
            ]
        ),
        .target(name: "SceneStoreCTestSupport"),
        .target(name: "SceneStoreCSystemFaults"),
        .target(
            name: "SceneStoreFileFaults",
            dependencies: ["SceneStoreCSystemFaults", "SceneStoreTesting"]
        ),
        .executableTarget(
            name: "SceneStoreRigs",
            dependencies: [
                "SceneStoreRecovery", "SceneStore", "SceneStoreCTestSupport", "SceneStoreExchange",
                "SceneStoreFileFaults", "SceneStoreMigrations", "SceneStoreSQLite",
                "SceneStoreTesting",
            ]
        ),
        .executableTarget(
            name: "SceneStoreHistories",
            dependencies: [
                "SceneStoreRecovery", "SceneStore", "SceneStoreFileFaults", "SceneStoreInstance",
                "SceneStoreSQLite",
                "SceneStoreTesting",
            ]),
        .target(name: "SceneStoreBenchmarkFloor", dependencies: ["SceneStoreCSQLite"]),
        .executableTarget(
            name: "SceneStoreBenchmarkFloorApp", dependencies: ["SceneStoreBenchmarkFloor"]),
        .executableTarget(
            name: "SceneStoreBenchmarkApp",
            dependencies: [
                "SceneStore"
            ]),
        .target(name: "SceneStoreCWalks", dependencies: ["SceneStoreCSQLite"]),
        // Counted by functions that the linker puts in front of the real ones.
        .executableTarget(
            name: "SceneStoreWalks",
            dependencies: ["SceneStore", "SceneStoreCWalks", "SceneStoreRecovery"],
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-Xlinker", "--wrap=sqlite3_open_v2", "-Xlinker", "--wrap=sqlite3_step",
                        "-Xlinker", "--wrap=scenestore_lock_enter",
                    ], .when(platforms: [.linux]))
            ]
        ),
        .executableTarget(
            name: "SceneStoreBenchmarks",
            dependencies: [
                "SceneStoreRecovery", "SceneStore", "SceneStoreAdoption",
                "SceneStoreBenchmarkFloor",
                "SceneStoreExchange", "SceneStoreInstance", "SceneStoreLinks",
                "SceneStoreMigrations", "SceneStoreSQLite", "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreRigTests",
            dependencies: [
                "SceneStoreRecovery", "SceneStore", "SceneStoreExchange", "SceneStoreFileFaults",
                "SceneStoreRigs",
                "SceneStoreSQLite", "SceneStoreTesting",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Continuous integration takes no warning; users of the package are spared.
if Context.environment["SCENESTORE_STRICT"] != nil {
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}
