/// Which status codes count as success; others fail with the response at hand.
public enum ValidationType: Equatable, Sendable {
    /// All of them.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// The codes in the list; an empty list validates nothing.
    case customCodes([Int])

    /// Whether a response with this status is a success.
    func accepts(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(statusCode)
        case .successAndRedirectCodes: (200..<400).contains(statusCode)
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}
