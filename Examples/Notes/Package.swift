// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Notes",
    dependencies: [.package(name: "SceneStore", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CGtk", path: "Sources/CGtk", pkgConfig: "gtk4",
            providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "Notes",
            dependencies: [
                "CGtk", .product(name: "SceneStore", package: "SceneStore"),
                .product(name: "SceneStoreRecovery", package: "SceneStore"),
                .product(name: "SceneStoreExchange", package: "SceneStore"),
                .product(name: "SceneStoreHosting", package: "SceneStore"),
                .product(name: "SceneStoreInstance", package: "SceneStore"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
