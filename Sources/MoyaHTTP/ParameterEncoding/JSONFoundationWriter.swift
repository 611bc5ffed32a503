import Foundation

/// A writer of parameters as JSON by `JSONSerialization`, which ``JSONEncoding`` uses on Apple's platforms.
enum JSONFoundationWriter {
    /// Returns a value as JSON text.
    ///
    /// - Throws: ``JSONEncoding/Error/invalidJSONObject`` or ``JSONEncoding/Error/nestedTooDeeply``.
    static func data(_ value: Any, options: JSONSerialization.WritingOptions) throws -> Data {
        var tree = FoundationTree<JSONEncoding.Error>(tooDeep: .nestedTooDeeply, leaf: checked)
        let object = try tree.rebuild(value)
        return try JSONSerialization.data(withJSONObject: object, options: options.union(.fragmentsAllowed))
    }

    /// Returns a leaf if JSON can represent it.
    private static func checked(_ leaf: Any?, _ path: ParameterPath) throws(JSONEncoding.Error) -> Any {
        guard let leaf else { return NSNull() }
        // Of the common types, only a Double may be invalid.
        if AnyParameter.isUsual(leaf), type(of: leaf) != Double.self { return leaf }
        // The leaf is in an array, since JSONSerialization validates only collections.
        guard JSONSerialization.isValidJSONObject([leaf]) else { throw JSONEncoding.Error(unsupported: leaf, at: path) }
        return leaf
    }
}
