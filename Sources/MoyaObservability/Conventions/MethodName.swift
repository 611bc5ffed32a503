#if Observability
import MoyaHTTP

/// The method of a request as an attribute.
struct MethodName: Equatable {
    /// The value of `http.request.method`: the method if it is known, and `_OTHER` otherwise.
    let value: String
    /// The value of `http.request.method_original`; `nil` if the method is known.
    let original: String?

    init(_ method: HTTPMethod, known: Set<String>) {
        let isKnown = known.contains(method.rawValue)
        value = isKnown ? method.rawValue : HTTPConventions.other
        original = isKnown ? nil : method.rawValue
    }

    /// Returns the name of a span: the method, and the template of the URL if there is one, but never the path.
    func spanName(urlTemplate: String?) -> String {
        let method = original == nil ? value : "HTTP"
        return urlTemplate.map { "\(method) \($0)" } ?? method
    }
}
#endif
