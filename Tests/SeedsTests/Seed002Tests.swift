import Foundation
import Moya
import Testing

@Suite("The code about the provider's options in seed 002 works")
struct Seed002Tests {
    @Test("Block 1: a provider without options uses the target's properties and stubs nothing")
    func providerWithoutOptions() throws {
        let provider = Seed002.provider()
        guard case .never = provider.stubClosure(.zen) else {
            Issue.record("a provider stubs what nobody asked it to stub")
            return
        }
        #expect(provider.plugins.isEmpty)
        #expect(!provider.trackInflights)
        let response = try StubbedProvider(like: provider).response(of: .zen)
        #expect(response.request?.url?.absoluteString == "https://api.myservice.com/zen")
    }

    @Test("Block 2: the request of the block is sent and succeeds")
    func requestIsSent() throws {
        let provider = StubbedProvider<MyService>()
        Seed002.request(provider)
        #expect(provider.recorder.requests.map(\.httpMethod) == ["GET"])
        let result = try #require(provider.recorder.results.first)
        #expect(try result.get().statusCode == 200)
    }

    @Test("Block 3: the endpoint closure creates the endpoint from the target")
    func endpointClosureMakesEndpoint() throws {
        let provider = Seed002.providerWithEndpointClosure()
        let endpoint = provider.endpoint(.authenticate)
        #expect(endpoint.url == "https://api.example.com/v1/session")
        #expect(endpoint.method == .post)
        #expect(endpoint.httpHeaderFields == nil)
        let response = try StubbedProvider(like: provider).response(of: .list)
        #expect(response.statusCode == 200)
        #expect(try response.mapString() == "sample of items")
    }

    @Test("Block 5: the three stub functions return never, immediate and delayed")
    func threeStubFunctions() throws {
        let closures = Seed002.stubClosures(seconds: 0.2)
        try #require(closures.count == 3)
        if case .never = closures[0](.list) {} else { Issue.record("neverStub stubs") }
        if case .immediate = closures[1](.list) {} else { Issue.record("immediatelyStub does not stub at once") }
        if case .delayed(seconds: 0.2) = closures[2](.list) {} else { Issue.record("delayedStub has another delay") }
    }

    @Test("Block 6: both stub closures complete every request before it returns")
    func everythingIsStubbed() throws {
        for provider in [Seed002.immediateByClosure(), Seed002.immediateByName()] {
            var result: Result<Response, MoyaError>?
            provider.request(.list) { result = $0 }
            #expect(try result?.get().mapString() == "sample of items")
        }
    }

    @Test("Block 7: the session has the default headers and does not start requests")
    func sessionHasDefaultHeaders() {
        let session = Seed002.Sessions.defaultAlamofireSession()
        #expect(!session.startRequestsImmediately)
        #expect(Set(session.sessionHeaders.keys).isSuperset(of: ["Accept-Encoding", "Accept-Language", "User-Agent"]))
    }

    @Test("Block 8: the session pins the host's certificate and does not start requests")
    func sessionPins() throws {
        let session = Seed002.pinned(.default).session
        #expect(!session.startRequestsImmediately)
        let manager = try #require(session.serverTrustManager)
        #expect(try manager.serverTrustEvaluator(forHost: "example.com") is PinnedCertificatesTrustEvaluator)
        #expect(throws: ServerTrustError.self) { try manager.serverTrustEvaluator(forHost: "example.org") }
    }

    @Test("Block 9: the activity plugin reports the beginning and the end with the target")
    func pluginTellsActivity() throws {
        var changes: [String] = []
        let plugin = Seed002.Activity.NetworkActivityPlugin { change, target in
            changes.append("\(change) \(target.path)")
        }
        let provider = StubbedProvider<MyTarget>(plugins: [plugin])
        #expect(try provider.response(of: .list).statusCode == 200)
        #expect(changes == ["began items", "ended items"])
    }
}
