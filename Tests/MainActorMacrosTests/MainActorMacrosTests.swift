#if Macros
import MoyaMacros
import Testing

@Suite("@API works in a module with default isolation to the main actor")
struct MainActorMacrosTests {
    @Test("a client works on and off the main actor, as a value of its protocol and of its type")
    func client() async throws {
        let client = HubClient(provider: MoyaProvider<HubAPI>(stubClosure: MoyaProvider.immediatelyStub))
        let hub: any Hub = client
        #expect(try await hub.user(name: "a") == HubUser(login: "octocat"))
        #expect(try await hub.users(page: nil, order: .newest).map(\.login) == ["octocat"])
        #expect(try await hub.create(issue: HubIssue(title: "x")).title == "sample")
        #expect(try await hub.labels() == [HubLabel(title: "bug")])
        #expect(try await hub.text() == "hello\n\nworld")
        #expect(try await away(client) == HubUser(login: "octocat"))
        let isolated: any IsolatedHub = IsolatedHubClient(
            provider: MoyaProvider<IsolatedHubAPI>(stubClosure: MoyaProvider.immediatelyStub)
        )
        #expect(try await isolated.user(name: "a").login == "octocat")
        #expect(try await isolated.zen() == "ok")
    }

    @Test("a composed API, results by status and decoded streams work on the main actor")
    func composition() async throws {
        let stubbed = WholeHubClient(
            hubUsersPart: HubUsersClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub)),
            hubIssuesPart: HubIssuesClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))
        )
        let hub: any WholeHub = stubbed
        #expect(try await hub.typedUser(name: "a").value.login == "octocat")
        #expect(try await hub.create(issue: HubIssue(title: "x")).title == "sample")
        let mock = WholeHubMock()
        mock.hubUsersPart.handlers.save = { title, _ in .label(HubLabel(title: title)) }
        mock.hubUsersPart.handlers.lines = { DecodedLines([HubLabel(title: "l")]) }
        guard case .label(HubLabel(title: "t")) = try await mock.save(title: "t", more: [:]) else {
            Issue.record("another result")
            return
        }
        for try await label in try await mock.lines() { #expect(label.title == "l") }
        #expect(
            try url(HubUsersAPI.save(title: "t", more: ["order": .newest]))
                == "https://api.example.com/labels?order=new"
        )
    }

    @concurrent
    private nonisolated func away(_ client: HubClient) async throws -> HubUser { try await client.user(name: "b") }

    @Test("a provider of an API's target calls the completion with the response")
    func callback() async throws {
        let provider = MoyaProvider<HubAPI>(stubClosure: MoyaProvider.immediatelyStub)
        let text = await withCheckedContinuation { continuation in
            provider.request(.user(name: "a")) { continuation.resume(returning: try? $0.get().mapString()) }
        }
        #expect(text == #"{"login":"octocat"}"#)
    }

    @Test("a mock of an API works on the main actor")
    func mock() async throws {
        let mock = HubMock { $0.user = { HubUser(login: $0) } }
        let hub: any Hub = mock
        #expect(try await hub.user(name: "b").login == "b")
        #expect(mock.calls == [.user(name: "b")])
    }

    @Test("the requests of a client have the declared URLs and bodies")
    func requests() throws {
        #expect(try url(HubAPI.users(page: 2, order: .newest)) == "https://api.example.com/users?order=new&page=2")
        let label = HubAPI.labelTitleColorIssue(title: "t", color: nil, issue: HubIssue(title: "x"))
        #expect(try json(label) == ["title": "t", "issue": ["title": "x"]])
    }
}

@Suite("Parameters and methods can have names of keywords and of generated code")
struct KeywordTests {
    @Test("parameters whose names are keywords are sent under their names")
    func requests() async throws {
        #expect(
            try url(KeywordHubAPI.search(for: "a/b", in: 1, `inout`: true, where: "x"))
                == "https://api.example.com/a/a%2Fb?in=1&inout=1&value=x"
        )
        #expect(
            try json(KeywordHubAPI.`init`(class: "c", default: 1, some: true, await: "a"))
                == ["class": "c", "default": 1, "some": true, "await": "a"]
        )
        #expect(try body(KeywordHubAPI.repeat(while: "w", [1])) == "let%5B%5D=1&while=w")
        let request = try MoyaProvider.defaultEndpointMapping(for: KeywordHubAPI.in(return: nil, var: "1"))
            .urlRequest()
        #expect(request.value(forHTTPHeaderField: "X-Var") == "v1")
        #expect(
            try url(KeywordHubAPI.path(path: "p", caller: "c", state: 1, answer: "a", PathValue: "P"))
                == "https://api.example.com/p?PathValue=P&answer=a&caller=c&path=p&state=1"
        )
        #expect(
            try url(KeywordHubAPI.`raw name`(`first name`: "n")) == "https://api.example.com/3?first%20name=n"
        )
    }

    @Test("clients and mocks with keywords as names are called as declared")
    func calls() async throws {
        let mock = KeywordHubMock { handlers in
            handlers.search = { _, _, _, _ in }
            handlers.`init` = { _, _, _, _ in }
            handlers.caller = { _ in }
            handlers.state = { _ in }
            handlers.forThrow = { "1" + $0 }
            handlers.forIn = { "2" + $0 }
            handlers.declaredBaseURL = {}
        }
        let hub: any KeywordHub = mock
        try await hub.search(for: "a", in: nil, `inout`: false, where: "x")
        try await hub.`init`(class: "c", default: 1, some: true, await: "a")
        try await hub.caller(x: 1)
        try await hub.state(x: 1)
        try await hub.declaredBaseURL()
        #expect(try await hub.for(throw: "a") == "1a")
        #expect(try await hub.for(in: "a") == "2a")
        #expect(mock.calls.count == 7)
        let provider = MoyaProvider<KeywordHubAPI>(stubClosure: MoyaProvider.immediatelyStub)
        let client: any KeywordHub = KeywordHubClient(provider: provider)
        try await client.caller(x: 1)
        try await client.search(for: "a", in: nil, `inout`: false, where: "x")
        try await client.search(for: "a", `inout`: false, where: "x")
    }
}

@Suite("Application types can have the names of the library's types")
struct ShadowTests {
    @Test("the application's code uses its types, and generated code uses the library's types")
    func client() async throws {
        let provider = MoyaProvider<Shadows.ShadowAPI>(stubClosure: MoyaProvider.immediatelyStub)
        let client: any Shadows.Shadow = Shadows.ShadowClient(provider: provider)
        #expect(try await client.data(path: .one, query: nil) == Shadows.Data(data: 7))
        let own = Shadows.ShadowClient(provider: provider)
        #expect(try await own.data(path: .one) == Shadows.Data(data: 7))
        #expect(try await client.response(tag: .one) == Shadows.Response(response: 8))
    }

    @Test("the type of a parameter's value, and not the type's name, determines how the value is sent")
    func requests() throws {
        typealias API = Shadows.ShadowAPI
        #expect(try url(API.data(path: .one, query: nil)) == "https://api.example.com/data/1%2F1")
        #expect(
            try json(API.create(body: .init(), handlers: .init(), keys: nil)) == ["body": [:], "handlers": [:]]
        )
        #expect(try json(API.put(data: .init(data: 1))) == ["data": 1])
        #expect(try body(API.bytes(Data("raw".utf8))) == "raw")
        #expect(try body(API.form(text: .one)) == "text=1/1")
        let request = try MoyaProvider.defaultEndpointMapping(for: API.response(tag: .one)).urlRequest()
        #expect(request.value(forHTTPHeaderField: "Tag") == "1/1")
    }
}

private func url<Target: TargetType>(_ target: Target) throws -> String? {
    try MoyaProvider.defaultEndpointMapping(for: target).urlRequest().url?.absoluteString
}

private func body<Target: TargetType>(_ target: Target) throws -> String? {
    try MoyaProvider.defaultEndpointMapping(for: target).urlRequest().httpBody
        .map { String(decoding: $0, as: UTF8.self) }
}

private func json<Target: TargetType>(_ target: Target) throws -> NSDictionary? {
    let body = try MoyaProvider.defaultEndpointMapping(for: target).urlRequest().httpBody
    return try body.flatMap { try JSONSerialization.jsonObject(with: $0) as? NSDictionary }
}
#endif
