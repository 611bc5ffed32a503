import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("Lists in pages are read over the network", .timeLimit(.minutes(5)))
struct PagesNetworkTests {
    /// A pagination with the responses of a server that knows it.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let pagination: Pagination
        let keyPath: String?
        let respond: @Sendable (String) -> (headers: [String], body: String)

        init(
            _ rule: String,
            _ pagination: Pagination,
            at keyPath: String? = nil,
            _ respond: @escaping @Sendable (String) -> (headers: [String], body: String)
        ) {
            (testDescription, self.pagination, self.keyPath, self.respond) = (rule, pagination, keyPath, respond)
        }
    }

    static let rows = [
        Row("links", .link) { target in
            switch target {
            case "/list": (["LINK: <//ignored>; rel=prev, </list?p=a,b>; Rel=\"x NEXT\""], "[1,2]")
            case "/list?p=a,b": (["Link: <?p=3>; rel=next"], "[3]")
            default: ([], "[4]")
            }
        },
        Row("a URL in the body", .nextURL(at: "next"), at: "items") { target in
            target == "/list"
                ? ([], #"{"items":[1,2],"next":"/list?p=2"}"#) : ([], #"{"items":[3,4],"next":null}"#)
        },
        Row("cursors", .cursor(at: "next", query: "after"), at: "items") { target in
            target == "/list" ? ([], #"{"items":[1,2],"next":"ü ="}"#) : ([], #"{"items":[3,4]}"#)
        },
        Row("page numbers", .pageNumbers(), at: "items") { target in
            switch target {
            case "/list?page=1": ([], #"{"items":[1,2]}"#)
            case "/list?page=2": ([], #"{"items":[3,4]}"#)
            default: ([], #"{"items":[]}"#)
            }
        },
        Row("offsets", .offsets(totalAt: "total"), at: "items") { target in
            target == "/list?offset=0"
                ? ([], #"{"items":[1,2],"total":4}"#) : ([], #"{"items":[3,4],"total":4}"#)
        },
    ]

    private func withServer(
        _ respond: @escaping @Sendable (ReactingServer.Received) async -> ReactingServer.Reaction,
        _ body: (ReactingServer, TaskTarget) async throws -> Void
    ) async throws {
        let server = try await ReactingServer(respond)
        do {
            try await body(server, TaskTarget(baseURL: server.url("/list"), method: .get, task: .requestPlain))
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }

    private func provider(_ kind: TransportKind, interceptor: (any RequestInterceptor)? = nil) -> (
        MoyaProvider<TaskTarget>, any HTTPTransport
    ) {
        let transport = kind.make()
        return (MoyaProvider(session: Session(transport: transport, interceptor: interceptor)), transport)
    }

    @Test("each pagination reads all items", arguments: TransportKind.allCases, rows)
    func paginations(kind: TransportKind, row: Row) async throws {
        try await withServer({ request in
            let (headers, body) = row.respond(request.head.target)
            return .respond(200, headers: headers, body: Data(body.utf8))
        }) { _, target in
            let (provider, transport) = provider(kind)
            for list in [
                provider.pages(target, of: Int.self, by: row.pagination, atKeyPath: row.keyPath),
                provider.pages(target, of: Int.self, by: row.pagination, atKeyPath: row.keyPath).readingAhead(),
            ] {
                let items = try await list.all()
                #expect(items == [1, 2, 3, 4])
            }
            await transport.shutdown()
        }
    }

    @Test(
        "a connection that is lost in a page is retried, and no item is lost or repeated",
        arguments: TransportKind.allCases
    )
    func retry(kind: TransportKind) async throws {
        try await withServer({ request in
            switch (request.number, request.head.target) {
            case (1, _): .part(headers: [], body: Data("[3".utf8), of: 30)
            case (_, "/list"): .respond(200, headers: ["Link: <?p=2>; rel=next"], body: Data("[1,2]".utf8))
            default: .respond(200, body: Data("[3]".utf8))
            }
        }) { server, target in
            let (provider, transport) = provider(kind, interceptor: RetryPolicy(exponentialBackoffScale: 0))
            let items = try await provider.pages(target, of: Int.self, by: .link).all()
            #expect(items == [1, 2, 3])
            #expect(server.requests.map(\.head.target) == ["/list", "/list?p=2", "/list?p=2"])
            await transport.shutdown()
        }
    }

    @Test("a relative link is resolved against the URL after a redirect of page 2", arguments: TransportKind.allCases)
    func redirect(kind: TransportKind) async throws {
        try await withServer({ request in
            switch request.head.target {
            case "/list": .respond(200, headers: ["Link: <?p=2>; rel=next"], body: Data("[1]".utf8))
            case "/list?p=2": .respond(302, headers: ["Location: /moved/list?p=2"])
            case "/moved/list?p=2": .respond(200, headers: ["Link: <more>; rel=next"], body: Data("[2]".utf8))
            case "/moved/more": .respond(200, body: Data("[3]".utf8))
            default: .respond(404)
            }
        }) { _, target in
            let (provider, transport) = provider(kind)
            let items = try await provider.pages(target, of: Int.self, by: .link).all()
            #expect(items == [1, 2, 3])
            await transport.shutdown()
        }
    }

    @Test(
        "a page that a redirect led to another server is delivered, and its relative link is refused",
        arguments: TransportKind.allCases
    )
    func redirectElsewhere(kind: TransportKind) async throws {
        let other = try await ReactingServer { _ in
            .respond(200, headers: ["Link: <?p=3>; rel=next"], body: Data("[2]".utf8))
        }
        try await withServer({ request in
            request.head.target == "/list"
                ? .respond(200, headers: ["Link: <?p=2>; rel=next"], body: Data("[1]".utf8))
                : .respond(307, headers: ["Location: \(other.url("/list?p=2").absoluteString)"])
        }) { _, target in
            let (provider, transport) = provider(kind)
            var iterator = provider.pages(target, of: Int.self, by: .link).makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first == 1)
            let second = try await iterator.next()
            #expect(second == 2)
            let error = await #expect(throws: MoyaError.self) { try await iterator.next() }
            guard case .underlying(PaginationError.otherOrigin, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(other.count == 1)
            await transport.shutdown()
        }
        await other.shutDown()
    }

    @Test("a page that the server has not changed comes from the cache, with its link")
    func cached() async throws {
        try await withServer({ request in
            if request.head["if-none-match"] != nil { return .respond(304, headers: ["ETag: \"a\""], body: Data()) }
            let isFirst = request.head.target == "/list"
            return .respond(
                200,
                headers: ["ETag: \"a\"", "Cache-Control: no-cache"] + (isFirst ? ["Link: <?p=2>; rel=next"] : []),
                body: Data((isFirst ? "[1]" : "[2]").utf8)
            )
        }) { server, target in
            let session = Session(cache: HTTPCache(store: MemoryCacheStore()))
            let list = MoyaProvider<TaskTarget>(session: session).pages(target, of: Int.self, by: .link)
            let items = try await list.all()
            #expect(items == [1, 2])
            let later = try await list.all()
            #expect(later == [1, 2])
            #expect(server.requests.filter { $0.head["if-none-match"] != nil }.count == 2)
        }
    }
}
