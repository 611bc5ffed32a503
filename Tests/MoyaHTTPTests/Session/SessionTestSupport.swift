import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportKind {
    /// Runs a test with a transport and a server.
    func withHandlerServer(
        _ response: @escaping @Sendable (HandlerServer.ReceivedRequest) throws -> HandlerServer.Response,
        _ test: (any HTTPTransport, HandlerServer) async throws -> Void
    ) async throws {
        try await HandlerServer.run(response) { server in
            try await withTransport { try await test($0, server) }
        }
    }
}

extension Session {
    /// Creates a session that shares no cookies or credentials with others.
    static func alone(
        on transport: any HTTPTransport,
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cookieStorage: (any CookieStorage)? = nil,
        configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> Session {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configure(configuration)
        return Session(
            transport: transport,
            configuration: configuration,
            interceptor: interceptor,
            redirectHandler: redirectHandler,
            options: SessionOptions(cookieStorage: cookieStorage)
        )
    }
}

extension URLRequest {
    init(_ method: String = "GET", _ url: URL, body: String? = nil, _ headers: [String: String] = [:]) {
        self.init(url: url)
        httpMethod = method
        httpBody = body.map { Data($0.utf8) }
        for (name, value) in headers { setValue(value, forHTTPHeaderField: name) }
    }
}

extension SessionResponse {
    var text: String { String(decoding: data, as: UTF8.self) }
}

/// Records the requests that it adapts, and sets headers.
final class NotingAdapter: RequestInterceptor {
    let headers: [String: String]
    private let notes = Locked<[String]>([])

    init(_ headers: [String: String] = [:]) { self.headers = headers }

    /// The redirect count and the path of each adapted request.
    var adapted: [String] { notes.withLock { $0 } }

    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        notes.withLock { $0.append("\(state.redirectCount) \(urlRequest.url?.path ?? "")") }
        var request = urlRequest
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}

/// Expects an error behind a `URLError`, and its code.
func expectRedirectError(
    _ expected: RedirectError,
    _ code: URLError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
    } catch {
        let error = error as? URLError
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? RedirectError == expected, sourceLocation: sourceLocation)
    }
}
