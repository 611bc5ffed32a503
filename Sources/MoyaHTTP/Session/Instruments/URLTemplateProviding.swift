/// A target that knows the template of its URLs, for the names of spans and for metrics.
///
///     extension GitHub: URLTemplateProviding {
///         var urlTemplate: String? {
///             switch self {
///             case .user: "/users/{login}"
///             case .zen: nil
///             }
///         }
///     }
///
/// Targets of `@API` have it already. A dashboard then shows `GET /users/{login}` for all users. Without it, spans are named by the
/// method alone, because a path has too many values.
@preconcurrency
public protocol URLTemplateProviding: Sendable {
    // There is no default implementation: a property with another type would not replace it.

    /// The path with placeholders for the values that differ between requests, such as `/users/{login}`; `nil` if there is none.
    ///
    /// The number of different templates must be small, and independent of the values.
    var urlTemplate: String? { get }
}
