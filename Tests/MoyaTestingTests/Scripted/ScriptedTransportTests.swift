import Foundation
import MoyaTesting
import Testing

@Suite("A scripted transport matches requests", .timeLimit(.minutes(5)))
struct ScriptedTransportTests {
    @Test("each request for a target gets the target's scripted response")
    func once() async throws {
        let transport = ScriptedTransport().on(Shop.list, .text("a")).on(Shop.item(2), .text("b"))
        let provider = MoyaProvider<Shop>(transport)
        for _ in 0..<3 { #expect(try await provider.request(.list).mapString() == "a") }
        #expect(transport.unused.map(\.name) == ["Shop.item, GET https://shop.example.com/v1/items/2"])
        #expect(try await provider.request(.item(2)).mapString() == "b")
        try transport.finish()
    }

    @Test("several scripted responses are returned in order, and the last response repeats")
    func sequence() async throws {
        let transport = ScriptedTransport().on(Shop.list, .text("a"), .text("b"))
        let provider = MoyaProvider<Shop>(transport)
        var responses: [String] = []
        for _ in 0..<4 { responses.append(try await provider.request(.list).mapString()) }
        #expect(responses == ["a", "b", "b", "b"])
    }

    @Test("a scripted transport captures requests with target and body, even unscripted requests")
    func requests() async throws {
        let transport = ScriptedTransport().on(Shop.list, .text("a")).on(Shop.item(1), .refused)
        let provider = MoyaProvider<Shop>(transport)
        _ = try await provider.request(.list)
        _ = await provider.error(.item(1))
        _ = await provider.error(.add(Shop.Item(name: "tea")))
        #expect(transport.requests.map { $0.target as? Shop } == [.list, .item(1), .add(Shop.Item(name: "tea"))])
        #expect(transport.requests.map(\.status) == [200, nil, nil])
        #expect((transport.requests[1].error as? URLError)?.code == .cannotConnectToHost)
        #expect(transport.requests[2].error is ScriptError)
        try transport.requests[2].expect(.post("/v1/items").json(["name": "tea"]))
        try transport.requests.expect(inOrder: .target(Shop.list), .target(Shop.item(1)), .post())
    }

    @Test("a scripted target that does not equal itself is matched by type, method and URL")
    func irreflexive() async throws {
        let transport = ScriptedTransport().on(Archive.file(1) { _ in }, .text("a"))
        let provider = MoyaProvider<Archive>(transport)
        #expect(try await provider.request(.file(1) { _ in }).mapString() == "a")
        #expect(await provider.error(.file(2) { _ in }) is ScriptError)
        try transport.requests.expect(inOrder: .target(Archive.file(1) { _ in }), .target(Archive.file(2) { _ in }))
        #expect(transport.requests.to(Archive.file(1) { _ in }).count == 1)
    }

    @Test("a further request fails if the script ends with noMore")
    func over() async throws {
        let transport = ScriptedTransport().on(Shop.list, .text("a"), .noMore)
        let provider = MoyaProvider<Shop>(transport)
        #expect(try await provider.request(.list).mapString() == "a")
        let error = try #require(await provider.error(.list) as? ScriptError)
        #expect(error.reason == .over)
        #expect("\(MoyaError.underlying(error, nil))" == error.localizedDescription)
        #expect(
            error.localizedDescription == """
                The script allows no further GET https://shop.example.com/v1/items (Shop.list): add a response, or find out \
                why it is sent again. The script:
                - Shop.list, GET https://shop.example.com/v1/items: 1 answer, 1 used
                """
        )
        try transport.finish()
    }

    @Test("a part of a script without a remaining response passes the request to the next part")
    func nextPart() async throws {
        let transport = ScriptedTransport().on(Shop.item(1)).on(Shop.item(1), .text("a"), .noMore)
            .on("/v1/items/*", .text("b"))
        let provider = MoyaProvider<Shop>(transport)
        #expect(try await provider.request(.item(1)).mapString() == "a")
        #expect(try await provider.request(.item(1)).mapString() == "b")
    }

    @Test("the first matching part of a script responds, as in a switch")
    func firstPart() async throws {
        let transport = ScriptedTransport().on(.get, "/v1/items/1", .text("one")).on(.get, "/v1/**", .text("any"))
            .on(Shop.item(2), .text("never"))
        let provider = MoyaProvider<Shop>(transport)
        #expect(try await provider.request(.item(1)).mapString() == "one")
        #expect(try await provider.request(.item(2)).mapString() == "any")
        let error = #expect(throws: UnusedResponsesError.self) { try transport.finish() }
        #expect(
            error?.localizedDescription == """
                Some scripted responses were not used: remove them from the script, or find out why.
                - Shop.item, GET https://shop.example.com/v1/items/2: 1 answer, none used
                """
        )
    }

    @Test("queued responses come before all parts of a script, and each is used once")
    func queue() async throws {
        let transport = ScriptedTransport().next(.text("1"), .text("2")).on(Shop.list, .text("a"))
        let provider = MoyaProvider<Shop>(transport)
        #expect(try await provider.request(.item(7)).mapString() == "1")
        #expect(transport.unused.map(\.description).first == "the next requests: 2 answers, 1 used")
        #expect(try await provider.request(.list).mapString() == "2")
        #expect(try await provider.request(.list).mapString() == "a")
        try transport.finish()
        transport.next(.text("3"))
        #expect(try await provider.request(.list).mapString() == "3")
        #expect(try #require(await provider.error(.item(7)) as? ScriptError).reason == .notScripted)
    }

    @Test("a scripted target is matched in a MultiTarget at any depth")
    func multiTarget() async throws {
        let transport = ScriptedTransport().on(Shop.list, .text("a")).on(MultiTarget(Shop.item(1)), .text("b"))
        let provider = MoyaProvider<MultiTarget>(transport)
        #expect(try await provider.request(MultiTarget(Shop.list)).mapString() == "a")
        #expect(try await provider.request(MultiTarget(MultiTarget(Shop.item(1)))).mapString() == "b")
        transport.on(Search.self, .text("c")).on(MultiTarget.self, .text("d"))
        #expect(try await provider.request(MultiTarget(Search(words: "a"))).mapString() == "c")
        #expect(try await provider.request(MultiTarget(Shop.item(2))).mapString() == "d")
    }

    @Test("a scripted target that is not Equatable is matched by type, method and URL")
    func notEquatable() async throws {
        let transport = ScriptedTransport().on(Search(words: "a b"), .text("a"))
        let provider = MoyaProvider<Search>(transport)
        #expect(try await provider.request(Search(words: "a b")).mapString() == "a")
        #expect(await provider.error(Search(words: "a")) is ScriptError)
    }

    @Test("a target of another type does not match the scripted target, even with the same URL")
    func otherType() async throws {
        let transport = ScriptedTransport().on(Search(words: "a"), .text("a"))
        let url = try #require(URL(string: "https://search.example.com/find?q=a"))
        #expect(await MoyaProvider<Shop>(transport).error(.stocked(at: url)) is ScriptError)
    }

    @Test("a request without a target is matched with a script by method and URL")
    func noTarget() async throws {
        let transport = ScriptedTransport().on(Shop.item(1), .text("a"))
        #expect(try await transport.ask("https://shop.example.com/v1/items/1").text == "a")
        await #expect(throws: ScriptError.self) {
            try await transport.ask("https://shop.example.com/v1/items/1", method: .put)
        }
    }

    @Test("targets are matched with a script by type and by a closure")
    func pattern() async throws {
        let transport = ScriptedTransport()
            .on(Shop.self, where: { if case .item = $0 { true } else { false } }, .text("item"))
            .on(Shop.self, .text("other"))
        let provider = MoyaProvider<Shop>(transport)
        #expect(try await provider.request(.item(9)).mapString() == "item")
        #expect(try await provider.request(.list).mapString() == "other")
        #expect(await MoyaProvider<Search>(transport).error(Search(words: "a")) is ScriptError)
    }

    @Test("requests are matched with a script by a closure")
    func closure() async throws {
        let transport = ScriptedTransport().on(where: { $0.headers[.authorization] == nil }, .status(401))
            .on("**", .text("in"))
        #expect(try await transport.ask("http://h/a").status == 401)
        #expect(try await transport.ask("http://h/a", headers: [.authorization: "x"]).text == "in")
        let line = #line + 1
        let unused = ScriptedTransport().on(where: { _ in false }, .text("a")).unused
        #expect(unused.map(\.name) == ["requests where … (\(#fileID):\(line))"])
    }

    @Test("an unscripted request fails with an error that lists the script's parts and masks secrets")
    func notScripted() async throws {
        let transport = ScriptedTransport().on(Shop.list, .text("a"), .text("b")).on(.get, "/users/*", .status(200))
            .on(Shop.login(password: "hidden1"), .status(200)).on("/a?api_key=hidden", .status(200))
        let provider = MoyaProvider<Shop>(transport)
        _ = try await provider.request(.list)
        let error = try #require(await provider.error(.login(password: "hidden2")) as? ScriptError)
        #expect(error.reason == .notScripted)
        #expect(error.target == "Shop.login")
        #expect(error.request.method == "POST")
        #expect(
            error.localizedDescription == """
                Nothing is scripted for POST https://shop.example.com/v1/login?password=*** (Shop.login): script a \
                response, or find out why it is sent. The script:
                - Shop.list, GET https://shop.example.com/v1/items: 2 answers, 1 used
                - GET /users/*: 1 answer, none used
                - Shop.login, POST https://shop.example.com/v1/login?password=***: 1 answer, none used
                - any method, /a?api_key=***: 1 answer, none used
                """
        )
        #expect(!"\(error)".contains("hidden"))
        let empty = await #expect(throws: ScriptError.self) { try await ScriptedTransport().ask("http://u:hidden@h/") }
        #expect(
            empty?.localizedDescription
                == "Nothing is scripted for GET http://h/, or for any other request: script a response."
        )
    }

    @Test(
        "URLs are matched with a script by a pattern",
        arguments: [
            ("/users/*", "http://h/users/1", true), ("/users/*", "http://h/users/1/2", false),
            ("/users/*", "http://h/users/", true), ("/users/*", "http://h/users", false),
            ("/users/**", "http://h/users/1/2", true), ("/*/a", "http://h/b/a?x=1", true),
            ("/a", "http://h/a#f", true), ("/a", "http://h/b", false), ("a", "http://h/a", true),
            ("/", "http://h", true), ("**", "http://h", true), ("/a*b*c", "http://h/axxbyybc", true),
            ("/a?x=1&y=2", "http://h/a?y=2&x=1", true), ("/a?x=1", "http://h/a?x=2", false),
            ("/a?x=1", "http://h/a", false), ("/a?", "http://h/a?x=1", false), ("/a?", "http://h/a", true),
            ("https://H/a", "https://h/a", true), ("https://h/a", "http://h/a", false),
            ("https://h:1/a", "https://h:1/a", true), ("https://h:1/a", "https://h/a", false),
            ("https://h", "https://h/", true), ("https://h?x=1", "https://h?x=1", true),
            ("https://h/**", "https://user:password@h/a", true), ("/caf%C3%A9", "http://h/caf%C3%A9", true),
            ("", "http://h/", true), ("*", "http://h/a", false), ("/*", "http://h/a", true),
        ]
    )
    func patterns(_ pattern: String, _ url: String, _ isMatch: Bool) async throws {
        let transport = ScriptedTransport().on(pattern, .text("yes")).on("**", .text("no"))
        #expect(try await transport.ask(url).text == (isMatch ? "yes" : "no"))
    }

    @Test("a URL pattern with many wildcards is matched quickly")
    func manyStars() async throws {
        let pattern = "/" + String(repeating: "*a", count: 40) + "b"
        let transport = ScriptedTransport().on(pattern, .text("yes")).on("**", .text("no"))
        #expect(try await transport.ask("http://h/" + String(repeating: "a", count: 300)).text == "no")
    }

    @Test("each of 1,000 concurrent requests gets one scripted response")
    func concurrent() async throws {
        let transport = ScriptedTransport()
        for number in 0..<500 { transport.next(.text("\(number)")).on(Shop.item(number), .text("item \(number)")) }
        let provider = MoyaProvider<Shop>(transport)
        let responses = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<1_000 {
                group.addTask { try await provider.request(.item(number % 500)).mapString() }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(responses.count == 1_000)
        #expect(Set(responses.filter { !$0.hasPrefix("item") }).count == 500)
        await #expect(throws: Never.self) {
            for number in 0..<500 { _ = try await provider.request(.item(number)) }
        }
        try transport.finish()
    }

    @Test("a task that is already cancelled uses no scripted response")
    func cancelledBefore() async throws {
        let transport = ScriptedTransport().on("/a", .text("a"))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.ask("http://h/a").text
        }
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(transport.unused.count == 1)
    }
}
