import Foundation

/// The structure of a parameter in a form: text, a list, a dictionary, or nothing.
enum ParameterShape {
    case nothing
    case leaf(Any)
    case list([Any])
    case named([(name: String, value: Any)])

    /// Creates the shape of any value.
    ///
    /// Unordered collections are sorted: dictionaries by name, sets by the text of their elements.
    init(of value: Any) {
        switch AnyParameter.unwrapped(value) {
        // Not `is NSNull`, which on Linux bridges the whole tree of collections.
        case nil:
            self = .nothing
        case let value? where type(of: value) == NSNull.self:
            self = .nothing
        case let value? where Self.isPlain(value):
            self = .leaf(value)
        case let dictionary as [String: Any]:
            self = .named(dictionary.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
        case let array as [Any]:
            self = .list(array)
        case let dictionary as [AnyHashable: Any]:
            let named = dictionary.map { (name: Self.text($0.key), value: $0.value) }
            self = .named(named.sorted { $0.name < $1.name })
        case let set as Set<AnyHashable>:
            let elements = set.map { (text: Self.text($0), value: $0.base) }
            self = .list(elements.sorted { $0.text < $1.text }.map(\.value))
        case let value?:
            // Slices, `ContiguousArray`, `NSOrderedSet`.
            let mirror = Mirror(reflecting: value)
            self = mirror.displayStyle == .collection ? .list(mirror.children.map(\.value)) : .leaf(value)
        }
    }

    private static func isPlain(_ value: Any) -> Bool {
        AnyParameter.isUsual(value) || type(of: value) == Data.self
    }

    private static func text(_ value: AnyHashable) -> String {
        AnyParameter.unwrapped(value).map(AnyParameter.text) ?? ""
    }
}
