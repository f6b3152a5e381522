import SceneStoreValues

/// Counts the elements and levels of an XML property list.
///
/// Sees at least what the system's reader sees: what that one skips (comments, processing
/// instructions, CDATA) ends here at the same place, and forms on whose end two readers could
/// disagree are refused.
struct XMLPropertyListScan {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var depth = 0
    private var elements = 0
    private(set) var keys = PropertyListKeys()

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            offset = 3
        }
    }

    /// Whether the first thing that is not blank opens an element.
    var isXML: Bool {
        bytes[offset...].first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "<")
    }

    mutating func check() throws(SceneStoreError) {
        while let open = find("<", from: offset) {
            offset = open + 1
            guard offset < bytes.count else {
                throw truncated()
            }
            switch bytes[offset] {
            case UInt8(ascii: "?"): try skipInstruction()
            case UInt8(ascii: "!"): try skipDeclaration()
            case UInt8(ascii: "/"): try closeElement()
            default: try openElement()
            }
        }
        guard depth == 0, elements > 0 else {
            throw truncated()
        }
    }

    // MARK: - Elements

    private mutating func openElement() throws(SceneStoreError) {
        let start = offset
        guard let end = find(">", from: start) else {
            throw truncated()
        }
        offset = end + 1
        elements += 1
        guard elements <= PropertyListScan.maximumObjects else {
            throw PropertyListScan.tooLarge("more than \(PropertyListScan.maximumObjects) elements")
        }
        if isContainer(at: start) {
            // An empty one is a level too, but none that stays.
            guard depth <= PropertyListScan.maximumDepth else {
                throw PropertyListScan.tooDeep()
            }
            let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
            if !isEmpty {
                depth += 1
            }
            noteContainer(at: start, isEmpty: isEmpty)
        } else if has("key", at: start) {
            keys.note(bytes[offset..<(find("<", from: offset) ?? bytes.count)])
        } else {
            keys.beginValue(isDictionary: nil)
            if has("date", at: start) {
                try checkDate()
            }
        }
    }

    private mutating func noteContainer(at start: Int, isEmpty: Bool) {
        guard !has("plist", at: start) else {
            return
        }
        keys.beginValue(isDictionary: has("dict", at: start))
        if isEmpty {
            keys.endValue()
        }
    }

    private mutating func closeElement() throws(SceneStoreError) {
        guard let end = find(">", from: offset) else {
            throw truncated()
        }
        if isContainer(at: offset + 1) {
            guard depth > 0 else {
                throw PropertyListScan.malformed("a close tag has no open tag")
            }
            depth -= 1
            if !has("plist", at: offset + 1) {
                keys.endValue()
            }
        }
        offset = end + 1
    }

    /// Whether a tag nests; the system's reader looks at the beginning of the name alone.
    private func isContainer(at start: Int) -> Bool {
        has("dict", at: start) || has("array", at: start) || has("plist", at: start)
    }

    /// Checks the text of a date, which the system's calendar is not made for when it is odd.
    private func checkDate() throws(SceneStoreError) {
        let form = "dddd-dd-ddTdd:dd:ddZ".utf8
        var index = offset
        for expected in form {
            guard index < bytes.count else {
                throw truncated()
            }
            let byte = bytes[index]
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard expected == UInt8(ascii: "d") ? isDigit : byte == expected else {
                throw PropertyListScan.malformed("a date is not of the form 2026-01-31T12:00:00Z")
            }
            index += 1
        }
    }

    // MARK: - What is skipped

    private mutating func skipInstruction() throws(SceneStoreError) {
        guard !has("?>", at: offset), let end = find("?>", from: offset) else {
            throw PropertyListScan.malformed("a processing instruction has no end")
        }
        offset = end + 2
    }

    private mutating func skipDeclaration() throws(SceneStoreError) {
        if has("!--", at: offset) {
            let text = offset + 3
            guard !has(">", at: text), !has("->", at: text), let end = find("-->", from: text)
            else {
                throw PropertyListScan.malformed("a comment has no end")
            }
            offset = end + 3
        } else if has("![CDATA[", at: offset) {
            guard let end = find("]]>", from: offset + 8) else {
                throw PropertyListScan.malformed("a CDATA section has no end")
            }
            offset = end + 3
        } else {
            guard let end = find(">", from: offset) else {
                throw truncated()
            }
            guard !bytes[offset..<end].contains(UInt8(ascii: "[")) else {
                throw PropertyListScan.malformed("its document type has its own declarations")
            }
            offset = end + 1
        }
    }

    // MARK: - Bytes

    private func find(_ text: StaticString, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if has(text, at: index) {
                return index
            }
            index += 1
        }
        return nil
    }

    private func has(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start + length <= bytes.count else {
            return false
        }
        for index in 0..<length where bytes[start + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    private func truncated() -> SceneStoreError {
        PropertyListScan.malformed("it ends too early")
    }
}
