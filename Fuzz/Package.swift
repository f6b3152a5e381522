// swift-tools-version: 6.2
import PackageDescription

// The library's sources stand here by symbolic links: so they are instrumented (unsafe flags are
// for root packages alone), and the fuzz targets see what has package access. Build it by
// Scripts/fuzz.sh.
let instrumented: [SwiftSetting] = [
    .unsafeFlags(["-sanitize=fuzzer,address", "-assert-config", "Debug", "-enable-testing"])
]
let instrumentedC: [CSetting] = [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    targets: [
        .systemLibrary(
            name: "SceneStoreCSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        .target(name: "SceneStoreCSupport", cSettings: instrumentedC),
        .target(
            name: "SceneStoreCSockets", dependencies: ["SceneStoreCSupport"],
            cSettings: instrumentedC
        ),
        .target(
            name: "SceneStoreSQLite",
            dependencies: ["SceneStoreCSQLite", "SceneStoreCSupport"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreMigrations",
            resources: [
                .embedInCode("../../Migrations/0001_schema.sql")
            ]
        ),
        .target(name: "SceneStoreValues", swiftSettings: instrumented),
        .target(
            name: "SceneStoreFormats", dependencies: ["SceneStoreValues"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreEngine", dependencies: ["SceneStoreValues"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreStorage",
            dependencies: ["SceneStoreValues", "SceneStoreSQLite", "SceneStoreMigrations"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreRecovery", dependencies: ["SceneStoreStorage"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStore", dependencies: ["SceneStoreEngine", "SceneStoreStorage"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreHosting", dependencies: ["SceneStore"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreInstance",
            dependencies: ["SceneStore", "SceneStoreCSockets", "SceneStoreHosting"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreExchange",
            dependencies: ["SceneStore", "SceneStoreFormats", "SceneStoreRecovery"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreLinks", dependencies: ["SceneStoreFormats"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreAdoption", dependencies: ["SceneStoreFormats"],
            swiftSettings: instrumented
        ),
        .target(
            name: "SceneStoreCFaults",
            dependencies: ["SceneStoreCSQLite"],
            cSettings: instrumentedC
        ),
        .target(
            name: "SceneStoreTesting",
            dependencies: [
                "SceneStore", "SceneStoreExchange", "SceneStoreInstance", "SceneStoreCFaults",
            ],
            swiftSettings: instrumented
        ),
        .target(name: "SceneStoreCFuzz"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "SceneStore", "SceneStoreAdoption", "SceneStoreExchange", "SceneStoreFormats",
                "SceneStoreInstance", "SceneStoreLinks", "SceneStoreRecovery", "SceneStoreTesting",
                "SceneStoreSQLite", "SceneStoreCSQLite", "SceneStoreCFuzz",
            ],
            swiftSettings: instrumented,
            linkerSettings: [
                .unsafeFlags(["-sanitize=fuzzer,address"]),
                // The other linkers stumble over instrumented code.
                .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
