/// The stored form of payloads: a map with one key, which says what it is, and for an activity the
/// key of the app that handed it over.
extension ValueEncoder {
    /// Appends a payload; false when something in it is not allowed.
    package mutating func append(_ payload: Payload) -> Bool {
        guard takeNode() else {
            return false
        }
        var source: String?
        if case .activity(_, let application) = payload {
            source = application
        }
        appendMapHead(source == nil ? 1 : 2)
        return switch payload {
        case .urls(let contexts): field("urls") { $0.append(contexts) }
        case .activity(let activity, _):
            field("source", source != nil) { $0.appendName(source ?? "") }
                && field("activity") { $0.append(activity) }
        case .shortcut(let item): field("shortcut") { $0.append(item) }
        case .notification(let response): field("notification") { $0.append(response) }
        }
    }

    private mutating func append(_ contexts: [OpenURLContext]) -> Bool {
        guard takeNode() else {
            return false
        }
        appendArrayHead(contexts.count)
        for (index, context) in contexts.enumerated() {
            guard append(context) else {
                return note(.index(index))
            }
        }
        return true
    }

    private mutating func append(_ context: OpenURLContext) -> Bool {
        guard takeNode() else {
            return false
        }
        let hasSource = context.sourceApplication != nil
        appendMapHead(1 + (hasSource ? 1 : 0) + (context.openInPlace ? 1 : 0))
        return field("url") { $0.append(.string(context.url)) }
            && field("source", hasSource) { $0.appendName(context.sourceApplication ?? "") }
            && field("inPlace", context.openInPlace) { $0.append(.boolean(true)) }
    }

    private mutating func append(_ item: ShortcutItem) -> Bool {
        guard takeNode() else {
            return false
        }
        let hasInfo = !item.userInfo.isEmpty
        let hasTarget = item.targetContentIdentifier != nil
        let hasTitle = !item.localizedTitle.isEmpty
        let hasSubtitle = item.localizedSubtitle != nil
        appendMapHead(1 + [hasInfo, hasTarget, hasTitle, hasSubtitle].count { $0 })
        return field("info", hasInfo) { $0.append(item.userInfo) }
            && field("type") { $0.appendName(item.type) }
            && field("title", hasTitle) { $0.append(.string(item.localizedTitle)) }
            && field("target", hasTarget) { $0.appendName(item.targetContentIdentifier ?? "") }
            && field("subtitle", hasSubtitle) { $0.append(.string(item.localizedSubtitle ?? "")) }
    }

    private mutating func append(_ response: NotificationResponse) -> Bool {
        guard takeNode() else {
            return false
        }
        let hasInfo = !response.userInfo.isEmpty
        let hasTarget = response.targetContentIdentifier != nil
        let hasAction = !response.actionIdentifier.hasSameBytes(
            as: NotificationResponse.defaultActionIdentifier)
        let hasDate = response.date != nil
        appendMapHead(
            1 + (hasDate ? 1 : 0) + (hasInfo ? 1 : 0) + (hasAction ? 1 : 0) + (hasTarget ? 1 : 0))
        return field("id") { $0.appendName(response.identifier) }
            && field("date", hasDate) { $0.append(response.date.map { .date($0) } ?? .null) }
            && field("info", hasInfo) { $0.append(response.userInfo) }
            && field("action", hasAction) { $0.appendName(response.actionIdentifier) }
            && field("target", hasTarget) { $0.appendName(response.targetContentIdentifier ?? "") }
    }

    /// Appends a field, if there is one.
    private mutating func field(
        _ key: StaticString, _ isPresent: Bool = true, _ append: (inout Self) -> Bool
    ) -> Bool {
        guard isPresent else {
            return true
        }
        appendKey(key)
        return append(&self) || note(.key(Self.property(of: "\(key)")))
    }

    /// Who encodes knows a field by its property's name.
    private static func property(of key: String) -> String {
        switch key {
        case "action": "actionIdentifier"
        case "id": "identifier"
        case "info": "userInfo"
        case "inPlace": "openInPlace"
        case "notification": "notificationResponse"
        case "shortcut": "shortcutItem"
        case "source": "sourceApplication"
        case "subtitle": "localizedSubtitle"
        case "target": "targetContentIdentifier"
        case "title": "localizedTitle"
        case "urls": "urlContexts"
        default: key
        }
    }
}

extension Payload {
    /// Makes a payload of its stored fields.
    package init(storedFields: ValueDictionary, path: String = "") throws(SceneStoreError) {
        var content = storedFields
        if storedFields["activity"] != nil {
            content["source"] = nil
        }
        guard content.count == 1, let pair = content.first else {
            throw StoredFields.malformed(path)
        }
        let place = KeyPathText.text(path, .key(pair.key))
        switch pair.key {
        case "urls":
            self = .urls(
                try StoredFields(storedFields, path: path).elements("urls", OpenURLContext.init))
        case "activity":
            self = .activity(
                try UserActivity(storedValue: pair.value, path: place),
                sourceApplication: try StoredFields(storedFields, path: path)
                    .optional("source", \.stringValue))
        case "shortcut": self = .shortcut(try ShortcutItem(storedValue: pair.value, path: place))
        case "notification":
            self = .notification(try NotificationResponse(storedValue: pair.value, path: place))
        default: throw StoredFields.malformed(place)
        }
    }
}

extension UserActivity {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        try self.init(storedFields: StoredFields(storedValue, path: path).fields, path: path)
    }
}

extension OpenURLContext {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: path)
        self.init(
            url: try fields.required("url", \.stringValue),
            sourceApplication: try fields.optional("source", \.stringValue),
            openInPlace: try fields.optional("inPlace", \.boolValue) ?? false)
    }
}

extension ShortcutItem {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: path)
        self.init(
            type: try fields.required("type", \.stringValue),
            targetContentIdentifier: try fields.optional("target", \.stringValue),
            userInfo: try fields.optional("info", \.dictionaryValue) ?? [:],
            localizedTitle: try fields.optional("title", \.stringValue) ?? "",
            localizedSubtitle: try fields.optional("subtitle", \.stringValue))
    }
}

extension NotificationResponse {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: path)
        self.init(
            identifier: try fields.required("id", \.stringValue),
            actionIdentifier: try fields.optional("action", \.stringValue)
                ?? NotificationResponse.defaultActionIdentifier,
            targetContentIdentifier: try fields.optional("target", \.stringValue),
            userInfo: try fields.optional("info", \.dictionaryValue) ?? [:],
            date: try fields.optional("date", \.dateValue))
    }
}

extension ValueCodec {
    /// The bytes of a payload.
    package static func encode(
        _ payload: Payload, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encoded(limits, "") { $0.append(payload) }
    }

    /// The payload that bytes stand for.
    package static func decodePayload(
        _ bytes: UnsafeRawBufferPointer, limits: Limits = .standard
    ) throws(SceneStoreError) -> Payload {
        // The payload's map and the activity's are above the userInfo, or an array between them.
        try Payload(storedFields: fields(bytes, limits, extraLevels: 3))
    }

    /// The payload that bytes stand for.
    package static func decodePayload(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(SceneStoreError) -> Payload {
        try bytes.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            try decodePayload(UnsafeRawBufferPointer(bytes), limits: limits)
        }
    }
}
