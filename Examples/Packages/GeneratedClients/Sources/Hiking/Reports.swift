import Moya

/// Read and write what hikers report.
enum Reports: TargetType, AccessTokenAuthorizable {
    /// Lists the reports about a trail.
    ///
    /// The type of the response is `[Report]`.
    case list(trailID: Int, since: Date? = nil)

    /// Adds a report with a photo.
    ///
    /// The type of the response is `Report?`.
    ///
    /// The result is `nil` for 202: The report waits for a check.
    case create(trailID: Int, text: String, rating: Int? = nil, photo: URL? = nil)

    var baseURL: URL { URL(string: "https://trails.example.com/v1")! }

    var path: String {
        switch self {
        case .list(let trailID, _), .create(let trailID, _, _, _): "/trails/\(trailID)/reports"
        }
    }

    var method: Moya.Method {
        switch self {
        case .list: .get
        case .create: .post
        }
    }

    var task: HTTPTask {
        switch self {
        case .list(_, let since):
            .requestParameters(
                parameters: ["since": since],
                encoding: URLEncoding.queryString
            )
        case .create(_, let text, let rating, let photo):
            .uploadMultipart(
                FormParts()
                    .adding("text", text)
                    .adding("rating", rating)
                    .adding("photo", photo)
                    .parts
            )
        }
    }

    var headers: [String: String]? { nil }

    var authorizationType: AuthorizationType? { .bearer }

    var validationType: ValidationType { .successCodes }
}
