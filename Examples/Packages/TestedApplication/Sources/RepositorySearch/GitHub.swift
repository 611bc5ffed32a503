import Moya

/// The endpoints of GitHub's API that the application calls.
enum GitHub: TargetType, Equatable {
    case search(text: String, page: Int)
    case star(repository: String)

    var baseURL: URL { URL(string: "https://api.github.com")! }

    var path: String {
        switch self {
        case .search: "search/repositories"
        case .star(let repository): "user/starred/\(repository)"
        }
    }

    var method: Moya.Method {
        switch self {
        case .search: .get
        case .star: .put
        }
    }

    var task: HTTPTask {
        switch self {
        case .search(let text, let page):
            .requestParameters(
                parameters: ["q": text, "page": page, "per_page": 20],
                encoding: URLEncoding.queryString
            )
        case .star:
            .requestPlain
        }
    }

    var headers: [String: String]? { ["Accept": "application/vnd.github+json"] }

    /// A response for previews, which stub the provider.
    var sampleData: Data {
        switch self {
        case .search:
            Data(#"{"items": [{"full_name": "moya/moya", "stargazers_count": 15000}], "total_count": 1}"#.utf8)
        case .star:
            Data()
        }
    }
}

/// The body of GitHub's errors.
struct GitHubFailure: Decodable, Error {
    var message: String
}

struct Repository: Decodable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey {
        case name = "full_name"
        case stars = "stargazers_count"
    }

    var name: String
    var stars: Int
}

struct SearchPage: Decodable {
    enum CodingKeys: String, CodingKey {
        case items
        case total = "total_count"
    }

    var items: [Repository]
    var total: Int
}

extension MoyaProvider<GitHub> {
    /// Creates the provider of the application.
    ///
    /// Tests pass a transport with scripted responses, and a short back-off.
    static func application(
        transport: (any HTTPTransport)? = nil,
        token: @escaping @Sendable () -> String,
        backoff: Double = 0.5
    ) -> MoyaProvider<GitHub> {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 15
        let retries = RetryPolicy(retryLimit: 2, exponentialBackoffScale: backoff)
        let session =
            if let transport {
                Session(transport: transport, configuration: configuration, interceptor: retries)
            } else {
                Session(configuration: configuration, interceptor: retries)
            }
        return MoyaProvider(session: session, plugins: [AccessTokenPlugin { _ in token() }])
    }
}

extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? { .bearer }
}
