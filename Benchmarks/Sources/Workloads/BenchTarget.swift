import Foundation
import Moya

/// What the benchmarks ask for: requests as an application makes them.
public struct BenchTarget: TargetType {
    /// One request of the server's.
    public enum Call: Sendable {
        /// A small answer in JSON.
        case user
        /// A small request in JSON, and the same as the answer.
        case echo(User)
        /// So many bytes, into a file.
        case download(Int64, to: URL)
        /// A file as one part of a form.
        case form(URL)
    }

    /// Where the server is.
    public let baseURL: URL
    /// What is asked of it.
    public let call: Call

    /// Makes a target.
    public init(_ call: Call, at baseURL: URL) {
        self.call = call
        self.baseURL = baseURL
    }

    /// The path.
    public var path: String {
        switch call {
        case .user: "/user"
        case .echo: "/echo"
        case .download(let count, _): "/bytes/\(count)"
        case .form: "/upload"
        }
    }

    /// The method.
    public var method: Moya.Method {
        switch call {
        case .user, .download: .get
        case .echo, .form: .post
        }
    }

    /// What is sent.
    public var task: HTTPTask {
        switch call {
        case .user: .requestPlain
        case .echo(let user): .requestJSONEncodable(user)
        case .download(_, let file): .download(to: file, options: .removePreviousFile)
        case .form(let file): .uploadMultipartFormData([MultipartFormBodyPart(provider: .file(file), name: "file")])
        }
    }

    /// A stub's answer.
    public var sampleData: Data { User.json }

    /// Two, as most requests have some.
    public var headers: [String: String]? { Self.headers }

    /// The headers of each request.
    public static let headers = ["Accept": "application/json", "X-Client": "benchmarks/1.0"]
}
