#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type that scene storage keeps as one kind of ``Value``.
///
/// ```swift
/// struct Percent: SceneStorable {
///     var value: Int
///     init?(storedValue: Value) {
///         guard let integer = storedValue.integerValue else { return nil }
///         value = Int(integer)
///     }
///     var storedValue: Value { .integer(Int64(value)) }
/// }
/// ```
public protocol SceneStorable {
    /// The value, or nil when a stored one is of another kind.
    init?(storedValue: Value)
    /// The value that is stored.
    var storedValue: Value { get }
}

extension Bool: SceneStorable {
    /// A stored Boolean.
    public init?(storedValue: Value) {
        guard let value = storedValue.boolValue else { return nil }
        self = value
    }
    /// A Boolean.
    public var storedValue: Value { .boolean(self) }
}

extension Int: SceneStorable {
    /// A stored integer that fits.
    public init?(storedValue: Value) {
        guard let value = storedValue.integerValue, let exact = Int(exactly: value) else {
            return nil
        }
        self = exact
    }
    /// An integer.
    public var storedValue: Value { .integer(Int64(self)) }
}

extension Double: SceneStorable {
    /// A stored floating point number.
    public init?(storedValue: Value) {
        guard let value = storedValue.doubleValue else { return nil }
        self = value
    }
    /// A floating point number.
    public var storedValue: Value { .double(self) }
}

extension String: SceneStorable {
    /// Stored text.
    public init?(storedValue: Value) {
        guard let value = storedValue.stringValue else { return nil }
        self = value
    }
    /// Text.
    public var storedValue: Value { .string(self) }
}

extension Data: SceneStorable {
    /// Stored bytes.
    public init?(storedValue: Value) {
        guard let value = storedValue.dataValue else { return nil }
        self = value
    }
    /// Bytes.
    public var storedValue: Value { .data(self) }
}

extension Date: SceneStorable {
    /// A stored date.
    public init?(storedValue: Value) {
        guard let value = storedValue.dateValue else { return nil }
        self = value
    }
    /// A date.
    public var storedValue: Value { .date(self) }
}

extension URL: SceneStorable {
    /// A stored URL.
    public init?(storedValue: Value) {
        guard let value = storedValue.urlValue else { return nil }
        self = value
    }
    /// A URL.
    public var storedValue: Value { .url(self) }
}

extension UUID: SceneStorable {
    /// A stored UUID.
    public init?(storedValue: Value) {
        guard let value = storedValue.uuidValue else { return nil }
        self = value
    }
    /// A UUID.
    public var storedValue: Value { .uuid(self) }
}

extension Optional: SceneStorable where Wrapped: SceneStorable {
    /// A stored value, or nil for null.
    public init?(storedValue: Value) {
        if storedValue == .null {
            self = .none
            return
        }
        guard let value = Wrapped(storedValue: storedValue) else { return nil }
        self = value
    }
    /// The value, or null.
    public var storedValue: Value { self?.storedValue ?? .null }
}
