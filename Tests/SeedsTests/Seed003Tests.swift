import Foundation
import Moya
import Testing

@Suite("The quoted code with public names in seed 003 works")
struct Seed003Tests {
    private struct Pair: Codable, Equatable {
        let id: Int
        let name: String
    }

    @Test("Block 5: a provider needs only the type of its targets")
    func providerNeedsTargetTypeOnly() throws {
        let response = try StubbedProvider(like: Seed003.provider()).response(of: .me)
        #expect(response.request?.url?.absoluteString == "https://api.example.com/me")
        #expect(response.data.isEmpty)
    }

    @Test("Block 6: the quoted endpoint mapping and the library's mapping return equal endpoints")
    func endpointMappingsAgree() {
        for target in [GitHub.zen, .userProfile("ashfurrow"), .userRepositories("ashfurrow"), .branches("Moya", true)] {
            let quoted = Seed003.Defaults<GitHub>.defaultEndpointMapping(for: target)
            let ours = MoyaProvider<GitHub>.defaultEndpointMapping(for: target)
            #expect(quoted == ours)
            #expect(quoted.httpHeaderFields == ["Content-Type": "application/json"])
        }
    }

    @Test("Block 7: the quoted request mapping returns the request, and the error of an invalid URL")
    func requestMappings() throws {
        let endpoint = MoyaProvider<GitHub>.defaultEndpointMapping(for: .zen)
        var result: Result<URLRequest, MoyaError>?
        Seed003.Defaults<GitHub>.defaultRequestMapping(for: endpoint) { result = $0 }
        #expect(try result?.get() == endpoint.urlRequest())

        let wrong = Endpoint(
            url: "some invalid URL",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .get,
            task: .requestPlain
        )
        Seed003.Defaults<GitHub>.defaultRequestMapping(for: wrong) { result = $0 }
        guard case .failure(.requestMapping("some invalid URL")) = result else {
            Issue.record("a URL that is none gave \(String(describing: result))")
            return
        }
    }

    @Test("Block 8: the quoted stub closure never stubs")
    func quotedNeverStub() {
        if case .never = Seed003.Defaults<GitHub>.neverStub(.zen) {} else { Issue.record("neverStub stubs") }
    }

    @Test("Block 9: the quoted session has the default headers, and a provider uses it unchanged")
    func quotedSession() {
        let session = Seed003.Defaults<GitHub>.defaultAlamofireSession()
        #expect(!session.startRequestsImmediately)
        #expect(session.sessionHeaders == MoyaProvider<GitHub>.defaultAlamofireSession().sessionHeaders)
        #expect(MoyaProvider<GitHub>(session: session).session === session)
    }

    @Test("Block 16: an application's class can conform to Cancellable and wrap a request's token")
    func wrappedCancellables() {
        let wrapper = Seed003.Cancellables.CancellableWrapper()
        #expect(!wrapper.isCancelled)
        wrapper.cancel()
        #expect(wrapper.isCancelled)
        wrapper.innerCancellable = StubbedProvider<MyTarget>().request(.list) { _ in }
        #expect(!wrapper.isCancelled)
        wrapper.cancel()
        #expect(wrapper.innerCancellable.isCancelled)
    }

    @Test("Blocks 30 and 31: the quoted wrapper's encoding gives the body of .requestJSONEncodable")
    func encodingAgrees() throws {
        let pair = Pair(id: 7, name: "Harry")
        let endpoint = Endpoint(
            url: "https://api.example.com",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .post,
            task: .requestJSONEncodable(AnyEncodable(pair))
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var quoted = try URLRequest(url: #require(URL(string: "https://api.example.com")))
        let body = try #require(quoted.encoded(encodable: pair, encoder: encoder).httpBody)
        #expect(String(decoding: body, as: UTF8.self) == #"{"id":7,"name":"Harry"}"#)
        #expect(quoted.value(forHTTPHeaderField: "Content-Type") == "application/json")

        let ours = try endpoint.replacing(task: .requestCustomJSONEncodable(pair, encoder: encoder)).urlRequest()
        #expect(ours.httpBody == body)
        #expect(ours.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let wrapped = try #require(endpoint.urlRequest().httpBody)
        #expect(try JSONDecoder().decode(Pair.self, from: wrapped) == pair)
    }

    @Test("Block 34: an application's enum that wraps any target is a target")
    func targetsCanBeWrapped() throws {
        typealias MultiTarget = Seed003.Wrapping.MultiTarget
        let provider = StubbedProvider<MultiTarget>()
        let repositories = try provider.response(of: MultiTarget(GitHub.userRepositories("ashfurrow")))
        #expect(
            repositories.request?.url?.absoluteString == "https://api.github.com/users/ashfurrow/repos?sort=pushed"
        )
        #expect(try provider.response(of: MultiTarget(MyTarget.list)).mapString() == "sample of items")
    }

    @Test("Block 35: the logger has the selected options, and the request is sent")
    func requestIsLogged() throws {
        Seed003.Logging.request("ashfurrow")
        let logger = try #require(Seed003.Logging.plugins.first as? NetworkLoggerPlugin)
        #expect(Seed003.Logging.plugins.count == 1)
        #expect(logger.configuration.logOptions == .verbose)
        let recorder = Seed003.Logging.recorder
        #expect(
            recorder.requests.map(\.url?.absoluteString) == ["https://api.github.com/users/ashfurrow/repos?sort=pushed"]
        )
        #expect(recorder.results.count == 1)
    }
}
