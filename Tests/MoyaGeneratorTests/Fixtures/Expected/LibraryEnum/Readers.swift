import Moya

public enum Readers: TargetType {
    /// GET /readers/{readerID}/loans.
    ///
    /// The type of the response is `ReaderLoansResponse`.
    case readerLoans(readerID: UUID, since: CalendarDate? = nil, requestID: String? = nil)

    /// The URL of the server.
    public var baseURL: URL { URL(string: "https://library.example/v1")! }

    /// The path of each request.
    public var path: String {
        switch self {
        case .readerLoans(let readerID, _, _): "/readers/\(PathValue.escape(readerID))/loans"
        }
    }

    /// The values in paths are escaped, so that a slash in a value does not change the route.
    public var isPathEscaped: Bool { true }

    /// The method of each request.
    public var method: Moya.Method { .get }

    /// The task of each request.
    public var task: HTTPTask {
        switch self {
        case .readerLoans(_, let since, _):
            .requestParameters(
                parameters: ["since": since],
                encoding: URLEncoding.queryString
            )
        }
    }

    /// The headers of each request.
    public var headers: [String: String]? {
        switch self {
        case .readerLoans(_, _, let requestID): ["X-Request-ID": requestID].compactMapValues(\.self)
        }
    }

    /// The statuses that are accepted.
    public var validationType: ValidationType { .successCodes }
}
