// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Terminal",
    dependencies: [.package(name: "SceneStore", path: "../..")],
    targets: [
        .executableTarget(
            name: "Terminal",
            dependencies: [
                .product(name: "SceneStore", package: "SceneStore"),
                .product(name: "SceneStoreRecovery", package: "SceneStore"),
                .product(name: "SceneStoreHosting", package: "SceneStore"),
                .product(name: "SceneStoreInstance", package: "SceneStore"),
            ]),
        .testTarget(
            name: "TerminalTests",
            dependencies: [
                "Terminal", .product(name: "SceneStoreTesting", package: "SceneStore"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
