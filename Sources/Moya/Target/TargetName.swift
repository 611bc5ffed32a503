/// A target's name for error texts: its type and case, never its payload, which may be a secret.
struct TargetName: CustomStringConvertible, Sendable {
    let description: String

    init(_ target: any TargetType) { description = Self.name(of: target) }

    private static func name(of target: any TargetType) -> String {
        if let multi = target as? MultiTarget { return name(of: multi.target) }
        let type = "\(type(of: target))"
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return type }
        if let name = mirror.children.first?.label { return "\(type).\(name)" }
        // A case without payload is told by its text, unless the enum has a text of its own.
        return target is any CustomStringConvertible ? type : "\(type).\(target)"
    }
}
