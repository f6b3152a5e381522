// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Adapters",
    dependencies: [.package(name: "SceneStore", path: "../..")],
    targets: [
        .target(name: "TextUI"),
        .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "Notes",
            dependencies: [
                "TextUI", .product(name: "SceneStoreHosting", package: "SceneStore"),
                .product(name: "SceneStoreInstance", package: "SceneStore"),
            ]),
        .executableTarget(
            name: "GtkNotes",
            dependencies: [
                "CGtk", .product(name: "SceneStoreHosting", package: "SceneStore"),
                .product(name: "SceneStoreInstance", package: "SceneStore"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
