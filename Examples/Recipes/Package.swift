// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Recipes",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SceneStore", path: "../..")],
    targets: [
        .executableTarget(
            name: "Recipes",
            dependencies: [
                .product(name: "SceneStore", package: "SceneStore"),
                .product(name: "SceneStoreExchange", package: "SceneStore"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
