// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Survivor",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SceneStore", path: "../..")],
    targets: [
        .executableTarget(
            name: "Survivor",
            dependencies: [
                .product(name: "SceneStore", package: "SceneStore"),
                .product(name: "SceneStoreRecovery", package: "SceneStore"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
