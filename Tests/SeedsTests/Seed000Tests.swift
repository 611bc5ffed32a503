import Foundation
import Moya
import Testing

@Suite("The code about targets and endpoints in seed 000 works")
struct Seed000Tests {
    @Test("Blocks 1 to 7: each case of a target becomes a request with its properties")
    func targetsBecomeRequests() throws {
        let expected: [(target: GitHub, url: String)] = [
            (.zen, "https://api.github.com/zen"),
            (.userProfile("ashfurrow"), "https://api.github.com/users/ashfurrow"),
            (.userRepositories("ashfurrow"), "https://api.github.com/users/ashfurrow/repos?sort=pushed"),
            (.branches("Moya", true), "https://api.github.com/repos/Moya/branches?protected=true"),
        ]
        for (target, url) in expected {
            let request = try #require(StubbedProvider<GitHub>().response(of: target).request)
            #expect(request.httpMethod == "GET")
            #expect(request.url?.absoluteString == url)
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
            #expect(request.httpBody == nil)
        }
    }

    @Test("Block 6: a stub returns the sample data of its target's case")
    func stubsAnswerWithSampleData() throws {
        let provider = StubbedProvider<GitHub>()
        #expect(
            try provider.response(of: .zen).mapString() == "Half measures are as bad as nothing at all."
        )
        let profile = try provider.response(of: .userProfile("ashfurrow"))
        #expect(try profile.mapString(atKeyPath: "login") == "ashfurrow")
        #expect(try profile.map(Int.self, atKeyPath: "id") == 100)
        let repositories = try provider.response(of: .userRepositories("ashfurrow"))
        #expect(try repositories.map([[String: String]].self) == [["name": "Repo Name"]])
        let branches = try provider.response(of: .branches("Moya", false))
        #expect(try branches.map([[String: String]].self) == [["name": "master"]])
    }

    @Test("Block 8: a provider without arguments uses the target's properties and stubs nothing")
    func providerOfOneLine() {
        #expect(GitHubProvider.endpoint(.zen).url == "https://api.github.com/zen")
        if case .never = GitHubProvider.stubClosure(.zen) {} else { Issue.record("it stubs by itself") }
    }

    @Test("Block 9: \"like this\" becomes \"like%20this\"")
    func textIsEscaped() {
        #expect(Seed000.escaped("like this") == "like%20this")
    }

    @Test("Block 10: the endpoint closure creates an endpoint that returns 200 with the sample data")
    func endpointClosureMakesEndpoint() {
        let endpoint = Seed000.endpointClosure()(.list)
        #expect(endpoint.url == "https://api.example.com/v1/items")
        #expect(endpoint.method == .get)
        guard case .networkResponse(200, let data) = endpoint.sampleResponseClosure() else {
            Issue.record("the sample response is another")
            return
        }
        #expect(data == MyTarget.list.sampleData)
    }

    @Test("Block 11: every request has a header with the application's name, and the target's headers")
    func headerIsAdded() throws {
        let provider = StubbedProvider(like: Seed000.AddingHeaders.provider())
        let request = try #require(provider.response(of: .zen).request)
        #expect(request.value(forHTTPHeaderField: "APP_NAME") == "MY_AWESOME_APP")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test("Block 12: all requests except the authentication request are signed")
    func requestsAreSigned() throws {
        let provider = StubbedProvider(like: Seed000.Signing.provider())
        let authenticating = try #require(provider.response(of: .authenticate).request)
        #expect(authenticating.value(forHTTPHeaderField: "AUTHENTICATION_TOKEN") == nil)
        let other = try #require(provider.response(of: .list).request)
        #expect(other.value(forHTTPHeaderField: "AUTHENTICATION_TOKEN") == "a token")
        #expect(other.value(forHTTPHeaderField: "Accept") == "text/plain")
    }

    @Test("Block 13: the request closure creates the request, or passes the error on")
    func requestClosureMakesRequest() throws {
        let provider = Seed000.providerWithRequestClosure()
        let response = try StubbedProvider(like: provider).response(of: .zen)
        #expect(response.request?.url?.absoluteString == "https://api.github.com/zen")

        let unmappable = StubbedProvider<GitHub>(
            endpointClosure: { target in
                Endpoint(
                    url: "some invalid URL",
                    sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: target.method,
                    task: target.task
                )
            },
            requestClosure: provider.requestClosure
        )
        let result = try unmappable.result(of: .zen)
        guard case .failure(.underlying(MoyaError.requestMapping("some invalid URL"), nil)) = result else {
            Issue.record("a URL that is none gave \(result)")
            return
        }
        #expect(unmappable.recorder.requests.isEmpty)
    }

    @Test("Block 14: the request closure turns cookies off for every request")
    func cookiesAreOff() throws {
        let provider = StubbedProvider<GitHub>(requestClosure: Seed000.requestClosureWithoutCookies())
        #expect(try provider.response(of: .zen).request?.httpShouldHandleCookies == false)
        #expect(try StubbedProvider<GitHub>().response(of: .zen).request?.httpShouldHandleCookies == true)
    }

    @Test("Block 38: a provider for the reactive entry points also sends callback requests")
    func providerForReactiveEntryPoints() throws {
        let response = try StubbedProvider(like: Seed000.provider()).response(of: .userProfile("ashfurrow"))
        #expect(response.request?.url?.absoluteString == "https://api.github.com/users/ashfurrow")
    }

    @Test("the name `Task` means a target's task in Swift 5")
    func taskIsHTTPTask() {
        #expect(Task.self == HTTPTask.self)
        let task: Task = GitHub.zen.task
        if case .requestPlain = task {} else { Issue.record("zen sends something") }
    }

    @Test("Block 24: a challenge gets the plugin's name and password")
    func challengeIsAnswered() throws {
        /// A request that records the passed credentials.
        struct Request: RequestType {
            let credentials: Credentials
            var request: URLRequest? { nil }
            var sessionHeaders: [String: String] { [:] }
            func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Request {
                self
            }
            func authenticate(with credential: URLCredential) -> Request {
                credentials.all.append(credential)
                return self
            }
            func cURLDescription(calling handler: @escaping (String) -> Void) -> Request { self }
        }
        final class Credentials: @unchecked Sendable {
            var all: [URLCredential] = []
        }
        let plugin = try #require(Seed000.providerWithCredentials().plugins.first)
        let recorder = Credentials()
        plugin.willSend(Request(credentials: recorder), target: GitHub.zen)
        #expect(recorder.all.map(\.user) == ["user"])
        #expect(recorder.all.map(\.password) == ["passwd"])
        #expect(recorder.all.map(\.persistence) == [.none])
    }
}
