/// The stored form of a placement: a map in which only the size is never absent (L-45).
extension ScenePlacement {
    /// The value that is stored.
    package var storedValue: Value {
        var fields: ValueDictionary = [
            "width": .double(width), "height": .double(height),
        ]
        if let x {
            fields["x"] = .double(x)
        }
        if let y {
            fields["y"] = .double(y)
        }
        if let display {
            fields["display"] = .string(display)
        }
        if windowState != .normal {
            fields["state"] = .string(windowState.rawValue)
        }
        if let workspace {
            fields["workspace"] = .string(workspace)
        }
        if stackingOrder != 0 {
            fields["order"] = .integer(Int64(stackingOrder))
        }
        if let parent {
            fields["parent"] = .string(parent.rawValue)
        }
        if let tab {
            fields["tab"] = .integer(Int64(tab.index))
            fields["selected"] = tab.isSelected ? .boolean(true) : nil
        }
        return .dictionary(fields)
    }

    /// Makes a placement of what was stored; a window state of a newer version is ``normal``.
    ///
    /// Throws ``SceneStoreError/Code/malformedValue`` for anything else that is not as it should
    /// be.
    package init(storedValue: Value) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: "")
        self.init(
            x: try fields.optional("x", \.doubleValue),
            y: try fields.optional("y", \.doubleValue),
            width: try fields.required("width", \.doubleValue),
            height: try fields.required("height", \.doubleValue),
            display: try fields.optional("display", \.stringValue),
            windowState: try fields.optional("state", \.stringValue)
                .flatMap(WindowState.init(rawValue:)) ?? .normal,
            workspace: try fields.optional("workspace", \.stringValue),
            stackingOrder: try fields.optional("order") {
                $0.integerValue.flatMap(Int.init(exactly:))
            }
                ?? 0,
            parent: try fields.optional("parent", \.stringValue).map { SceneSession.ID($0) },
            tab: try fields.optional("tab") { $0.integerValue.flatMap(Int.init(exactly:)) }
                .map { index throws(SceneStoreError) in
                    Tab(
                        index: index,
                        isSelected: try fields.optional("selected", \.boolValue) ?? false)
                })
    }
}
