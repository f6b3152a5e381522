import SceneStoreValues

/// Finds the keys that stand twice in one dictionary of an XML property list (L-21).
///
/// The system's reader takes one of the two values and says nothing. Keys are compared as they are
/// written, after the five entities of XML.
struct PropertyListKeys {
    /// The paths of keys that stand twice, in the order of the list, 100 at most.
    private(set) var repeated: [String] = []
    private var frames: [Frame] = []

    private struct Frame {
        var isDictionary: Bool
        var path: String
        var keys: Set<String> = []
        var key = ""
        var index = 0
    }

    private static let most = 100

    /// A key of the innermost dictionary, as its bytes are written.
    mutating func note(_ written: some Sequence<UInt8>) {
        guard let last = frames.indices.last, frames[last].isDictionary else {
            return
        }
        let key = Self.text(written)
        frames[last].key = key
        if !frames[last].keys.insert(key).inserted, repeated.count < Self.most {
            repeated.append(KeyPathText.text(frames[last].path, .key(key)))
        }
    }

    /// A value begins; `isDictionary` is nil for one that holds no others.
    mutating func beginValue(isDictionary: Bool?) {
        var path = ""
        if let last = frames.indices.last {
            path = frames[last].path
            let step: KeyPathText.Step =
                frames[last].isDictionary ? .key(frames[last].key) : .index(frames[last].index)
            frames[last].index += 1
            if isDictionary != nil {
                path = KeyPathText.text(path, step)
            }
        }
        if let isDictionary {
            frames.append(Frame(isDictionary: isDictionary, path: path))
        }
    }

    /// A value that holds others ends.
    mutating func endValue() {
        _ = frames.popLast()
    }

    private static func text(_ written: some Sequence<UInt8>) -> String {
        var text = String(decoding: Array(written), as: UTF8.self)
        // The ampersand last: what it stands for is not read again.
        for (name, character) in [("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'")] {
            text.replace("&\(name);", with: character)
        }
        text.replace("&amp;", with: "&")
        return text
    }
}
