import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Misbehaving servers cause the same errors on every transport")
struct FaultTests {
    @Test(
        "each fault of a server gives the same URLError on every transport",
        arguments: Misbehavior.allCases.filter { $0 != .echoes },
        TransportKind.allCases
    )
    func fault(_ misbehavior: Misbehavior, kind: TransportKind) async throws {
        let code = misbehavior.urlErrorCode
        if misbehavior == .closesInHead, kind == .urlSession, foundationIsOnLinux { return }
        let server = try await MisbehavingServer()
        let transport = kind.make()
        var request = TransportRequest(method: .get, url: server.url(misbehavior))
        if code == .timedOut { request.idleTimeout = .milliseconds(300) }
        let outcome = await Result.of { try await transport.send(request).collected() }
        switch (outcome, code) {
        case (.success(let body), nil):
            #expect(body == Data((misbehavior == .declaresLess ? "0123" : "ok").utf8))
        case (.failure(let error as URLError), let code?):
            #expect(error.code == code, "\(error)")
        default:
            Issue.record("\(misbehavior) on \(kind) gave \(outcome)")
        }
        // The transport stays usable.
        let plain = TransportRequest(method: .get, url: server.url())
        let next =
            kind.mayGiveOutClosingConnections
            ? try await transport.sendAsSession(plain) : try await transport.send(plain)
        #expect(try await next.collected() == Data("ok".utf8))
        await transport.shutdown()
        try await server.shutDown()
    }
}

#if NIO && !canImport(Darwin)
@Suite("A request whose connection is lost is not always sent again")
struct ResendTests {
    @Test(
        "a request whose new connection is lost is not sent again, with any method",
        arguments: [HTTPMethod.get, .put, .delete, .options, .post, .patch, HTTPMethod(rawValue: "MKCOL")]
    )
    func before(method: HTTPMethod) async throws {
        #expect(try await requests(method, .closesBeforeHead) == 1)
    }

    @Test("a request is not sent again after the response has begun")
    func after() async throws {
        for misbehavior: Misbehavior in [.closesInBody, .declaresMore] {
            #expect(try await requests(.get, misbehavior) == 1)
        }
    }

    /// Returns the number of requests that the server receives.
    private func requests(_ method: HTTPMethod, _ misbehavior: Misbehavior) async throws -> Int {
        let server = try await MisbehavingServer()
        let transport = NIOTransport()
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(method: method, url: server.url(misbehavior))).collected()
        }
        #expect(error?.code == .networkConnectionLost)
        _ = try await transport.send(TransportRequest(method: .get, url: server.url())).collected()
        var count = 0
        for await event in server.events {
            if event == .request(path: "/\(misbehavior)") { count += 1 }
            if event == .request(path: "/none") { break }
        }
        await transport.shutdown()
        try await server.shutDown()
        return count
    }
}
#endif

/// Each test shows that a defect of Foundation on Linux still exists, and fails when it is fixed.
@Suite("URLSession on Linux has known defects", .enabled(if: foundationIsOnLinux))
struct URLSessionOnLinux {
    #if os(macOS) || os(Linux)
    @Test("a truncated response head crashes URLSession's process on Linux")
    func trapsOnCutHead() async {
        await #expect(processExitsWith: .failure) {
            let server = try await MisbehavingServer()
            let transport = URLSessionTransport()
            _ = try? await transport.send(TransportRequest(method: .get, url: server.url(.closesInHead)))
            await transport.shutdown()
            try await server.shutDown()
        }
    }

    @Test("trailers crash URLSession's process on Linux")
    func trapsOnTrailers() async {
        await #expect(processExitsWith: .failure) {
            let server = try await RawServer { connection in
                while try await connection.head() != nil {
                    try await connection.writer.write(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n"
                    )
                }
            }
            let transport = URLSessionTransport()
            _ = try? await transport.send(TransportRequest(method: .get, url: server.url()))
            await transport.shutdown()
            await server.shutDown()
        }
    }
    #endif
}

extension Result where Failure == any Error {
    /// The result of an asynchronous function.
    static func of(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}

extension TransportResponse {
    /// The whole body.
    func collected() async throws -> Data {
        switch body {
        case .complete(let data): return data
        case .stream(let stream):
            var data = Data()
            for try await chunk in stream { data += chunk }
            return data
        }
    }
}
