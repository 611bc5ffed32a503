#if Observability && NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import Logging
import MoyaHTTP
import MoyaObservability
import TestServers
import Testing

@Suite("Each request has one line in the log", .timeLimit(.minutes(5)))
struct LoggingTests {
    @Test("a line has the facts of the request and of its response, and no secrets")
    func success() async throws {
        let server = try await ObservedServer()
        let observed = try Observed()
        _ = try await observed.session.data(
            for: URLRequest(url: server.url("/elsewhere?access_token=s3cret"))
        )
        await server.shutDown()
        let line = try #require(observed.logs.lines.first)
        #expect(observed.logs.lines.count == 1)
        #expect(line.level == .info)
        #expect(line.message == "GET \(server.baseURL.absoluteString)/elsewhere?access_token=REDACTED 200")
        let duration = try #require(line.metadata["http.client.request.duration"].flatMap { Double($0) })
        #expect(duration > 0)
        #expect(line.metadata["moya.request.id"].flatMap { UUID(uuidString: $0) } != nil)
        var metadata = line.metadata
        metadata["http.client.request.duration"] = nil
        metadata["moya.request.id"] = nil
        #expect(
            metadata == [
                "http.request.method": "GET", "http.response.status_code": "200",
                "url.full": "\(server.baseURL.absoluteString)/elsewhere?access_token=REDACTED",
                "moya.response.url": "http://other.test:\(server.port)/status/200", "server.address": "127.0.0.1",
                "server.port": "\(server.port)", "network.peer.address": "127.0.0.1",
                "network.peer.port": "\(server.port)", "network.protocol.version": "1.1", "moya.redirect.count": "1",
                "moya.response.size": "2",
            ]
        )
    }

    @Test("a failure and a status of an error have another level and their type")
    func failures() async throws {
        let server = try await ObservedServer()
        let port = try DeadPort()
        let observed = try Observed(logging: { $0.failureLevel = .error })
        _ = try await observed.session.data(for: URLRequest(url: server.url("/status/500")))
        _ = try? await observed.session.data(for: URLRequest(url: port.url))
        await server.shutDown()
        #expect(observed.logs.lines.map(\.level) == [.error, .error])
        #expect(observed.logs.lines.map { $0.metadata["error.type"] } == ["500", "cannotConnectToHost"])
        #expect(observed.logs.lines.last?.message == "GET \(port.url) cannotConnectToHost")
        #expect(observed.logs.lines.last?.metadata["exception.message"]?.isEmpty == false)
    }

    @Test("a streamed response is logged when its body has been read, or is released")
    func streams() async throws {
        let server = try await ObservedServer()
        let observed = try Observed()
        var (_, body): (SessionResponse, TransportBodyStream?) = try await observed.session.stream(
            for: URLRequest(url: server.url("/stream"))
        )
        #expect(observed.logs.lines.isEmpty)
        if let body { for try await _ in body {} }
        #expect(observed.logs.lines.map { $0.metadata["moya.response.size"] } == ["100000"])
        (_, body) = try await observed.session.stream(for: URLRequest(url: server.url("/stream")))
        body = nil
        #expect(observed.logs.lines.last?.message.hasSuffix("/stream cancelled") == true)
        await server.shutDown()
    }

    @Test("a logger with a higher level gets no line")
    func level() async throws {
        let server = try await ObservedServer()
        let logs = LogRecorder()
        var logger = logs.logger
        logger.logLevel = .warning
        let session = Session(options: SessionOptions(instruments: [.logging(logger)]))
        _ = try await session.data(for: URLRequest(url: server.url("/status/200")))
        #expect(logs.lines.isEmpty)
        _ = try await session.data(for: URLRequest(url: server.url("/status/404")))
        #expect(logs.lines.map(\.level) == [.warning])
        await server.shutDown()
    }
}
#endif
