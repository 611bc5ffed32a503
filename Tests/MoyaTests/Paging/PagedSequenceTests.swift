import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A list in pages is a sequence of its items")
struct PagedSequenceTests {
    private typealias Answer = PagedNetwork.Answer

    private static let linked = [
        "/list": Answer(headers: ["Link": "</list?p=2>; rel=\"next\", </list?p=3>; rel=last"], body: "[1,2]"),
        "/list?p=2": Answer(headers: ["link": "<https://a.example/list?p=3>; REL=NEXT"], body: "[3]"),
        "/list?p=3": Answer(headers: ["Link": "</list>; rel=first"], body: "[4,5]"),
    ]

    /// Reads up to the end or an error.
    private func read(_ sequence: PagedSequence<Int>) async -> (
        items: [Int], error: MoyaError?, position: PagePosition?
    ) {
        var iterator = sequence.makeAsyncIterator()
        var items: [Int] = []
        do {
            while let item = try await iterator.next() { items.append(item) }
            return (items, nil, iterator.position)
        } catch {
            return (items, error, iterator.position)
        }
    }

    private func cause(_ error: MoyaError?) -> PaginationError? {
        if case .underlying(let cause as PaginationError, _)? = error { cause } else { nil }
    }

    @Test("links are followed, relative and absolute, in any case, with the headers of the target")
    func links() async throws {
        let network = PagedNetwork { target, request in
            #expect(request.headers[.authorization] == "secret")
            return Self.linked[target] ?? Answer(status: 404)
        }
        let list = network.provider().pages(.list(), of: Int.self, by: .link)
        #expect(network.requested.values.isEmpty)
        #expect(try await list.all() == [1, 2, 3, 4, 5])
        #expect(network.requested.values == ["/list", "/list?p=2", "/list?p=3"])
        // Each loop begins at the first page.
        #expect(try await list.all().count == 5)
        #expect(network.requested.values.count == 6)
    }

    @Test("a page is requested when the items before it have been delivered")
    func lazy() async throws {
        let network = PagedNetwork(Self.linked)
        var iterator = network.provider().pages(.list(), of: Int.self, by: .link).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        #expect(network.requested.values.count == 1)
        #expect(try await iterator.next() == 3)
        #expect(network.requested.values.count == 2)
    }

    @Test("pages have their items, their response, and the position after them")
    func pages() async throws {
        let network = PagedNetwork(Self.linked)
        let list = network.provider().pages(.list(), of: Int.self, by: .link)
        let pages = try await list.pages.all()
        #expect(pages.map(\.items) == [[1, 2], [3], [4, 5]])
        #expect(pages.map(\.response.statusCode) == [200, 200, 200])
        #expect(pages.map(\.position.number) == [1, 2, 3])
        #expect(pages.last?.next == nil)
        #expect(pages[0].response.link("LAST")?.absoluteString == "https://a.example/list?p=3")
        // A stored position continues the list.
        let stored = try JSONEncoder().encode(pages[0].next)
        let position = try JSONDecoder().decode(PagePosition?.self, from: stored)
        #expect(try await list.starting(at: position).all() == [3, 4, 5])
        #expect(try await list.starting(at: nil).all().count == 5)
    }

    @Test("a limit of items ends the list inside a page, and the iterator's position continues it")
    func limits() async throws {
        let network = PagedNetwork(Self.linked)
        let list = network.provider().pages(.list(), of: Int.self, by: .link)
        let (items, error, position) = await read(list.limited(toItems: 4))
        #expect(items == [1, 2, 3, 4])
        #expect(error == nil)
        #expect(network.requested.values.count == 3)
        #expect(try await list.starting(at: position).all() == [5])
        #expect(try await list.limited(toPages: 2).all() == [1, 2, 3])
        #expect(try await list.limited(toPages: 2).limited(toPages: 5).limited(toItems: 1).all() == [1])
        let before = network.requested.values.count
        #expect(try await list.limited(toItems: 0).all().isEmpty)
        #expect(network.requested.values.count == before)
    }

    @Test("an iterator's position is the item that was not delivered yet")
    func itemPosition() async throws {
        let list = PagedNetwork(Self.linked).provider().pages(.list(), of: Int.self, by: .link)
        for count in 0...5 {
            var iterator = list.makeAsyncIterator()
            for _ in 0..<count { _ = try await iterator.next() }
            guard let position = iterator.position else {
                #expect(count == 5)
                continue
            }
            var rest = list.starting(at: position).makeAsyncIterator()
            #expect(try await rest.next() == count + 1)
        }
    }

    @Test("an error of page 3 arrives after the items of pages 1 and 2, and the list continues there")
    func failure() async throws {
        let isBroken = Locked(true)
        let network = PagedNetwork { target, _ in
            if target == "/list?p=3", isBroken.withLock({ $0 }) { return Answer(status: 503) }
            return Self.linked[target] ?? Answer(status: 404)
        }
        let list = network.provider().pages(.list(), of: Int.self, by: .link)
        let (items, error, position) = await read(list)
        #expect(items == [1, 2, 3])
        #expect(error?.statusCode == 503)
        #expect(position?.number == 3)
        isBroken.withLock { $0 = false }
        #expect(try await list.starting(at: position).all() == [4, 5])
    }

    @Test("after an error, an iterator ends")
    func afterError() async throws {
        var iterator = PagedNetwork([:]).provider().pages(.list(), of: Int.self, by: .link).makeAsyncIterator()
        await #expect(throws: MoyaError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("empty pages in the middle, a 204, and a list without items end as the links say")
    func empty() async throws {
        let network = PagedNetwork([
            "/list": Answer(headers: ["Link": "<?p=2>; rel=next"]),
            "/list?p=2": Answer(status: 204, headers: ["Link": "<?p=3>; rel=next"], body: ""),
            "/list?p=3": Answer(body: "[1]"),
        ])
        #expect(try await network.provider().pages(.list(), of: Int.self, by: .link).all() == [1])
        let none = PagedNetwork(["/list": Answer()])
        #expect(try await none.provider().pages(.list(), of: Int.self, by: .link).all().isEmpty)
    }

    @Test(
        "a link to another origin is an error, and nothing is sent there",
        arguments: [
            "https://b.example/list", "http://a.example/list", "https://a.example:444/list", "//b.example/list",
            "https://a.example@b.example/list",
        ]
    )
    func otherOrigin(link: String) async {
        let network = PagedNetwork(["/list": Answer(headers: ["Link": "<\(link)>; rel=next"], body: "[1]")])
        let (items, error, position) = await read(network.provider().pages(.list(), of: Int.self, by: .link))
        #expect(items == [1])
        #expect(cause(error) == .otherOrigin)
        #expect(position?.number == 2)
        #expect(network.requested.values == ["/list"])
    }

    @Test(
        "a link of an http target may lead to the https URL of the same host, whose port corresponds (RFC 6797, section 8.3)",
        arguments: [
            ("http://a.example", "https://a.example/list?p=2", true),
            ("http://a.example:80", "https://A.example:443/list?p=2", true),
            ("http://a.example:8080", "https://a.example:8080/list?p=2", true),
            ("http://a.example", "https://a.example:80/list?p=2", false),
            ("http://a.example:8080", "https://a.example/list?p=2", false),
            ("http://a.example", "https://b.example/list?p=2", false),
            ("https://a.example:8080", "http://a.example:8080/list?p=2", false),
        ]
    )
    func linkOverTLS(server: String, link: String, isFollowed: Bool) async {
        let network = PagedNetwork { _, request in
            request.url.query == nil
                ? Answer(headers: ["Link": "<\(link)>; rel=next"], body: "[1]") : Answer(body: "[2]")
        }
        let list = network.provider().pages(.list(at: server), of: Int.self, by: .link)
        let (items, error, _) = await read(list)
        #expect(items == (isFollowed ? [1, 2] : [1]))
        #expect(cause(error) == (isFollowed ? nil : .otherOrigin))
        #expect(network.requested.values.count == (isFollowed ? 2 : 1))
    }

    @Test(
        "the pages of an http target are read in a session with HSTS",
        arguments: ["", ":18443"],
        ["</list?p=2>", "<https://a.example%/list?p=2>", "<http://a.example%/list?p=2>"]
    )
    func strictTransportSecurity(port: String, link: String) async throws {
        let policy = StrictTransportSecurityPolicy(host: "a.example", expires: .distantFuture)
        let store = StrictTransportSecurityStore(policies: [policy])
        let network = PagedNetwork(options: SessionOptions(strictTransportSecurity: store)) { _, request in
            #expect(request.url.scheme == "https")
            return request.url.query == nil
                ? Answer(headers: ["Link": "\(link.replacing("%", with: port)); rel=next"], body: "[1]")
                : Answer(body: "[2]")
        }
        let list = network.provider().pages(.list(at: "http://a.example\(port)"), of: Int.self, by: .link)
        #expect(try await list.all() == [1, 2])
        #expect(network.requested.values == ["\(port)/list", "\(port)/list?p=2"])
    }

    @Test("user names and passwords of a link are not sent")
    func userInfo() async throws {
        let link = "<https://user:pass@a.example/list?p=2>; rel=next"
        let network = PagedNetwork([
            "/list": Answer(headers: ["Link": link], body: "[1]"), "/list?p=2": Answer(body: "[2]"),
        ])
        #expect(try await network.provider().pages(.list(), of: Int.self, by: .link).all() == [1, 2])
        #expect(network.requested.values == ["/list", "/list?p=2"])
    }

    @Test("an invalid link is an error after the items", arguments: ["http://[zz]/", "mailto:a@b", "http:///x"])
    func invalidLink(link: String) async {
        let network = PagedNetwork(["/list": Answer(headers: ["Link": "<\(link)>; rel=next"], body: "[1]")])
        let (items, error, _) = await read(network.provider().pages(.list(), of: Int.self, by: .link))
        #expect(items == [1])
        #expect(cause(error) == .invalidNext(page: 1))
    }

    @Test("a loop of links is an error")
    func loop() async {
        let network = PagedNetwork([
            "/list": Answer(headers: ["Link": "<?p=2>; rel=next"], body: "[1]"),
            "/list?p=2": Answer(headers: ["Link": "</list#top>; rel=next"], body: "[2]"),
        ])
        let (items, error, _) = await read(network.provider().pages(.list(), of: Int.self, by: .link))
        #expect(items == [1, 2])
        #expect(cause(error) == .loop(page: 2))
        #expect(error?.localizedDescription.contains("page 2 was requested before") == true)
    }

    @Test("a URL in the body is followed, also under a name with dots")
    func nextURL() async throws {
        let network = PagedNetwork([
            "/list": Answer(
                body:
                    #"{"value":[1],"@odata.nextLink":"https://a.example/list?s=a%2Cb","links":{"next":"/list?s=a%2Cb"}}"#
            ),
            "/list?s=a%2Cb": Answer(body: #"{"value":[2],"links":{"next":null}}"#),
        ])
        for keyPath in ["@odata.nextLink", "links.next"] {
            let list = network.provider().pages(.list(), of: Int.self, by: .nextURL(at: keyPath), atKeyPath: "value")
            #expect(try await list.all() == [1, 2])
        }
    }

    @Test(
        "a cursor of any text is sent as a query item",
        arguments: [
            (#""a b&c=d+e""#, "a%20b%26c%3Dd%2Be"), (#""é\u00e9😀""#, "%C3%A9%C3%A9%F0%9F%98%80"), ("17", "17"),
            ("18446744073709551615", "18446744073709551615"), (#"["x","y"]"#, "y"),
        ]
    )
    func cursor(cursor: String, escaped: String) async throws {
        let network = PagedNetwork { target, _ in
            switch target {
            case "/list?size=2&cursor=old": Answer(body: #"{"items":[1],"meta":{"next":\#(cursor)}}"#)
            case "/list?size=2&cursor=\(escaped)": Answer(body: #"{"items":[2],"meta":{"next":""}}"#)
            default: Answer(status: 404)
            }
        }
        var target = TaskTarget.list()
        target.baseURL = URL(string: "https://a.example/list?size=2&cursor=old") ?? target.baseURL
        target.path = ""
        let list = network.provider().pages(
            target,
            of: Int.self,
            by: .cursor(at: "meta.next", query: "cursor"),
            atKeyPath: "items"
        )
        #expect(try await list.all() == [1, 2])
    }

    @Test("the identifier of the last item is a cursor while there are more items")
    func lastItem() async throws {
        struct Charge: Decodable, Sendable { var id: String }
        let network = PagedNetwork([
            "/list?limit=2": Answer(body: #"{"data":[{"id":"a"},{"id":"b"}],"has_more":true}"#),
            "/list?limit=2&starting_after=b": Answer(body: #"{"data":[{"id":"c"}],"has_more":false}"#),
        ])
        let list = network.provider().pages(
            .list(.requestParameters(parameters: ["limit": 2], encoding: URLEncoding.queryString)),
            of: Charge.self,
            by: .cursor(at: "data.id", query: "starting_after", while: "has_more"),
            atKeyPath: "data"
        )
        #expect(try await list.all().map(\.id) == ["a", "b", "c"])
    }

    @Test("a repeated cursor is a loop, and an object is not a cursor")
    func badCursors() async {
        let pagination = Pagination.cursor(at: "next", query: "c")
        let loop = PagedNetwork { _, _ in Answer(body: #"{"items":[1],"next":"x"}"#) }
        let looped = await read(loop.provider().pages(.list(), by: pagination, atKeyPath: "items"))
        #expect(looped.items == [1, 1])
        #expect(cause(looped.error) == .loop(page: 2))
        let object = PagedNetwork(["/list": Answer(body: #"{"items":[1],"next":{"a":1}}"#)])
        let invalid = await read(object.provider().pages(.list(), by: pagination, atKeyPath: "items"))
        #expect(invalid.items == [1])
        #expect(cause(invalid.error) == .invalidNext(page: 1))
    }

    @Test("a target that contains the cursor requests the next page")
    func cursorTarget() async throws {
        let requests = Locked(0)
        let graph = PagedNetwork { _, _ in
            let isFirst = requests.withLock { count in
                count += 1
                return count == 1
            }
            return Answer(body: #"{"nodes":[1],"end":\#(isFirst ? "\"b\"" : "null")}"#)
        }
        let list = graph.provider().pages(of: Int.self, atKeyPath: "nodes", cursorAt: "end") { cursor in
            TaskTarget.list(.requestData(Data((cursor ?? "first").utf8)), method: .post)
        }
        #expect(try await list.all() == [1, 1])
        #expect(graph.requested.values == ["/list first", "/list b"])
        // A position of another pagination is refused.
        let linked = PagedNetwork(Self.linked).provider().pages(.list(), of: Int.self, by: .link)
        let position = try await linked.limited(toPages: 1).pages.all().first?.next
        let refused = await read(list.starting(at: position))
        #expect(cause(refused.error) == .unsuitablePosition)
    }

    @Test("page numbers are sent up to an empty page, or to the last number")
    func pageNumbers() async throws {
        let network = PagedNetwork { target, _ in
            switch target {
            case "/list?page=1": Answer(body: #"{"items":[1,2],"pages":3}"#)
            case "/list?page=2": Answer(body: #"{"items":[3],"pages":3}"#)
            case "/list?page=3": Answer(body: #"{"items":[4],"pages":3}"#)
            default: Answer(body: #"{"items":[],"pages":3}"#)
            }
        }
        let provider = network.provider()
        #expect(try await provider.pages(.list(), by: .pageNumbers(), atKeyPath: "items").all() == [1, 2, 3, 4])
        #expect(network.requested.values.count == 4)
        let known = provider.pages(.list(), of: Int.self, by: .pageNumbers(lastPageAt: "pages"), atKeyPath: "items")
        #expect(try await known.all() == [1, 2, 3, 4])
        #expect(network.requested.values.count == 7)
    }

    @Test("offsets grow by the number of items, up to an empty page or to the total")
    func offsets() async throws {
        let network = PagedNetwork { target, _ in
            switch target {
            case "/list?skip=0": Answer(body: #"{"items":[1,2],"total":3}"#)
            case "/list?skip=2": Answer(body: #"{"items":[3],"total":3}"#)
            default: Answer(body: #"{"items":[],"total":3}"#)
            }
        }
        let provider = network.provider()
        #expect(try await provider.pages(.list(), by: .offsets(query: "skip"), atKeyPath: "items").all() == [1, 2, 3])
        #expect(network.requested.values.count == 3)
        let known = provider.pages(
            .list(),
            of: Int.self,
            by: .offsets(query: "skip", totalAt: "total"),
            atKeyPath: "items"
        )
        #expect(try await known.all() == [1, 2, 3])
        #expect(network.requested.values.count == 5)
    }

    @Test("a server that ignores the page number is detected, and a stub is one page")
    func repetition() async throws {
        let network = PagedNetwork { _, _ in Answer(body: "[1]") }
        let (items, error, _) = await read(network.provider().pages(.list(), by: .pageNumbers()))
        #expect(items == [1])
        #expect(cause(error) == .repeatedPage(page: 2))
        var target = TaskTarget.list()
        target.sampleData = Data("[7,8]".utf8)
        let stubbed = MoyaProvider<TaskTarget>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await stubbed.pages(target, of: Int.self, by: .pageNumbers()).all() == [7, 8])
        #expect(try await stubbed.pages(target, of: Int.self, by: .link).all() == [7, 8])
    }

    @Test("a function finds the next page")
    func custom() async throws {
        let network = PagedNetwork([
            "/list": Answer(headers: ["X-Next": "k"], body: "[1]"), "/list?t=k": Answer(body: "[2]"),
        ])
        let pagination = Pagination.custom { response in response.headers["X-Next"].map { .query(["t": $0]) } }
        #expect(try await network.provider().pages(.list(), of: Int.self, by: pagination).all() == [1, 2])
    }

    @Test("a body that does not decode is an error, whatever the status of the response")
    func decoding() async {
        for (status, name) in [(200, "objectMapping"), (500, "statusCode")] {
            let network = PagedNetwork(["/list": Answer(status: status, body: #"{"a":1}"#)])
            let (_, error, position) = await read(network.provider().pages(.list(), of: Int.self, by: .link))
            #expect(error?.name == name)
            #expect(position?.number == 1)
        }
    }

    @Test("plugins see each page, and a retry repeats one page only")
    func pluginsAndRetries() async throws {
        let failures = Locked(1)
        let network = PagedNetwork(
            interceptor: RetryPolicy(exponentialBackoffScale: 0)
        ) { target, _ in
            let fails = failures.withLock { count in
                guard target == "/list?p=2", count > 0 else { return false }
                count -= 1
                return true
            }
            if fails { return Answer(status: 503) }
            return Self.linked[target] ?? Answer(status: 404)
        }
        let calls = Recorder<String>()
        let provider = network.provider(plugins: [RecordingPlugin(calls: calls)])
        #expect(try await provider.pages(.list(), of: Int.self, by: .link).all() == [1, 2, 3, 4, 5])
        #expect(calls.values.filter { $0 == "didReceive" }.count == 3)
        #expect(calls.values.filter { $0 == "willSend" }.count == 4)
        #expect(network.requested.values == ["/list", "/list?p=2", "/list?p=2", "/list?p=3"])
    }

    @Test("a page that is read ahead is requested while items are used, and once")
    func readAhead() async throws {
        let second = Promise<Void>()
        let network = PagedNetwork { target, _ in
            if target == "/list?p=2" { second.fulfill(()) }
            return Self.linked[target] ?? Answer(status: 404)
        }
        let list = network.provider().pages(.list(), of: Int.self, by: .link).readingAhead()
        var iterator = list.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        // The second page is requested although an item of the first one is left.
        await second.wait()
        var rest: [Int] = []
        while let item = try await iterator.next() { rest.append(item) }
        #expect(rest == [2, 3, 4, 5])
        #expect(network.requested.values == ["/list", "/list?p=2", "/list?p=3"])
        #expect(try await list.limited(toPages: 1).all() == [1, 2])
        #expect(network.requested.values.count == 4)
    }

    @Test("leaving the loop, or cancelling its task, cancels the page that is read ahead", arguments: [false, true])
    func cancellation(byTask: Bool) async throws {
        let (started, cancelled) = (Promise<Void>(), Promise<Void>())
        let network = PagedNetwork { target, _ in
            guard target == "/list?p=2" else { return Self.linked[target] ?? Answer(status: 404) }
            let ended = Promise<Void>()
            await withTaskCancellationHandler {
                started.fulfill(())
                await ended.wait()
            } onCancel: {
                cancelled.fulfill(())
                ended.fulfill(())
            }
            throw URLError(.cancelled)
        }
        let list = network.provider().pages(.list(), of: Int.self, by: .link).readingAhead()
        let reader = Task {
            for try await item in list where !byTask || item > 2 {
                await started.wait()
                return
            }
        }
        await started.wait()
        if byTask { reader.cancel() }
        await cancelled.wait()
        let result = await reader.result
        if byTask {
            #expect(throws: MoyaError.self) { try result.get() }
        } else {
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test("given pages are a sequence for mocks")
    func mock() async throws {
        let list = PagedSequence(pages: [[1, 2], [], [3]])
        #expect(try await list.all() == [1, 2, 3])
        #expect(try await list.pages.all().map(\.items) == [[1, 2], [], [3]])
        #expect(try await list.limited(toPages: 1).all() == [1, 2])
        #expect(try await PagedSequence<Int>(pages: []).all().isEmpty)
    }

    @Test("a task that downloads to a file has no pages")
    func download() async {
        let task = HTTPTask.downloadDestination { _, _ in (URL(fileURLWithPath: "/nowhere"), []) }
        let network = PagedNetwork([:])
        let (_, error, _) = await read(network.provider().pages(.list(task), of: Int.self, by: .link))
        #expect(error?.name == "parameterEncoding")
        #expect(network.requested.values.isEmpty)
    }
}
