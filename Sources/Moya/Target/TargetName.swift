/// A target's name for error texts: its type and case without its payload, which may be a secret.
package struct TargetName: CustomStringConvertible, Sendable {
    package let description: String

    package init(_ target: any TargetType) { description = Self.name(of: target) }

    private static func name(of target: any TargetType) -> String {
        let target = target.innermost
        let type = "\(type(of: target))"
        let mirror = Mirror(reflecting: target)
        // A custom mirror or description may reveal anything.
        guard mirror.displayStyle == .enum, !(target is any CustomReflectable) else { return type }
        if let name = mirror.children.first?.label { return "\(type).\(name)" }
        let hasOwnText =
            target is any CustomStringConvertible || target is any CustomDebugStringConvertible
            || target is any TextOutputStreamable
        // A case without payload has no label; its description is its name.
        return hasOwnText ? type : "\(type).\(target)"
    }
}
