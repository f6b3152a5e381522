import SceneStoreFormats
import SceneStoreValues

/// Turns the JSON of an association file into details, and notes what is odd (K-09, K-11).
///
/// As lenient as Apple's own reader: a part that makes no sense counts as absent, everything else
/// works, and a finding says which part, why, and what to do.
struct AssociationReader {
    private(set) var details: [AssociationDetail] = []
    private(set) var variables = SubstitutionVariables()
    private(set) var platform = AssociationFile.Platform.apple
    private(set) var findings: [Diagnostic] = []

    /// What a level above a rule says about it.
    struct Defaults {
        var path: String?
        var query: AssociationComponent.Query?
        var fragment: String?
        var isExcluded: Bool?
        var isCaseSensitive: Bool?
        var isPercentEncoded: Bool?
    }

    init(_ root: CanonicalJSON) throws(SceneStoreError) {
        switch root {
        case .object(let members):
            readApple(members)
        case .array(let statements):
            platform = .android
            readAndroid(statements)
        default:
            throw SceneStoreError(
                .associationMalformed,
                "the file is neither an object (apple-app-site-association) "
                    + "nor an array (assetlinks.json)")
        }
    }

    /// A file of one rule, as a matching tool takes it.
    init(component: CanonicalJSON) throws(SceneStoreError) {
        guard case .object = component else {
            throw SceneStoreError(
                .associationMalformed, "a rule is an object such as {\"/\": \"/videos/*\"}")
        }
        var components: [AssociationComponent] = []
        readComponents([component], at: "", defaults: [], into: &components)
        for index in components.indices {
            components[index].keyPath = "pattern"
        }
        details = [AssociationDetail(keyPath: "pattern", appIDs: [], components: components)]
    }

    mutating func note(
        _ code: Diagnostic.Code, _ severity: Diagnostic.Severity, _ message: String, _ path: String,
        fix: String? = nil
    ) {
        findings.append(Diagnostic(code, severity, message, path: path, fix: fix))
    }

    // MARK: Apple

    private static let services: Set<String> = [
        "applinks", "webcredentials", "appclips", "activitycontinuation",
    ]

    private mutating func readApple(_ parts: CanonicalJSON.Object) {
        for member in parts.members where !Self.services.contains(member.key) {
            note(
                .associationUnknownKey, .note, "an unknown service is ignored", member.key,
                fix: "the services are applinks, webcredentials, appclips, activitycontinuation")
        }
        guard let links = parts["applinks"] else {
            note(
                .associationMissingPart, .error, "the file has no applinks", "applinks",
                fix: "add {\"applinks\": {\"details\": […]}}")
            return
        }
        guard case .object(let parts) = links else {
            noteMalformed("applinks", "an object")
            return
        }
        let known: Set<String> = ["apps", "defaults", "details", "substitutionVariables"]
        for part in parts.members where !known.contains(part.key) {
            note(
                .associationUnknownKey, .note, "an unknown key is ignored",
                KeyPathText.text("applinks", .key(part.key)),
                fix: "remove it, or check its spelling")
        }
        if let apps = links["apps"], apps != .array([]) {
            note(
                .associationAppsNotEmpty, .warning, "apps is not an empty array", "applinks.apps",
                fix: "leave the key out, or write \"apps\": [] for systems before iOS 13")
        }
        readVariables(links["substitutionVariables"])
        let domain = readDefaults(links["defaults"], at: "applinks.defaults")
        switch links["details"] {
        case .array(let entries):
            for (index, entry) in entries.enumerated() {
                readDetail(entry, at: "applinks.details[\(index)]", app: nil, domain)
            }
        case .object(let entries):
            note(
                .associationLegacyDetails, .note,
                "details is a dictionary, the form of iOS 8", "applinks.details",
                fix: "write details as an array of objects with appIDs")
            for entry in entries.members {
                readDetail(
                    entry.value, at: KeyPathText.text("applinks.details", .key(entry.key)),
                    app: entry.key, domain)
            }
        case nil:
            note(
                .associationMissingPart, .error, "applinks has no details", "applinks.details",
                fix: "add an object with appIDs and components for each app")
        default:
            noteMalformed("applinks.details", "an array")
        }
    }

    mutating func noteMalformed(_ path: String, _ wanted: String) {
        note(
            .associationMalformedPart, .error, "the part is not \(wanted) and is ignored", path,
            fix: "write \(wanted)")
    }

    private mutating func readVariables(_ json: CanonicalJSON?) {
        let path = "applinks.substitutionVariables"
        guard let json else {
            return
        }
        guard let members = json.objectValue?.members else {
            noteMalformed(path, "an object of arrays of strings")
            return
        }
        for member in members {
            let place = KeyPathText.text(path, .key(member.key))
            let texts = member.value.arrayValue?.map(\.stringValue)
            guard let texts, !texts.contains(nil) else {
                noteMalformed(place, "an array of strings")
                continue
            }
            if member.key.contains(where: { "$()".contains($0) }) || member.key.isEmpty {
                note(
                    .associationBadVariable, .error, "the name can't be referred to", place,
                    fix: "use any characters except $, ( and )")
            }
            if SubstitutionVariables.isBuiltIn(member.key) {
                note(
                    .associationBadVariable, .warning, "the variable hides a built-in one", place,
                    fix: "choose another name")
            }
            let values = texts.compactMap(\.self)
            if values.isEmpty {
                note(
                    .associationBadVariable, .error,
                    "the variable has no values, so patterns that use it never match", place,
                    fix: "add values, or remove the variable")
            }
            if values.contains(where: { $0.contains("$(") }) {
                note(
                    .associationBadVariable, .error,
                    "a value refers to a variable; variables can't be nested", place,
                    fix: "write the values out")
            }
            variables.define(member.key, values)
        }
    }

    private mutating func readDetail(
        _ json: CanonicalJSON, at path: String, app: String?, _ domain: Defaults
    ) {
        guard let members = json.objectValue?.members else {
            noteMalformed(path, "an object")
            return
        }
        let known: Set<String> = ["appID", "appIDs", "components", "defaults", "paths"]
        for member in members where !known.contains(member.key) {
            note(
                .associationUnknownKey, .note, "an unknown key is ignored",
                KeyPathText.text(path, .key(member.key)),
                fix: "remove it, or check its spelling")
        }
        let apps = readApps(json, at: path, app: app)
        let own = readDefaults(json["defaults"], at: "\(path).defaults")
        var components: [AssociationComponent] = []
        if let json = json["components"] {
            if let list = json.arrayValue {
                readComponents(
                    list, at: "\(path).components", defaults: [own, domain],
                    into: &components)
            } else {
                noteMalformed("\(path).components", "an array")
            }
        }
        if let paths = json["paths"] {
            if json["components"]?.arrayValue != nil {
                note(
                    .associationPathsIgnored, .note,
                    "components count; paths are for systems before iOS 13", "\(path).paths",
                    fix: "give both the same rules, or remove paths")
            } else {
                readPaths(paths, at: "\(path).paths", into: &components)
            }
        } else if json["components"] == nil {
            note(
                .associationMissingPart, .warning,
                "the entry has no components and matches nothing",
                path, fix: "add components; {} matches every link")
        }
        if components.isEmpty, json["components"]?.arrayValue != nil {
            note(
                .associationMissingPart, .warning, "components has no rule and matches nothing",
                "\(path).components", fix: "add a rule; {} matches every link")
        }
        details.append(AssociationDetail(keyPath: path, appIDs: apps, components: components))
    }

    private mutating func readApps(
        _ json: CanonicalJSON, at path: String, app: String?
    ) -> [String] {
        var result: [String] = app.map { [$0] } ?? []
        if let single = json["appID"] {
            if let text = single.stringValue {
                result.append(text)
            } else {
                noteMalformed("\(path).appID", "a string")
            }
        }
        if let several = json["appIDs"] {
            if json["appID"] != nil {
                note(
                    .associationBothAppKeys, .note, "both appID and appIDs are given; both count",
                    path, fix: "appID is for systems before iOS 13; give both keys the same apps")
            }
            if let list = several.arrayValue {
                for (index, entry) in list.enumerated() {
                    if let text = entry.stringValue {
                        result.append(text)
                    } else {
                        noteMalformed("\(path).appIDs[\(index)]", "a string")
                    }
                }
            } else {
                noteMalformed("\(path).appIDs", "an array of strings")
            }
        }
        var seen: Set<String> = []
        result = result.filter { seen.insert($0).inserted }
        if result.isEmpty {
            note(
                .associationMissingPart, .error, "the entry names no app", path,
                fix: "add \"appIDs\": [\"TEAMID.bundle.identifier\"]")
        }
        for app in result where !Self.isApplicationIdentifier(app) {
            note(
                .associationBadAppID, .warning, "an application identifier is malformed", path,
                fix: "write the ten-character team identifier, a dot and the bundle identifier")
        }
        return result
    }

    /// A prefix of ten capitals and digits, a dot, and a bundle identifier.
    private static func isApplicationIdentifier(_ text: String) -> Bool {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 10, !parts[1].isEmpty else {
            return false
        }
        return parts[0].allSatisfy {
            URLByte.isDigit($0) || (URLByte.isLetter($0) && $0 < 0x60)
        }
    }

    private mutating func readPaths(
        _ json: CanonicalJSON, at path: String, into components: inout [AssociationComponent]
    ) {
        guard let list = json.arrayValue else {
            noteMalformed(path, "an array of strings")
            return
        }
        for (index, entry) in list.enumerated() {
            guard let text = entry.stringValue else {
                noteMalformed("\(path)[\(index)]", "a string")
                continue
            }
            var component = AssociationComponent(keyPath: "\(path)[\(index)]")
            component.isExcluded = text.hasPrefix("NOT ")
            component.path = String(component.isExcluded ? text.dropFirst(4) : text[...])
            component.isLegacy = true
            components.append(component)
        }
    }

    // MARK: Android

    private mutating func readAndroid(_ statements: [CanonicalJSON]) {
        let relation = "delegate_permission/common.handle_all_urls"
        for (index, statement) in statements.enumerated() {
            let path = "[\(index)]"
            guard statement.objectValue != nil else {
                noteMalformed(path, "an object")
                continue
            }
            let relations = statement["relation"]?.arrayValue?.compactMap(\.stringValue) ?? []
            guard relations.contains(relation) else {
                note(
                    .associationUnknownKey, .note, "the statement is not about links",
                    "\(path).relation", fix: "links need the relation \(relation)")
                continue
            }
            let target = statement["target"]
            guard target?["namespace"]?.stringValue == "android_app" else {
                note(
                    .associationUnknownKey, .note, "the target is not an Android app",
                    "\(path).target.namespace", fix: "use the namespace android_app")
                continue
            }
            guard let package = target?["package_name"]?.stringValue, !package.isEmpty else {
                note(
                    .associationMissingPart, .error, "the statement names no app",
                    "\(path).target.package_name", fix: "add the application identifier")
                continue
            }
            if target?["sha256_cert_fingerprints"]?.arrayValue?.isEmpty ?? true {
                note(
                    .associationMissingPart, .error, "the app has no certificate fingerprint",
                    "\(path).target.sha256_cert_fingerprints",
                    fix: "add the SHA-256 fingerprint of the signing certificate")
            }
            let place = "\(path).relation_extensions[\"\(relation)\"].dynamic_app_link_components"
            var components: [AssociationComponent] = []
            let dynamic = statement["relation_extensions"]?[relation]?[
                "dynamic_app_link_components"]
            if let list = dynamic?.arrayValue {
                readComponents(list, at: place, defaults: [], into: &components)
            } else {
                if dynamic != nil {
                    noteMalformed(place, "an array")
                }
                // Without dynamic rules the app's own manifest decides alone.
                components = [AssociationComponent(keyPath: path)]
            }
            details.append(
                AssociationDetail(keyPath: path, appIDs: [package], components: components))
        }
    }
}
