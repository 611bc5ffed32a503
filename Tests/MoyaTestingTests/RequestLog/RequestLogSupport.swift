import Foundation
import MoyaTesting
import TestSupport
import Testing

/// Targets with a query, JSON, a form and headers.
enum Club: TargetType, Equatable {
    case items(page: Int)
    case order(id: Int)
    case remove(id: Int)
    case login(password: String)

    var baseURL: URL { URL(string: "https://api.example.com/v1") ?? URL(fileURLWithPath: "/") }
    var path: String {
        switch self {
        case .items: "items"
        case .order: "orders"
        case .remove(let id): "orders/\(id)"
        case .login: "login"
        }
    }
    var method: Moya.Method {
        switch self {
        case .items: .get
        case .order, .login: .post
        case .remove: .delete
        }
    }
    var task: HTTPTask {
        switch self {
        case .items(let page): .requestParameters(parameters: ["page": page], encoding: URLEncoding.default)
        case .order(let id): .requestParameters(parameters: ["id": id], encoding: JSONEncoding.default)
        case .remove: .requestPlain
        case .login(let password):
            .requestParameters(parameters: ["user": "ann", "password": password], encoding: URLEncoding.httpBody)
        }
    }
    var headers: [String: String]? { ["X-App": "shop"] }
}

extension CapturingTransport {
    /// Responds to every request with the same text.
    static func answering(_ text: String = "ok", log: RequestLog = RequestLog()) -> CapturingTransport {
        CapturingTransport(over: FakeTransport.text(text), log: log)
    }

    /// Creates a transport that has captured one request.
    static func asked(
        _ method: HTTPMethod = .get,
        _ url: String,
        headers: HTTPFields = [:],
        body: String? = nil,
        log: RequestLog = RequestLog()
    ) async throws -> CapturingTransport {
        let transport = answering(log: log)
        let content = body.map { HTTPBody.data(Data($0.utf8)) }
        _ = try await transport.ask(url, method: method, headers: headers, body: content)
        return transport
    }
}

/// Returns the text of the error that a check throws, without the source location; `nil` if it throws no error.
func failure(_ check: () throws -> Void) -> String? {
    do {
        try check()
        return nil
    } catch var error as RequestMismatch {
        error.location = nil
        return error.description
    } catch {
        return "\(error)"
    }
}
