import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A target can set a cache policy")
struct TargetCachePolicyTests {
    private struct Cached: TargetType {
        var cachePolicy = URLRequest.CachePolicy.returnCacheDataElseLoad
        var baseURL: URL { URL(string: "http://server.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "/a" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test("a target's cache policy is copied to the request, through wrappers, copies and another server")
    func request() throws {
        let endpoint = MoyaProvider<Cached>.defaultEndpointMapping(for: Cached())
        let wrapped = MoyaProvider<MultiTarget>.defaultEndpointMapping(for: MultiTarget(Cached()))
        let moved = MoyaProvider<Cached>.endpoints(at: URL(string: "http://other"))(Cached())
        for endpoint in [endpoint, wrapped, moved, endpoint.adding(newHTTPHeaderFields: ["a": "b"])] {
            #expect(try endpoint.urlRequest().cachePolicy == .returnCacheDataElseLoad)
        }
        #expect(SomeTarget(tag: "a").cachePolicy == .useProtocolCachePolicy)
    }

    @Test("the session respects a target's cache policy, and the response has its source")
    func provider() async throws {
        let transport = FakeTransport { _ in
            TransportResponse(status: 200, headers: [.cacheControl: "max-age=0"], body: .complete(Data("body".utf8)))
        }
        let session = Session(transport: transport, cache: .memory())
        let provider = MoyaProvider<Cached>(session: session)
        let first = try await provider.request(Cached(cachePolicy: .useProtocolCachePolicy))
        let second = try await provider.request(Cached())
        let third = try await provider.request(Cached(cachePolicy: .reloadIgnoringLocalCacheData))
        #expect([first, second, third].map(\.source) == [.network, .stale, .network])
        #expect(try second.mapString() == "body")
        #expect(Response(statusCode: 200, data: Data()).source == .network)
    }
}
