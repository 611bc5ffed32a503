/// A target that knows the template of its path, by which traces and metrics group requests (`url.template` of OpenTelemetry).
///
///     struct GetUser: TemplatedTargetType {
///         var name: String
///         var path: String { "/users/\(name)" }
///         var urlTemplate: String? { "/users/{name}" }
///         …
///     }
///
/// The targets of `@API` conform. A target that wraps another must forward the template.
@preconcurrency
public protocol TemplatedTargetType: TargetType {
    // There is no default implementation: a property with another type would not replace it.

    /// The path with the names of its parameters in braces, in place of their values: `/users/{name}`.
    ///
    /// As the path, it follows the base URL, and has no query. It is empty for the base URL itself, and `nil` for a request whose URL
    /// has no template, such as that of a link.
    var urlTemplate: String? { get }
}

extension MultiTarget: TemplatedTargetType {
    /// The wrapped target's template, if it has one.
    public var urlTemplate: String? { (target as? any TemplatedTargetType)?.urlTemplate }
}
