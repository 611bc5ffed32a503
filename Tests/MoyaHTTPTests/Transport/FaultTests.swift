import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A server that misbehaves gives the same URLError on every transport")
struct FaultTests {
    @Test(
        "every fault",
        arguments: Misbehaviour.allCases.filter { $0 != .echoes },
        TransportKind.allCases
    )
    func fault(_ misbehaviour: Misbehaviour, kind: TransportKind) async throws {
        let code = misbehaviour.urlErrorCode
        if misbehaviour == .closesInHead, kind == .urlSession, foundationIsOnLinux { return }
        let server = try await MisbehavingServer()
        let transport = kind.make()
        var request = TransportRequest(method: .get, url: server.url(misbehaviour))
        if code == .timedOut { request.idleTimeout = .milliseconds(300) }
        let outcome = await Result.of { try await transport.send(request).collected() }
        switch (outcome, code) {
        case (.success(let body), nil):
            #expect(body == Data((misbehaviour == .declaresLess ? "0123" : "ok").utf8))
        case (.failure(let error as URLError), let code?):
            #expect(error.code == code, "\(error)")
        default:
            Issue.record("\(misbehaviour) on \(kind) gave \(outcome)")
        }
        // The transport is as good as before.
        let next = try await transport.send(TransportRequest(method: .get, url: server.url())).collected()
        #expect(next == Data("ok".utf8))
        await transport.shutdown()
        try await server.shutDown()
    }
}

/// Foundation's own defects on Linux, each shown to be there still: when one is mended, its test says so.
@Suite("Known defects of URLSession on Linux", .enabled(if: foundationIsOnLinux))
struct URLSessionOnLinux {
    @Test("a head that is cut off ends the process")
    func trapsOnCutHead() async {
        await #expect(processExitsWith: .failure) {
            let server = try await MisbehavingServer()
            let transport = URLSessionTransport()
            _ = try? await transport.send(TransportRequest(method: .get, url: server.url(.closesInHead)))
            await transport.shutdown()
            try await server.shutDown()
        }
    }
}

extension Result where Failure == any Error {
    /// What an asynchronous function came to.
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
