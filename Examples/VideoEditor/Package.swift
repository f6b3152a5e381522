// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "VideoEditor",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SceneStore", path: "../..")],
    targets: [
        .executableTarget(
            name: "VideoEditor",
            dependencies: [
                .product(name: "SceneStore", package: "SceneStore"),
                .product(name: "SceneStoreFormats", package: "SceneStore"),
                .product(name: "SceneStoreRecovery", package: "SceneStore"),
                .product(name: "SceneStoreLinks", package: "SceneStore"),
            ],
            resources: [
                .embedInCode("../../VideoEditor-Info.plist"),
                .embedInCode("../../apple-app-site-association.json"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
