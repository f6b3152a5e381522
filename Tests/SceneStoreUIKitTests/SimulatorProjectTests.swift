#if !canImport(UIKit)
    import Foundation
    import SceneStore
    import SceneStoreTesting
    import SceneStoreUIKit
    import SceneStoreUIKitStandIn
    import Testing

    /// `Scripts/simulator.sh` needs a Mac; what can be seen of it without one is checked here.
    @MainActor
    @Suite("the project that the checks in a simulator run in")
    struct SimulatorProjectTests {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()

        private typealias Object = [String: Any]

        /// The keys that each kind of object has to have.
        private static let required: [String: Set<String>] = [
            "PBXProject": [
                "buildConfigurationList", "mainGroup", "targets", "packageReferences",
                "productRefGroup", "preferredProjectObjectVersion",
            ],
            "PBXGroup": ["children", "sourceTree"],
            "PBXFileReference": ["explicitFileType", "path", "sourceTree"],
            "PBXFileSystemSynchronizedRootGroup": ["path", "sourceTree"],
            "PBXNativeTarget": [
                "buildConfigurationList", "buildPhases", "dependencies", "name", "productName",
                "productReference", "productType", "fileSystemSynchronizedGroups",
                "packageProductDependencies", "buildRules",
            ],
            "PBXTargetDependency": ["target", "targetProxy"],
            "PBXContainerItemProxy": [
                "containerPortal", "proxyType", "remoteGlobalIDString", "remoteInfo",
            ],
            "PBXSourcesBuildPhase": ["buildActionMask", "files"],
            "PBXFrameworksBuildPhase": ["buildActionMask", "files"],
            "PBXResourcesBuildPhase": ["buildActionMask", "files"],
            "PBXBuildFile": ["productRef"],
            "XCConfigurationList": ["buildConfigurations", "defaultConfigurationName"],
            "XCBuildConfiguration": ["buildSettings", "name"],
            "XCLocalSwiftPackageReference": ["relativePath"],
            "XCSwiftPackageProductDependency": ["productName"],
        ]

        private func withProject(_ work: (URL) throws -> Void) throws {
            let folder = try TemporaryDirectory.make()
            defer { TemporaryDirectory.remove(folder) }
            let process = Process()
            process.executableURL = Self.root.appending(path: "Scripts/simulator.sh")
            process.arguments = ["--project", folder]
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            try work(URL(filePath: folder))
        }

        private func project(_ folder: URL) throws -> (version: String, objects: [String: Object]) {
            let bytes = try Data(
                contentsOf: folder.appending(path: "Checks.xcodeproj/project.pbxproj"))
            var format = PropertyListSerialization.PropertyListFormat.xml
            let list = try #require(
                try PropertyListSerialization.propertyList(from: bytes, format: &format)
                    as? Object)
            #expect(format == .openStep)
            let objects = try #require(list["objects"] as? [String: Object])
            let root = try #require(list["rootObject"] as? String)
            #expect(objects[root]?["isa"] as? String == "PBXProject")
            return (try #require(list["objectVersion"] as? String), objects)
        }

        /// All texts in a value.
        private func texts(_ value: Any) -> [String] {
            switch value {
            case let text as String: [text]
            case let list as [Any]: list.flatMap(texts)
            case let object as Object: object.keys + object.values.flatMap(texts)
            default: []
            }
        }

        @Test("each object has its keys, and each reference is to an object that something needs")
        func references() throws {
            try withProject { folder in
                let (version, objects) = try project(folder)
                #expect(version == "77")
                var referred: Set<String> = []
                for (identifier, object) in objects {
                    let kind = try #require(object["isa"] as? String)
                    let keys = try #require(Self.required[kind], "\(kind)")
                    #expect(keys.isSubset(of: object.keys), "\(kind) \(identifier)")
                    let names = texts(object).filter { $0.hasPrefix("C4EC5") }
                    #expect(names.allSatisfy { objects[$0] != nil && $0.count == 24 })
                    referred.formUnion(names)
                }
                let kinds = Set(objects.values.compactMap { $0["isa"] as? String })
                #expect(kinds == Set(Self.required.keys))
                let unused = objects.filter { !referred.contains($0.key) }
                #expect(unused.isEmpty)
            }
        }

        @Test("the folders, the package and what the scheme names are there")
        func places() throws {
            try withProject { folder in
                let objects = try project(folder).objects
                func values(_ key: String, of kind: String) -> [String] {
                    objects.values.filter { $0["isa"] as? String == kind }
                        .compactMap { $0[key] as? String }.sorted()
                }
                for path in values("path", of: "PBXFileSystemSynchronizedRootGroup") {
                    let names = try FileManager.default.contentsOfDirectory(
                        atPath: folder.appending(path: path).path(percentEncoded: false))
                    #expect(names.contains { $0.hasSuffix(".swift") })
                }
                let package = try #require(
                    values("relativePath", of: "XCLocalSwiftPackageReference").first)
                let manifest = folder.resolvingSymlinksInPath().appending(path: package)
                    .appending(path: "Package.swift")
                let text = try String(contentsOf: manifest, encoding: .utf8)
                for product in values("productName", of: "XCSwiftPackageProductDependency") {
                    #expect(text.contains(".library(name: \"\(product)\""))
                }
                let settings = objects.values.compactMap { $0["buildSettings"] as? Object }
                let list = try #require(settings.compactMap { $0["INFOPLIST_FILE"] }.first)
                let info = try PropertyListSerialization.propertyList(
                    from: Data(contentsOf: folder.appending(path: "\(list)")), format: nil)
                #expect(texts(info).contains("scenestore-checks"))
                let scheme = try String(
                    contentsOf: folder.appending(
                        path: "Checks.xcodeproj/xcshareddata/xcschemes/Checks.xcscheme"),
                    encoding: .utf8)
                let named = scheme.components(separatedBy: "BlueprintIdentifier='").dropFirst()
                    .map { String($0.prefix(24)) }
                #expect(named.count == 3)
                #expect(named.allSatisfy { objects[$0]?["isa"] as? String == "PBXNativeTarget" })
            }
        }

        // MARK: What the checks expect

        private func launch(
            _ device: SimulatedDevice, _ plugin: NotingPlugin, _ payloads: [Payload]
        ) throws {
            let forwarder = ApplicationDelegateForwarder(
                to: plugin, application: UIApplication())
            _ = try device.launch(payloads) {
                FakeUIKit(
                    FakeUIKit.App(delegate: EmptyAppDelegate()) {
                        let delegate = ChecksSceneDelegate()
                        delegate.forwarder = forwarder
                        return delegate
                    })
            }
        }

        /// A device's app whose plug-in is asked for its notes, and what each check expects of it.
        @Test("L-66 the checks expect of a link what the engine does with it")
        func expectations() throws {
            let checks = try String(
                contentsOf: Self.root.appending(
                    path: "Scripts/simulator/ChecksUITests/AdapterChecks.swift"),
                encoding: .utf8)
            let link = Payload.urls([OpenURLContext(url: "scenestore-checks://1")])
            var manifest = SceneManifest()
            manifest.configurations = [
                .windowApplication: [
                    SceneConfiguration(name: "Default", role: .windowApplication)
                ]
            ]
            func notes(_ payloads: [Payload], _ work: (SimulatedDevice) throws -> Void) throws
                -> String
            {
                let device = try SimulatedDevice(manifest: manifest)
                let plugin = NotingPlugin()
                try launch(device, plugin, payloads)
                try work(device)
                return plugin.notes.joined(separator: ", ")
            }
            let cold = try notes([link]) { _ in }
            let background = try notes([]) { device in
                try device.moveToBackground()
                try device.deliver(link)
            }
            let active = try notes([]) { try $0.deliver(link) }
            #expect(checks.contains("expect(\"\(cold)\")"), "\(cold)")
            #expect(checks.contains("expect(\"\(background)\")"), "\(background)")
            #expect(active.hasSuffix("active, open scenestore-checks://1"), "\(active)")
        }
    }

    private final class EmptyAppDelegate: UIResponder, UIApplicationDelegate {}
#endif
