/// The status codes that count as success; a response with another status fails, and the error holds it.
public enum ValidationType: Equatable, Sendable {
    /// All status codes.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// The codes in the list; all codes if the list is empty.
    case customCodes([Int])

    /// Returns whether a status counts as success.
    func isAccepted(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(statusCode)
        case .successAndRedirectCodes: (200..<400).contains(statusCode)
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}
