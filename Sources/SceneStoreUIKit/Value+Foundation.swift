import Foundation
import SceneStore

/// Foundation's objects and our values, both ways, without loss. What one side can't say the other
/// exactly is a typed error that names its key path.
extension Value {
    /// Makes a value from an object that a `userInfo` dictionary may contain.
    ///
    /// The object is a string, number, Boolean, date, data, URL, UUID, null, array, set or
    /// dictionary. Throws ``SceneStoreError/Code/unsupportedValue`` for anything else, for an
    /// unsigned integer above `Int64.max`, for a decimal number, and for a dictionary's key that is
    /// not a string.
    public init(foundation object: Any, path: String = "userInfo") throws(SceneStoreError) {
        // A Swift number's cast to NSNumber would lose the payload of a NaN.
        if type(of: object) == Double.self, let real = object as? Double {
            self = .double(real)
            return
        }
        switch object {
        case let number as NSNumber: self = try Value(number, path: path)
        case let text as String: self = .string(text)
        case let data as Data: self = .data(data)
        case let date as Date: self = .date(date)
        case let url as URL: self = .url(url)
        case let uuid as UUID: self = .uuid(uuid)
        case is NSNull: self = .null
        default: self = try Value(collection: object, path: path)
        }
    }

    private init(_ number: NSNumber, path: String) throws(SceneStoreError) {
        guard !(number is NSDecimalNumber) else {
            throw Self.unsupported(path, "a decimal number is not a floating point number")
        }
        switch String(cString: number.objCType) {
        case _ where number.isBoolean: self = .boolean(number.boolValue)
        case "d", "f": self = .double(number.doubleValue)
        case "Q": self = .integer(try Self.checked(number.uint64Value, path))
        default: self = .integer(number.int64Value)
        }
    }

    private init(collection object: Any, path: String) throws(SceneStoreError) {
        switch object {
        case let dictionary as [AnyHashable: Any]:
            self = .dictionary(try ValueDictionary(foundation: dictionary, path: path))
        case let dictionary as NSDictionary:
            var pairs: [AnyHashable: Any] = [:]
            for (key, value) in dictionary {
                guard let key = key as? String else {
                    throw Self.unsupported(path, "a key is not a string")
                }
                pairs[key] = value
            }
            self = .dictionary(try ValueDictionary(foundation: pairs, path: path))
        case let set as Set<AnyHashable>:
            self = .set(try Self.members(set.map(\.base), path))
        case let set as NSSet:
            self = .set(try Self.members(set.allObjects, path))
        case let array as [Any]: self = .array(try Self.elements(array, path))
        case let array as NSArray:
            self = .array(try Self.elements(array.map { $0 }, path))
        default: throw Self.unsupported(path, "an activity can't hold an object of this class")
        }
    }

    private static func elements(_ array: [Any], _ path: String) throws(SceneStoreError) -> [Value]
    {
        var elements: [Value] = []
        for (index, element) in array.enumerated() {
            elements.append(try Value(foundation: element, path: "\(path)[\(index)]"))
        }
        return elements
    }

    private static func members(
        _ objects: [Any], _ path: String
    ) throws(SceneStoreError) -> Set<Value> {
        Set(try elements(objects, path))
    }

    private static func checked(
        _ integer: UInt64, _ path: String
    ) throws(SceneStoreError) -> Int64 {
        guard let exact = Int64(exactly: integer) else {
            throw unsupported(path, "the integer does not fit 64 bits with a sign")
        }
        return exact
    }

    static func unsupported(_ path: String, _ what: String) -> SceneStoreError {
        SceneStoreError(.unsupportedValue, what, path: path)
    }

    // MARK: To Foundation

    /// Returns the value's object, as a `userInfo` dictionary contains it.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a value that a newer version wrote, for
    /// a NaN with a payload, which `NSNumber` drops, and for a set or dictionary in which
    /// Foundation would merge members: it treats `true`, `1` and `1.0` as equal, and strings that
    /// are canonically equivalent.
    package func foundationObject(path: String = "userInfo") throws(SceneStoreError) -> Any {
        switch self {
        case .null: return NSNull()
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .double(let value):
            let number = NSNumber(value: value)
            guard number.doubleValue.bitPattern == value.bitPattern else {
                throw Self.unsupported(path, "NSNumber drops the payload of a NaN")
            }
            return number
        case .string(let value): return value
        case .data(let value): return value
        case .date(let value): return value
        case .url(let value): return value
        case .uuid(let value): return value
        case .array(let values):
            var objects: [Any] = []
            for (index, value) in values.enumerated() {
                objects.append(try value.foundationObject(path: "\(path)[\(index)]"))
            }
            return objects
        case .set(let values):
            var objects: Set<AnyHashable> = []
            for value in values {
                objects.insert(try value.hashableObject(path: path))
            }
            guard objects.count == values.count else {
                throw Self.unsupported(path, "Foundation would merge members of the set")
            }
            return objects
        case .dictionary(let dictionary): return try dictionary.foundationDictionary(path: path)
        case .opaque: throw Self.unsupported(path, "a newer version wrote the value")
        }
    }

    /// An object that is compared as a member of a set.
    private func hashableObject(path: String) throws(SceneStoreError) -> AnyHashable {
        switch try foundationObject(path: path) {
        case let array as [Any]: return NSArray(array: array)
        case let set as Set<AnyHashable>: return NSSet(set: set)
        case let dictionary as [AnyHashable: Any]: return NSDictionary(dictionary: dictionary)
        case let object as AnyHashable: return object
        default: throw Self.unsupported(path, "a set can't hold the value")
        }
    }
}

extension NSNumber {
    /// Whether it was made of a Boolean; a number that is 0 or 1 was not.
    fileprivate var isBoolean: Bool {
        #if canImport(Darwin)
            CFGetTypeID(self) == CFBooleanGetTypeID()
        #else
            String(cString: objCType) == "c"
        #endif
    }
}

extension ValueDictionary {
    /// Converts a `userInfo` dictionary to values.
    ///
    /// Throws as ``Value/init(foundation:path:)`` does, and for keys that are not strings.
    public init(
        foundation dictionary: [AnyHashable: Any], path: String = "userInfo"
    ) throws(SceneStoreError) {
        var values: [String: Value] = [:]
        for (key, object) in dictionary {
            guard let name = key.base as? String else {
                throw Value.unsupported(path, "a key is not a string")
            }
            values[name] = try Value(foundation: object, path: "\(path).\(name)")
        }
        self.init(values)
    }

    /// Returns a `userInfo` dictionary of the values.
    ///
    /// Throws as `foundationObject(path:)` does.
    package func foundationDictionary(
        path: String = "userInfo"
    ) throws(SceneStoreError) -> [String: Any] {
        var objects: [String: Any] = [:]
        for (key, value) in self {
            objects[key] = try value.foundationObject(path: "\(path).\(key)")
        }
        guard objects.count == count else {
            throw Value.unsupported(path, "Foundation would merge keys of the dictionary")
        }
        return objects
    }
}
