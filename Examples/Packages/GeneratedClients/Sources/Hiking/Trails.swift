import Moya

/// Find trails, and change them.
enum Trails: TargetType, AccessTokenAuthorizable {
    /// Lists trails in the order of their names.
    ///
    /// The type of the response is `[Trail]`.
    ///
    /// - Parameters:
    ///   - length: The limits of the length in kilometers.
    ///   - perPage: The server's default is `20`.
    case list(
        difficulty: Difficulty? = nil,
        regions: CommaSeparated<String>? = nil,
        length: Length? = nil,
        perPage: Int? = nil
    )

    /// Returns a trail.
    ///
    /// The type of the response is `Trail`.
    case get(trailID: Int)

    /// Changes a trail.
    ///
    /// The type of the response is `Trail`.
    case update(trailID: Int, body: TrailChange)

    var baseURL: URL { URL(string: "https://trails.example.com/v1")! }

    var path: String {
        switch self {
        case .list: "/trails"
        case .get(let trailID), .update(let trailID, _): "/trails/\(trailID)"
        }
    }

    var method: Moya.Method {
        switch self {
        case .list, .get: .get
        case .update: .patch
        }
    }

    var task: HTTPTask {
        switch self {
        case .list(let difficulty, let regions, let length, let perPage):
            .requestParameters(
                parameters: ["difficulty": difficulty, "regions": regions, "length": length, "per_page": perPage],
                encoding: URLEncoding.queryString
            )
        case .get: .requestPlain
        case .update(_, let body): .requestCustomJSONEncodable(body, encoder: .trails)
        }
    }

    var headers: [String: String]? { nil }

    var authorizationType: AuthorizationType? { .bearer }

    var sampleData: Data {
        switch self {
        case .list:
            Data(
                #"""
                [
                  {
                    "id": 7,
                    "name": "Ridge Path",
                    "length": 12.5,
                    "difficulty": "moderate",
                    "opened_on": "2019-05-04",
                    "closed_until": null
                  }
                ]
                """#.utf8
            )
        case .get, .update: Data()
        }
    }

    var validationType: ValidationType { .successCodes }
}
