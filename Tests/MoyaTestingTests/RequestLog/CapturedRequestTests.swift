import Foundation
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("A captured request describes one sent request", .timeLimit(.minutes(5)))
struct CapturedRequestTests {
    @Test("a captured request has the target, the URL, the headers and the body")
    func all() async throws {
        let transport = CapturingTransport.answering()
        let provider = MoyaProvider<Club>(session: Session(transport: transport))
        _ = try await provider.request(.items(page: 2))
        _ = try await provider.request(.order(id: 7))
        _ = try await provider.request(.login(password: "hunter2"))
        let requests = transport.requests
        #expect(requests.map(\.number) == [0, 1, 2])
        #expect(requests.map { $0.target as? Club } == [.items(page: 2), .order(id: 7), .login(password: "hunter2")])
        #expect(requests.map(\.method) == [.get, .post, .post])
        #expect(requests.map(\.url.path) == ["/v1/items", "/v1/orders", "/v1/login"])
        #expect(requests.allSatisfy { $0.headers[values: .init("X-App") ?? .accept] == ["shop"] })
        #expect(requests.allSatisfy { $0.status == 200 && $0.error == nil && $0.isSent && !$0.isCut })
        #expect(requests[0].query["page"] == "2")
        #expect(requests[0].query["other"] == nil)
        #expect(requests[0].body == nil)
        #expect(requests[0].bodySize == 0)
        #expect(try requests[1].json(as: [String: Int].self) == ["id": 7])
        #expect(requests[1].text == #"{"id":7}"#)
        #expect(requests[1].bodySize == 8)
        #expect(requests[1].form == [:])
        #expect(requests[2].form == ["password": "hunter2", "user": "ann"])
        let now = Date()
        #expect(requests.allSatisfy { $0.date <= now && $0.date > now.addingTimeInterval(-300) })
    }

    @Test("a captured request has the innermost target of nested MultiTargets")
    func multiTarget() async throws {
        let transport = CapturingTransport.answering()
        let provider = MoyaProvider<MultiTarget>(session: Session(transport: transport))
        _ = try await provider.request(MultiTarget(MultiTarget(Club.order(id: 1))))
        #expect(transport.requests.first?.target as? Club == .order(id: 1))
        #expect(transport.requests.to(Club.order(id: 1)).count == 1)
        #expect(transport.requests.to(Club.order(id: 2)).isEmpty)
        #expect(transport.requests.to(Thing.thing).isEmpty)
    }

    @Test("each exchange is captured, and redirects and retries have the request's target")
    func exchanges() async throws {
        let count = Locked(0)
        let transport = CapturingTransport(
            over: FakeTransport { _ in
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                switch number {
                case 0: throw URLError(.networkConnectionLost)
                case 1: return TransportResponse(status: 302, headers: [.location: "/v1/moved"])
                default: return TransportResponse(status: 200)
                }
            }
        )
        let session = Session(transport: transport, interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0))
        _ = try await MoyaProvider<Club>(session: session).request(.items(page: 1))
        let requests = transport.requests
        #expect(requests.map(\.url.path) == ["/v1/items", "/v1/items", "/v1/moved"])
        #expect(requests.map(\.status) == [nil, 302, 200])
        #expect((requests[0].error as? URLError)?.code == .networkConnectionLost)
        #expect(requests.allSatisfy { $0.target as? Club == .items(page: 1) })
        #expect(requests[0].description.hasSuffix("(Club.items) → URLError -1005"))
    }

    @Test("a captured request has no target if it was sent without a provider")
    func noTarget() async throws {
        let transport = try await CapturingTransport.asked(.get, "http://h/a")
        #expect(transport.requests[0].target == nil)
        #expect("\(transport.requests[0])" == "GET http://h/a → 200")
    }

    @Test("a captured request has the query's parameters by name, decoded and in order")
    func query() async throws {
        let transport = try await CapturingTransport.asked(.get, "http://h/a?x=1&x=a%20b&y&z=%E2%82%AC#x=3")
        let query = transport.requests[0].query
        #expect(query[all: "x"] == ["1", "a b"])
        #expect(query["y"] == "")
        #expect(query["z"] == "€")
        #expect(query.names == ["x", "y", "z"])
        #expect(query == ["z": "€", "x": "1", "y": "", "x": "a b"])
        #expect(query != ["z": "€", "x": "a b", "y": "", "x": "1"])
        #expect("\(query)" == #"["x": "1", "x": "a b", "y": "", "z": "€"]"#)
        #expect("\(NamedValues())" == "[:]")
    }

    @Test("a captured request has a decoded body if the body was sent in gzip")
    func gzip() async throws {
        let transport = CapturingTransport.answering()
        let text = String(repeating: "hello ", count: 1000)
        _ = try await transport.ask(
            "http://h/a",
            method: .post,
            headers: [.contentEncoding: "gzip"],
            body: HTTPBody.data(Data(text.utf8)).gzipped()
        )
        let request = transport.requests[0]
        #expect(request.text == text)
        #expect(request.bodySize < 200)
    }

    @Test("json(as:) of a captured request throws if the body is truncated, missing or not JSON")
    func bodyErrors() async throws {
        let log = RequestLog(bodyLimit: 4)
        let transport = try await CapturingTransport.asked(.post, "http://h/a", body: "[1,2]", log: log)
        _ = try await transport.ask("http://h/a")
        _ = try await transport.ask("http://h/a", method: .post, body: .data(Data([0xFF, 0xFE])))
        let requests = transport.requests
        #expect(throws: CapturedBodyError.cut(kept: 4, size: 5)) { try requests[0].json(as: [Int].self) }
        #expect(requests[0].body == Data("[1,2".utf8))
        #expect(requests[0].isCut)
        #expect(throws: CapturedBodyError.missing) { try requests[1].json(as: [Int].self) }
        #expect(throws: DecodingError.self) { try requests[2].json(as: [Int].self) }
        #expect(requests[2].text == nil)
        #expect(CapturedBodyError.cut(kept: 4, size: 5).localizedDescription.contains("4 of the 5 bytes"))
    }

    @Test("the description of a captured request shows no secrets")
    func secrets() async throws {
        let log = RequestLog(secrets: HARSecrets(names: ["pin"]))
        let transport = CapturingTransport.answering(log: log)
        _ = try await transport.ask(
            "http://user:SECRET@h/a?access_token=SECRET&pin=SECRET&next=http://h?api_key=SECRET&ok=shown",
            method: .post,
            headers: [.authorization: "Bearer SECRET", .contentType: "application/x-www-form-urlencoded"],
            body: .data(Data("password=SECRET&pin=SECRET".utf8))
        )
        let request = transport.requests[0]
        #expect(request.query["access_token"] == "SECRET", "values are there in full")
        #expect(request.form["password"] == "SECRET")
        var dumped = ""
        dump(request, to: &dumped)
        dump(request.query, to: &dumped)
        dump(transport, to: &dumped)
        let texts = [
            "\(request)", String(reflecting: request), "\([request])", "\(request.query)", "\([request.query])",
            "\(request.form)", String(reflecting: request.form), dumped,
        ]
        for text in texts { #expect(!text.contains("SECRET"), "\(text)") }
        #expect(request.description.contains("ok=shown"))
        let form = request.form
        #expect("\(form)" == #"["password": "***", "pin": "***"]"#)
    }
}
