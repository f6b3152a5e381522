// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Middle",
    platforms: [.macOS("15.0")],
    products: [.library(name: "Middle", targets: ["Middle"])],
    dependencies: [
        .package(url: "../SceneStore", from: "1.0.0")
    ],
    targets: [
        .target(
            name: "Middle",
            dependencies: [
                .product(name: "SceneStore", package: "SceneStore"),
                .product(name: "SceneStoreHosting", package: "SceneStore"),
                .product(name: "SceneStoreRecovery", package: "SceneStore"),
            ])
    ]
)
