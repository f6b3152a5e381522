#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreFormats

extension StoreFixture {
    /// What a fixture in a directory was made of, so that it can be made again.
    package enum Origin: Hashable, Sendable {
        /// A template and a seed.
        case template(Template, seed: UInt64)
        /// A scenario, by a path relative to the directory.
        case scenario(String)
    }

    /// The name of the file beside the store that says what it was made of.
    package static let labelName = "fixture.json"

    /// Puts the files and the label into a directory.
    package func write(
        to directory: String, origin: Origin
    ) throws(SceneStoreError) {
        try write(to: directory)
        try writeLabel(origin, to: directory)
    }

    /// Puts the label into a directory.
    package func writeLabel(
        _ origin: Origin, to directory: String
    ) throws(SceneStoreError) {
        try OutputFile.write(
            Array(Self.label(origin).utf8), to: directory + "/" + Self.labelName,
            replacing: true, protecting: nil)
    }

    private static func label(_ origin: Origin) -> String {
        let fields: CanonicalJSON =
            switch origin {
            case .template(let template, let seed):
                // As text: a seed has 64 bits, and JSON promises 53.
                ["seed": .string(String(seed)), "template": .string(template.rawValue)]
            case .scenario(let path): ["scenario": .string(path)]
            }
        return fields.text + "\n"
    }

    /// What a directory says it was made of; nil when it has no label that can be read.
    package static func origin(of directory: String) -> Origin? {
        guard let data = try? Data(contentsOf: URL(filePath: directory + "/" + labelName)),
            data.count < 1 << 20, let label = try? CanonicalJSON(parsing: Array(data))
        else {
            return nil
        }
        if let path = label.objectValue?["scenario"]?.stringValue {
            return .scenario(path)
        }
        guard
            let template = label.objectValue?["template"]?.stringValue.flatMap(
                Template.init(rawValue:)),
            let seed = label.objectValue?["seed"]?.stringValue.flatMap({ UInt64($0) })
        else {
            return nil
        }
        return .template(template, seed: seed)
    }

    /// Which files of a directory are not as this fixture has them, and from which byte on.
    package func differences(
        in directory: String
    ) -> [(name: String, offset: Int?)] {
        var result: [(name: String, offset: Int?)] = []
        for name in ["scenes.sqlite", "scenes.sqlite-wal"] {
            let wanted = files.first { $0.name == name }?.bytes
            let found = (try? Data(contentsOf: URL(filePath: directory + "/" + name)))
                .map { Array($0) }
            switch (wanted, found) {
            case (let wanted?, let found?) where wanted != found:
                let same = zip(wanted, found).prefix { $0 == $1 }.count
                result.append((name, same))
            case (nil, .some), (.some, nil): result.append((name, nil))
            default: break
            }
        }
        return result
    }
}
