/// The stored form of payloads: a map with one key, which says what it is, and for an activity the
/// key of the app that handed it over.
extension CBORWriter {
    /// A field with the property that it stands for, by which who encodes knows it, and what appends
    /// its value; nil where there is none.
    private typealias Field = (key: String, property: String, append: ((inout Self) -> Bool)?)

    /// Appends a payload; false when something in it is not allowed.
    package mutating func append(_ payload: Payload) -> Bool {
        switch payload {
        case .urls(let contexts):
            appendMap([
                ("urls", "urlContexts", { $0.appendArray(contexts) { $0.append($1) } })
            ])
        case .activity(let activity, let application):
            appendMap([
                ("source", "sourceApplication", Self.name(application)),
                ("activity", "activity", { $0.append(activity) }),
            ])
        case .shortcut(let item):
            appendMap([("shortcut", "shortcutItem", { $0.append(item) })])
        case .notification(let response):
            appendMap([("notification", "notificationResponse", { $0.append(response) })])
        }
    }

    private mutating func append(_ context: OpenURLContext) -> Bool {
        appendMap([
            ("url", "url", { $0.append(.string(context.url)) }),
            ("source", "sourceApplication", Self.name(context.sourceApplication)),
            ("inPlace", "openInPlace", context.openInPlace ? { $0.append(.boolean(true)) } : nil),
        ])
    }

    private mutating func append(_ item: ShortcutItem) -> Bool {
        let title = item.localizedTitle.isEmpty ? nil : item.localizedTitle
        return appendMap([
            ("info", "userInfo", Self.info(item.userInfo)),
            ("type", "type", Self.name(item.type)),
            ("title", "localizedTitle", Self.text(title)),
            ("target", "targetContentIdentifier", Self.name(item.targetContentIdentifier)),
            ("subtitle", "localizedSubtitle", Self.text(item.localizedSubtitle)),
        ])
    }

    private mutating func append(_ response: NotificationResponse) -> Bool {
        let isDefault = response.actionIdentifier.hasSameBytes(
            as: NotificationResponse.defaultActionIdentifier)
        return appendMap([
            ("id", "identifier", Self.name(response.identifier)),
            ("date", "date", response.date.map { date in { $0.append(.date(date)) } }),
            ("info", "userInfo", Self.info(response.userInfo)),
            ("action", "actionIdentifier", isDefault ? nil : Self.name(response.actionIdentifier)),
            ("target", "targetContentIdentifier", Self.name(response.targetContentIdentifier)),
        ])
    }

    /// What appends a name, if there is one.
    private static func name(_ name: String?) -> ((inout Self) -> Bool)? {
        name.map { name in { $0.appendName(name) } }
    }

    /// What appends a text, if there is one.
    private static func text(_ text: String?) -> ((inout Self) -> Bool)? {
        text.map { text in { $0.append(.string(text)) } }
    }

    /// What appends a dictionary, unless it is empty.
    private static func info(_ info: ValueDictionary) -> ((inout Self) -> Bool)? {
        info.isEmpty ? nil : { $0.append(info) }
    }

    /// Appends a map of the fields that there are.
    private mutating func appendMap(_ fields: [Field]) -> Bool {
        guard takeNode() else {
            return false
        }
        appendMapHead(fields.count { $0.append != nil })
        for case (let key, let property, let append?) in fields {
            appendKey(key)
            guard append(&self) else {
                return note(.key(property))
            }
        }
        return true
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
        let fields = StoredFields(fields: storedFields, path: path)
        let place = fields.path(of: pair.key)
        switch pair.key {
        case "urls":
            self = .urls(try fields.elements("urls", OpenURLContext.init))
        case "activity":
            self = .activity(
                try UserActivity(
                    storedFields: StoredFields(pair.value, path: place).fields, path: place),
                sourceApplication: try fields.optional("source", \.stringValue))
        case "shortcut": self = .shortcut(try ShortcutItem(storedValue: pair.value, path: place))
        case "notification":
            self = .notification(try NotificationResponse(storedValue: pair.value, path: place))
        default: throw StoredFields.malformed(place)
        }
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
    package static func decodePayload(_ stored: [UInt8]) throws(SceneStoreError) -> Payload {
        // The payload's map and the activity's are above the userInfo, or an array between them.
        try Payload(storedFields: decodeDictionary(stored, extraLevels: 3))
    }
}
