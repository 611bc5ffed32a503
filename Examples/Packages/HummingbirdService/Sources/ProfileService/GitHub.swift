import Logging
import Moya
import MoyaObservability

/// The endpoints of GitHub's API that the service calls.
enum GitHub: TargetType, URLTemplateProviding {
    case user(String)
    case repositories(of: String)

    var baseURL: URL { URL(string: "https://api.github.com")! }

    var path: String {
        switch self {
        case .user(let login): "users/\(login)"
        case .repositories(let login): "users/\(login)/repos"
        }
    }

    /// The names of spans and the series of metrics have the template, because each user has another path.
    var urlTemplate: String? {
        switch self {
        case .user: "/users/{login}"
        case .repositories: "/users/{login}/repos"
        }
    }

    var method: Moya.Method { .get }

    var task: HTTPTask {
        switch self {
        case .user: .requestPlain
        case .repositories: .requestParameters(parameters: ["sort": "pushed"], encoding: URLEncoding.queryString)
        }
    }

    var headers: [String: String]? { ["Accept": "application/json"] }

    var validationType: ValidationType { .successCodes }
}

struct User: Decodable {
    var login: String
    var name: String?
}

struct Repository: Decodable {
    var name: String
}

extension Session {
    /// Returns the session for requests to GitHub, whose limits are shorter than those of the service's clients.
    static func gitHub() -> Session {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 3  // seconds without a byte
        configuration.timeoutIntervalForResource = 5  // seconds for an attempt
        configuration.httpMaximumConnectionsPerHost = 32  // over HTTP/1.1
        configuration.httpShouldSetCookies = false  // requests of different clients share the session
        let retries = RetryPolicy(
            retryLimit: 1,
            exponentialBackoffScale: 0.2,
            maximumDelay: .seconds(1),
            retryPeriod: .seconds(4)
        )
        return Session(
            configuration: configuration,
            interceptor: retries,
            options: SessionOptions(instruments: .observed)
        )
    }
}

extension [SessionInstrument] {
    /// Spans, metrics and a line of the log for each request.
    static var observed: [SessionInstrument] { [.tracing(), .metrics(), .logging(Logger(label: "github"))] }
}
