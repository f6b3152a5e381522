// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SceneStore",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "SceneStore", targets: ["SceneStore"]),
        .library(name: "SceneStoreFormats", targets: ["SceneStoreFormats"]),
        .library(name: "SceneStoreRecovery", targets: ["SceneStoreRecovery"]),
        .library(name: "SceneStoreLinks", targets: ["SceneStoreLinks"]),
        .library(name: "SceneStoreObservation", targets: ["SceneStoreObservation"]),
        .library(name: "SceneStoreHosting", targets: ["SceneStoreHosting"]),
        .library(name: "SceneStorePreScene", targets: ["SceneStorePreScene"]),
        .library(name: "SceneStoreInstance", targets: ["SceneStoreInstance"]),
        .library(name: "SceneStoreExchange", targets: ["SceneStoreExchange"]),
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
                "SceneStore", "SceneStoreRecovery", "SceneStoreCFaults", "SceneStoreExchange",
                "SceneStoreFormats", "SceneStoreHosting", "SceneStoreInstance",
                "SceneStoreMigrations", "SceneStoreSQLite",
            ]
        ),
        .target(name: "SceneStorePreScene", dependencies: ["SceneStore"]),
        .target(
            name: "SceneStoreUIKit",
            dependencies: [
                "SceneStore", "SceneStorePreScene",
                // UIKit's signatures where there is no UIKit, so that the adapter is checked there.
                .target(
                    name: "SceneStoreUIKitStandIn",
                    condition: .when(platforms: [.linux, .macOS, .windows, .android])),
            ]
        ),
        .target(name: "SceneStoreUIKitStandIn"),
        // SwiftUI's names where there is no SwiftUI, so that tests can import both.
        .target(name: "SceneStoreSwiftUIStandIn"),
        .target(
            name: "SceneStoreObservation", dependencies: ["SceneStore", "SceneStoreHosting"]),
        .target(
            name: "SceneStoreAdoption", dependencies: ["SceneStoreFormats", "SceneStoreValues"]),
        .executableTarget(
            name: "SceneStoreCommand",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreAdoption", "SceneStoreEngine",
                "SceneStoreExchange", "SceneStoreFormats", "SceneStoreInstance",
                "SceneStoreLinks", "SceneStoreTesting", "SceneStoreValues",
            ],
            // The pages that explain the codes, for `help CODE`.
            resources: [
                .embedInCode("../SceneStore/Documentation.docc/Adopting.md"),
                .embedInCode("../SceneStore/Documentation.docc/Doctor.md"),
                .embedInCode("../SceneStore/Documentation.docc/Errors.md"),
                .embedInCode("../SceneStore/Documentation.docc/Linting.md"),
            ]
        ),
        .target(name: "SceneStoreCTestSupport"),
        // Containers for the tests of storage, recovery and exchange.
        .target(
            name: "SceneStoreTestContainers",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreSQLite", "SceneStoreTesting",
            ],
            path: "Tests/SceneStoreTestContainers"
        ),
        .testTarget(
            name: "SceneStoreValuesTests",
            dependencies: ["SceneStore", "SceneStoreExchange", "SceneStoreTesting"]),
        .testTarget(
            name: "SceneStoreFormatsTests",
            dependencies: [
                "SceneStore", "SceneStoreExchange", "SceneStoreFormats", "SceneStoreTesting",
            ]),
        .testTarget(
            name: "SceneStoreEngineTests",
            dependencies: ["SceneStoreEngine", "SceneStoreExchange", "SceneStoreValues"]),
        .testTarget(
            name: "SceneStoreSQLiteTests",
            dependencies: [
                "SceneStoreCSQLite", "SceneStoreCTestSupport", "SceneStoreSQLite",
            ]
        ),
        .testTarget(
            name: "SceneStoreStorageTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreCSQLite", "SceneStoreCTestSupport",
                "SceneStoreExchange",
                "SceneStoreMigrations", "SceneStoreSQLite", "SceneStoreTestContainers",
                "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreRecoveryTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreCTestSupport", "SceneStoreExchange",
                "SceneStoreSQLite",
                "SceneStoreTestContainers", "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreExchangeTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreExchange", "SceneStoreSQLite",
                "SceneStoreTestContainers",
                "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreLinksTests",
            dependencies: [
                "SceneStore", "SceneStoreLinks", "SceneStoreTesting",
            ]),
        .testTarget(
            name: "SceneStoreTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreEngine", "SceneStoreExchange",
                "SceneStoreHosting",
                "SceneStoreLinks", "SceneStorePreScene", "SceneStoreSQLite", "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreInstanceTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreHosting", "SceneStoreInstance",
                "SceneStoreSQLite",
                "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreObservationTests",
            dependencies: [
                "SceneStore", "SceneStoreHosting", "SceneStoreObservation", "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreUIKitTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreAdoption", "SceneStorePreScene",
                "SceneStoreTesting", "SceneStoreUIKit",
            ]
        ),
        .testTarget(
            name: "SceneStoreTestingTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreCFaults", "SceneStoreHosting",
                "SceneStoreTesting",
            ]
        ),
        .testTarget(
            name: "SceneStoreAdoptionTests",
            dependencies: ["SceneStoreAdoption", "SceneStoreFormats", "SceneStoreValues"]
        ),
        .testTarget(
            name: "SceneStoreCommandTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreAdoption", "SceneStoreCTestSupport",
                "SceneStoreCommand",
                "SceneStoreExchange", "SceneStoreFormats", "SceneStoreHosting",
                "SceneStoreInstance", "SceneStoreLinks", "SceneStoreMigrations",
                "SceneStoreSQLite", "SceneStoreTesting", "SceneStoreValues",
            ]
        ),
        // What the reference shows, compiled as an app is: without the package's own declarations.
        .testTarget(
            name: "SceneStoreExampleTests",
            dependencies: [
                "SceneStore", "SceneStoreRecovery", "SceneStoreExchange", "SceneStoreFormats",
                "SceneStoreHosting", "SceneStoreInstance",
                "SceneStoreLinks", "SceneStoreObservation", "SceneStorePreScene",
                "SceneStoreSwiftUIStandIn", "SceneStoreTesting", "SceneStoreUIKit",
            ],
            packageAccess: false
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
