// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SceneStore",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "SceneStore", targets: ["SceneStore"]),
        .library(name: "SceneStoreTesting", targets: ["SceneStoreTesting"]),
        .library(name: "SceneStoreUIKit", targets: ["SceneStoreUIKit"]),
        .executable(name: "scenestore", targets: ["SceneStoreCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "SceneStoreCSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        .target(name: "SceneStoreCSupport"),
        .target(
            name: "SceneStoreSQLite",
            dependencies: ["SceneStoreCSQLite", "SceneStoreCSupport"]
        ),
        .target(
            name: "SceneStoreMigrations",
            resources: [
                .embedInCode("../../Migrations/0001_core.sql"),
                .embedInCode("../../Migrations/0002_records.sql"),
                .embedInCode("../../Migrations/0003_views.sql"),
            ]
        ),
        .target(
            name: "SceneStore",
            dependencies: ["SceneStoreSQLite", "SceneStoreMigrations"]
        ),
        .target(
            name: "SceneStoreCFaults",
            dependencies: ["SceneStoreCSQLite"]
        ),
        .target(
            name: "SceneStoreTesting",
            dependencies: [
                "SceneStore", "SceneStoreSQLite", "SceneStoreMigrations", "SceneStoreCFaults",
            ]
        ),
        .target(
            name: "SceneStoreUIKit",
            dependencies: [
                "SceneStore",
                // UIKit's signatures where there is no UIKit, so that the adapter is checked there.
                .target(
                    name: "SceneStoreUIKitStandIn",
                    condition: .when(platforms: [.linux, .macOS, .windows, .android])),
            ]
        ),
        .target(name: "SceneStoreUIKitStandIn"),
        .target(name: "SceneStoreAdoption", dependencies: ["SceneStore"]),
        .executableTarget(
            name: "SceneStoreCommand",
            dependencies: ["SceneStore", "SceneStoreTesting", "SceneStoreAdoption"]
        ),
        .target(name: "SceneStoreCTestSupport"),
        .target(name: "SceneStoreCSystemFaults"),
        .executableTarget(
            name: "SceneStoreRigs",
            dependencies: [
                "SceneStore", "SceneStoreTesting", "SceneStoreSQLite", "SceneStoreMigrations",
                "SceneStoreCTestSupport", "SceneStoreCSystemFaults",
            ]
        ),
        .target(name: "SceneStoreBenchmarkFloor", dependencies: ["SceneStoreCSQLite"]),
        .executableTarget(
            name: "SceneStoreBenchmarkFloorApp", dependencies: ["SceneStoreBenchmarkFloor"]),
        .executableTarget(name: "SceneStoreBenchmarkApp", dependencies: ["SceneStore"]),
        .executableTarget(
            name: "SceneStoreBenchmarks",
            dependencies: ["SceneStore", "SceneStoreTesting", "SceneStoreBenchmarkFloor"]
        ),
        .testTarget(
            name: "SceneStoreMaintenanceTests",
            dependencies: ["SceneStore", "SceneStoreTesting", "SceneStoreSQLite"]
        ),
        .testTarget(
            name: "SceneStoreSQLiteTests",
            dependencies: ["SceneStoreSQLite", "SceneStoreCSQLite", "SceneStoreCTestSupport"]
        ),
        .testTarget(
            name: "SceneStoreCodecTests", dependencies: ["SceneStore", "SceneStoreTesting"]),
        .testTarget(
            name: "SceneStoreManifestTests", dependencies: ["SceneStore", "SceneStoreTesting"]),
        .testTarget(name: "SceneStoreAdoptionTests", dependencies: ["SceneStoreAdoption"]),
        .testTarget(
            name: "SceneStoreLinksTests", dependencies: ["SceneStore", "SceneStoreTesting"]),
        .testTarget(
            name: "SceneStoreStoreTests",
            dependencies: [
                "SceneStore", "SceneStoreSQLite", "SceneStoreMigrations", "SceneStoreCSQLite",
            ]
        ),
        .testTarget(
            name: "SceneStoreFaultsTests",
            dependencies: ["SceneStoreTesting", "SceneStoreCFaults", "SceneStoreCSQLite"]
        ),
        .testTarget(
            name: "SceneStoreScenarioTests", dependencies: ["SceneStore", "SceneStoreTesting"]),
        .testTarget(
            name: "SceneStoreLifecycleTests",
            dependencies: ["SceneStore", "SceneStoreSQLite", "SceneStoreTesting"]),
        .testTarget(
            name: "SceneStoreHostTests",
            dependencies: ["SceneStore", "SceneStoreTesting", "SceneStoreUIKit"]
        ),
        .testTarget(
            name: "SceneStoreTestingTests", dependencies: ["SceneStore", "SceneStoreTesting"]),
        .testTarget(
            name: "SceneStoreRigTests",
            dependencies: ["SceneStore", "SceneStoreTesting", "SceneStoreRigs"]
        ),
        .testTarget(
            name: "SceneStoreCommandTests",
            dependencies: [
                "SceneStore", "SceneStoreTesting", "SceneStoreCommand", "SceneStoreSQLite",
                "SceneStoreCTestSupport",
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
