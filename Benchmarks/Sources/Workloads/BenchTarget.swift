import Foundation
import Moya

/// The requests of the benchmarks, as an application sends them.
public struct BenchTarget: TargetType {
    /// One request.
    public enum Call: Sendable {
        /// Receives a small JSON body.
        case user
        /// Sends a small JSON body, and receives the same body.
        case echo(User)
        /// Downloads the given number of bytes to a file.
        case download(Int64, to: URL)
        /// Receives the given number of bytes.
        case bytes(Int64)
        /// Uploads a file as a part of a form.
        case form(URL)
        /// Uploads a file, and receives a small JSON body.
        case file(URL)
    }

    /// The URL of the server.
    public let baseURL: URL
    /// The request.
    public let call: Call

    /// Creates a target.
    public init(_ call: Call, at baseURL: URL) {
        self.call = call
        self.baseURL = baseURL
    }

    /// The path.
    public var path: String {
        switch call {
        case .user: "/user"
        case .echo, .file: "/echo"
        case .bytes(let count), .download(let count, _): "/bytes/\(count)"
        case .form: "/upload"
        }
    }

    /// The method.
    public var method: Moya.Method {
        switch call {
        case .user, .bytes, .download: .get
        case .echo, .form, .file: .post
        }
    }

    /// The content of the request.
    public var task: HTTPTask {
        switch call {
        case .user, .bytes: .requestPlain
        case .echo(let user): .requestJSONEncodable(user)
        case .download(_, let file): .download(to: file, options: .removePreviousFile)
        case .file(let file): .uploadFile(file)
        case .form(let file): .uploadMultipart([MultipartFormData(provider: .file(file), name: "file")])
        }
    }

    /// The body of a stub.
    public var sampleData: Data { User.json }

    /// The headers: two, as in many applications.
    public var headers: [String: String]? { Self.headers }

    /// The headers of each request.
    public static let headers = ["Accept": "application/json", "X-Client": "benchmarks/1.0"]
}
