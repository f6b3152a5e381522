// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../Middle"),
        .package(path: "../Ledger"),
        .package(url: "../SceneStore", from: "1.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "Five",
            dependencies: [
                "Ledger",
                .product(name: "SceneStore", package: "SceneStore"),
                .product(name: "SceneStoreExchange", package: "SceneStore"),
                .product(name: "SceneStoreFormats", package: "SceneStore"),
                .product(name: "SceneStoreInstance", package: "SceneStore"),
                .product(name: "SceneStoreLinks", package: "SceneStore"),
                .product(name: "SceneStoreObservation", package: "SceneStore"),
                .product(name: "SceneStorePreScene", package: "SceneStore"),
                .product(name: "SceneStoreRecovery", package: "SceneStore"),
                .product(name: "SceneStoreUIKit", package: "SceneStore"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // It knows SceneStore only by way of Middle.
        .executableTarget(
            name: "Six", dependencies: ["Ledger", "Middle"],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
