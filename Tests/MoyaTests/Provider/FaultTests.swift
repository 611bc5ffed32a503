import Foundation
import Moya
import MoyaHTTP
import TestServers
import Testing

@Suite("Every entry point reports the faults of a misbehaving server")
struct FaultTests {
    /// The faults of a server; without SwiftNIO those that do not end a process on Linux (`Tests/URLSESSION.md`).
    private static let faults = Misbehavior.allCases.filter { misbehavior in
        ![.none, .echoes].contains(misbehavior)
            && !(misbehavior == .closesInHead && TransportKind.isDefaultURLSessionOnLinux)
    }

    @Test(
        "fact 39: each fault causes the documented URLError, and the provider stays usable",
        arguments: faults,
        EntryPoint.allCases
    )
    func fault(_ misbehavior: Misbehavior, entryPoint: EntryPoint) async throws {
        let code = misbehavior.urlErrorCode
        let server = try await MisbehavingServer()
        let provider = MoyaProvider<SomeTarget>(requestClosure: { endpoint, done in
            MoyaProvider<SomeTarget>.defaultRequestMapping(for: endpoint) { result in
                done(
                    result.map {
                        var request = $0
                        // Only the misbehaving request has a short timeout; the next one may need longer on a busy machine.
                        if code == .timedOut, request.url == server.url(misbehavior) { request.timeoutInterval = 0.3 }
                        return request
                    }
                )
            }
        })
        let result = await entryPoint.request(SomeTarget(baseURL: server.url(misbehavior), path: ""), from: provider)
        #expect(result.urlErrorCode == code, "\(result)")
        if code == nil { #expect(result.response?.data == Data("0123".utf8)) }
        let next = await entryPoint.request(SomeTarget(baseURL: server.url(), path: ""), from: provider)
        #expect(next.response?.data == Data("ok".utf8), "\(next)")
        try await server.shutDown()
    }

    @Test(
        "fact 39: a refused connection, an unknown host and an unsupported scheme cause the documented errors",
        arguments: EntryPoint.allCases
    )
    func unreachable(entryPoint: EntryPoint) async throws {
        let nobody = try DeadPort()
        let provider = MoyaProvider<SomeTarget>()
        let refused = await entryPoint.request(SomeTarget(baseURL: nobody.url, path: ""), from: provider)
        #expect(refused.urlErrorCode == .cannotConnectToHost)
        let unknown = await entryPoint.request(
            SomeTarget(baseURL: try #require(URL(string: "http://nowhere.invalid"))),
            from: provider
        )
        #expect(unknown.urlErrorCode == .cannotFindHost)
        for result in [refused, unknown] {
            if case .failure(let error) = result { #expect(error.response == nil) }
        }
        let ftp = SomeTarget(baseURL: try #require(URL(string: "ftp://127.0.0.1")))
        #expect(
            await entryPoint.request(ftp, from: provider).underlying as? RequestValidationError
                == .unsupportedScheme("ftp")
        )
    }

    @Test("values of a target that would inject a header are refused", arguments: EntryPoint.allCases)
    func injection(entryPoint: EntryPoint) async throws {
        let server = try await MisbehavingServer()
        let provider = MoyaProvider<SomeTarget>()
        func outcome(_ change: (inout SomeTarget) -> Void) async -> RequestValidationError? {
            var target = SomeTarget(baseURL: server.url(), path: "")
            change(&target)
            return await entryPoint.request(target, from: provider).underlying as? RequestValidationError
        }
        #expect(await outcome { $0.headers = ["A": "b\r\nX: y"] } == .invalidHeaderValue(name: "A"))
        #expect(await outcome { $0.headers = ["A": "b\nX: y"] } == .invalidHeaderValue(name: "A"))
        #expect(await outcome { $0.headers = ["A\r\nX": "b"] } == .invalidHeaderName("A\r\nX"))
        #expect(await outcome { $0.headers = ["A:": "b"] } == .invalidHeaderName("A:"))
        #expect(
            await outcome { $0.method = Moya.Method(rawValue: "GET / HTTP/1.1\r\nX: y") }
                == .invalidMethod("GET / HTTP/1.1\r\nX: y")
        )
        // A path is safe, because its line breaks are escaped.
        let echo = SomeTarget(
            baseURL: try #require(URL(string: "http://127.0.0.1:\(server.port)")),
            path: "/a\r\nX: y"
        )
        #expect(await entryPoint.request(echo, from: provider).response?.statusCode == 200)
        #expect(await server.wait(for: .request(path: "/a%0D%0AX:%20y")))
        try await server.shutDown()
    }
}
