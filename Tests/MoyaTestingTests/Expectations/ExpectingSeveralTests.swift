import Foundation
import Testing

@testable import MoyaTesting

@Suite("Several requests can be expected")
struct ExpectingSeveralTests {
    private let transport = CapturingTransport.answering()

    private func asked(_ paths: String...) async throws -> [CapturedRequest] {
        for path in paths { _ = try await transport.ask("http://h\(path)") }
        return transport.requests
    }

    @Test("an expectation is met by one matching request, and returns the first match")
    func one() async throws {
        let requests = try await asked("/a", "/b?x=1", "/b?x=2")
        #expect(try requests.expect(.get("/b")).query["x"] == "1")
        #expect(try requests.expect(.get("/b"), times: 2).map(\.number) == [1, 2])
        #expect(try requests.dropFirst(2).expect(.get("/b")).number == 2)
        #expect(try requests.filter { $0.number == 0 }.expect(.get()).number == 0)
        #expect(requests.filter { $0.matches(.get("/b")) }.count == 2)
        try requests.expectNone(.delete())
        try [CapturedRequest]().expectNone()
    }

    @Test("a mismatch shows the nearest request and all captured requests")
    func nearest() async throws {
        let requests = try await asked("/a", "/b?x=1&y=2", "/b?x=1")
        #expect(
            failure { try requests.expect(.get("/b?x=2")) } == """
                No request matches: GET /b?x=2
                The nearest is request 2, GET http://h/b?x=1 → 200: (- expected, + actual)
                - query "x"  "2"
                + query "x"  "1"
                3 requests were recorded:
                  0  GET http://h/a → 200
                  1  GET http://h/b?x=1&y=2 → 200
                  2  GET http://h/b?x=1 → 200
                """
        )
        #expect(
            failure { try [CapturedRequest]().expect(.get("/b")) } == """
                No request matches: GET /b
                There were no requests.
                """
        )
    }

    @Test("the error for a wrong number of requests lists the matching requests")
    func times() async throws {
        let requests = try await asked("/a", "/b", "/a")
        #expect(
            failure { try requests.expect(.get("/a"), times: 1) } == """
                2 requests match, not 1: GET /a
                2 requests were recorded:
                  0  GET http://h/a → 200
                  2  GET http://h/a → 200
                """
        )
        #expect(
            failure { try requests.expect(.get("/b"), times: 2) } == """
                1 request matches, not 2: GET /b
                1 request was recorded:
                  1  GET http://h/b → 200
                """
        )
        #expect(
            failure { try requests.expect(.get("/c"), times: 2) }?.hasPrefix("No request matches: GET /c\n")
                == true
        )
    }

    @Test("expectNone fails if a captured request matches")
    func none() async throws {
        let requests = try await asked("/a", "/b")
        #expect(
            failure { try requests.expectNone(.get("/b")) } == """
                A request was not expected: GET http://h/b → 200
                2 requests were recorded:
                  0  GET http://h/a → 200
                  1  GET http://h/b → 200
                """
        )
        #expect(failure { try requests.expectNone() }?.hasPrefix("A request was not expected: GET http://h/a") == true)
    }

    @Test("expect(inOrder:) reports the first wrong position")
    func inOrder() async throws {
        let requests = try await asked("/a", "/b")
        try requests.expect(inOrder: .get("/a"), .get("/b"))
        #expect(
            failure { try requests.expect(inOrder: .get("/b"), .get("/a")) } == """
                Another request was expected here: GET /b
                There was request 0, GET http://h/a → 200: (- expected, + actual)
                - path  /b
                + path  /a
                2 requests were recorded:
                  0  GET http://h/a → 200
                  1  GET http://h/b → 200
                """
        )
        #expect(
            failure { try requests.expect(inOrder: .get("/a"), .get("/b"), .put("/c")) } == """
                One more request was expected: PUT /c
                2 requests were recorded:
                  0  GET http://h/a → 200
                  1  GET http://h/b → 200
                """
        )
        #expect(
            failure { try requests.expect(inOrder: .get("/a")) } == """
                A request was not expected: GET http://h/b → 200
                2 requests were recorded:
                  0  GET http://h/a → 200
                  1  GET http://h/b → 200
                """
        )
        #expect(failure { try requests.expect(inOrder: .get("/a"), .any) } == nil)
    }

    @Test("expect(inAnyOrder:) assigns each request to one expectation, whatever the order of the expectations")
    func inAnyOrder() async throws {
        let requests = try await asked("/a?x=1", "/a", "/b")
        try requests.expect(inAnyOrder: .get("/b"), .get("/a"), .get("/a?x=1"))
        try requests.expect(inAnyOrder: .any, .get("/a"), .get("/a?x=1"))
        try requests.expect(inAnyOrder: .get("/a?x=1"), .any, .get("/a"))
        #expect(
            failure { try requests.expect(inAnyOrder: .get("/b"), .get("/a"), .get("/a?x=2")) } == """
                No request matches: GET /a?x=2
                The nearest is request 1, GET http://h/a → 200: (- expected, + actual)
                - query "x"  "2"
                """
        )
        #expect(
            failure { try requests.expect(inAnyOrder: .any, .any) }?.hasPrefix("A request was not expected") == true
        )
        #expect(
            failure { try requests.expect(inAnyOrder: .any, .any, .any, .get("/a")) }?
                .hasPrefix("One more request was expected: GET /a\n3 requests were recorded:") == true
        )
    }

    @Test("the error of an expectation truncates a long list of requests")
    func longList() async throws {
        for number in 0..<25 { _ = try await asked("/\(number)") }
        let text = failure { try transport.requests.expectNone() } ?? ""
        #expect(text.split(separator: "\n").count == 13)
        #expect(text.hasSuffix("  … and 15 more"))
    }
}
