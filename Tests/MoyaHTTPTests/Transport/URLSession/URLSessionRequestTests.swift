import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSessionTransport creates the URLRequest")
struct URLSessionRequestTests {
    /// Responds to each request with its settings.
    private final class SettingsProtocol: URLProtocol {
        override static func canInit(with request: URLRequest) -> Bool { true }

        override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            let settings = "\(request.allowsCellularAccess) \(request.networkServiceType.rawValue)"
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url,
                    statusCode: 200,
                    httpVersion: "HTTP/1.1",
                    headerFields: ["Settings": settings]
                )
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }

    @Test("properties of the caller's request that are not part of HTTP, such as allowsCellularAccess, are kept")
    func settings() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [SettingsProtocol.self]
        let transport = URLSessionTransport(configuration: configuration)
        let session = Session(transport: transport)
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
        #expect(try await session.data(for: request).headers[Self.name] == "true 0")
        request.allowsCellularAccess = false
        request.networkServiceType = .background
        let expected = "false \(URLRequest.NetworkServiceType.background.rawValue)"
        #expect(try await session.data(for: request).headers[Self.name] == expected)
        await transport.shutdown()
    }

    private static let name = HTTPField.Name("Settings") ?? .accept

    @Test("the URLRequest has the method, URL, headers and body of the transport's request")
    func message() throws {
        var original = URLRequest(url: try #require(URL(string: "http://a/")))
        original.httpMethod = "POST"
        original.setValue("old", forHTTPHeaderField: "X-Old")
        original.httpBody = Data("old".utf8)
        original.allowsCellularAccess = false
        var request = TransportRequest(
            method: .put,
            url: try #require(URL(string: "http://b/c")),
            headers: [.accept: "text/plain"]
        )
        request.urlRequest = original
        let made = URLRequest(request, timeout: 7)
        #expect(made.url?.absoluteString == "http://b/c")
        #expect(made.httpMethod == "PUT")
        #expect(made.allHTTPHeaderFields == ["Accept": "text/plain"])
        #expect(made.httpBody == nil)
        #expect(made.httpBodyStream == nil)
        #expect(made.timeoutInterval == 7)
        #expect(!made.allowsCellularAccess)
        #expect(!made.httpShouldHandleCookies)
    }

    /// A list of fields, and the dictionary for URLSession.
    static let fields: [([(String, String)], [String: String])] = [
        ([], [:]),
        ([("Accept", "a"), ("accept", "b")], ["Accept": "a, b"]),
        ([("x-one", "1"), ("X-Two", "2"), ("X-ONE", "3"), ("x-One", "4")], ["x-one": "1, 3, 4", "X-Two": "2"]),
        ([("Cookie", "a=1"), ("cookie", "b=2"), ("COOKIE", "c=3; d=4")], ["Cookie": "a=1; b=2; c=3; d=4"]),
    ]

    @Test(
        "fields whose names differ only in case become one entry of the URLRequest; cookies are joined by semicolons",
        arguments: fields
    )
    func sameNames(_ list: [(String, String)], expected: [String: String]) throws {
        var request = TransportRequest(method: .get, url: try #require(URL(string: "http://h/")))
        for (name, value) in list {
            request.headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        #expect(URLRequest(request, timeout: 1).allHTTPHeaderFields ?? [:] == expected)
    }

    #if canImport(FoundationNetworking)
    // On Apple's platforms a background configuration can only be created for the application.
    @Test("a request is refused with a reason in a background configuration")
    func background() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.identifier = "background"
        let refusal = TransportConfigurationError.unsupported(
            .sessionConfiguration,
            transport: "URLSessionTransport",
            reason: "URLSession runs no data tasks in the background. Use a default or ephemeral configuration."
        )
        #expect(throws: refusal) {
            try URLSessionTransport(configuration: configuration, connection: TransportConfiguration())
        }
        let transport = URLSessionTransport(configuration: configuration)
        let request = TransportRequest(method: .get, url: try #require(URL(string: "http://127.0.0.1:1/")))
        await #expect(throws: refusal) { try await transport.send(request) }
        await transport.shutdown()
    }
    #endif
}
