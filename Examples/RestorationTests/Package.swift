// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "RestorationTests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SceneStore", path: "../..")],
    targets: [
        .target(
            name: "Shopping", dependencies: [.product(name: "SceneStore", package: "SceneStore")]),
        // snippet: tutorial-package
        .testTarget(
            name: "ShoppingTests",
            dependencies: [
                "Shopping", .product(name: "SceneStoreTesting", package: "SceneStore"),
            ]),
        // end
    ],
    swiftLanguageModes: [.v6]
)
