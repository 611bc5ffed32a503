/// The status codes that count as success; responses with others fail, and the error holds the response.
public enum ValidationType: Equatable, Sendable {
    /// All status codes.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// The codes in the list; all codes if the list is empty.
    case customCodes([Int])

    /// Returns whether a response with this status is a success.
    func accepts(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(statusCode)
        case .successAndRedirectCodes: (200..<400).contains(statusCode)
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}
