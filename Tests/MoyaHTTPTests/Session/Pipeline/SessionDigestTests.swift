import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HandlerServer.Response {
    /// Returns a Digest server's response to a request.
    static func checked(_ check: DigestCheck, _ seen: HandlerServer.ReceivedRequest, body: String = "welcome") -> Self {
        switch check.check(seen["Authorization"], seen, response: body) {
        case .accepted(let info): Self(headers: info.map { ["Authentication-Info: \($0)"] } ?? [], body: body)
        case .absent, .refused:
            Self(status: 401, headers: ["WWW-Authenticate: \(check.challenge())"], body: "who are you?")
        case .stale: Self(status: 401, headers: ["WWW-Authenticate: \(check.challenge(isStale: true))"])
        }
    }
}

extension RequestRecord {
    /// Creates the record of a request with a name and a password.
    static func user(
        _ user: String,
        _ password: String,
        _ persistence: URLCredential.Persistence = .forSession
    ) -> RequestRecord {
        let record = RequestRecord()
        record.setCredential(URLCredential(user: user, password: password, persistence: persistence))
        return record
    }
}

@Suite("A session responds to Digest challenges over a real connection", .timeLimit(.minutes(5)))
struct SessionDigestTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var rules = DigestCheck.Rules()

        init(_ description: String, _ change: (inout DigestCheck.Rules) -> Void = { _ in }) {
            testDescription = description
            change(&rules)
        }
    }

    static let algorithms = ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess"]

    static let protections: [Row] = algorithms.flatMap { (algorithm: String) -> [Row] in
        ["auth", "auth-int", "auth,auth-int"].map { (qop: String) -> Row in
            Row("\(algorithm) \(qop)") { ($0.algorithm, $0.qop) = (algorithm, qop) }
        }
    }

    static let rows: [Row] =
        protections + [
            Row("as in RFC 2069") { ($0.algorithm, $0.qop) = (nil, nil) },
            Row("without an algorithm's name") { $0.algorithm = nil },
            Row("with the name's hash") { $0.hashesUser = true },
            Row("with a name beyond ASCII") { ($0.user, $0.password) = ("Jäsøn Doe 日", "Secret, \"ør\" \\not?") },
            Row("with the hash of a name beyond ASCII") { ($0.user, $0.hashesUser) = ("Jäsøn Doe", true) },
            Row("with a nonce for each request") { $0.givesNextNonce = true },
            Row("in a session, with a nonce for each request") {
                ($0.algorithm, $0.givesNextNonce) = ("SHA-256-sess", true)
            },
            Row("without a proof of the server's") { $0.proof = .none },
        ]

    @Test(
        "a Digest challenge gets one response, and later requests have credentials without a challenge",
        arguments: rows,
        TransportKind.allCases
    )
    func answering(row: Row, kind: TransportKind) async throws {
        let check = DigestCheck(row.rules)
        try await kind.withHandlerServer {
            .checked(check, $0)
        } _: { transport, server in
            let session = Session.alone(on: transport)
            for number in 0..<4 {
                var request = URLRequest("POST", server.url("/a/\(number)?b=c%20d,e"), body: "body \(number)")
                request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
                // The session remembers the nonce of the first request.
                let record: RequestRecord = number > 1 ? RequestRecord() : .user(row.rules.user, row.rules.password)
                let response = try await session.data(for: request, record: record)
                #expect(response.statusCode == 200)
                #expect(response.text == "welcome")
            }
            #expect(server.seen.map { $0["Authorization"] != nil } == [false, true, true, true, true])
            #expect(server.seen.map(\.body) == ["body 0", "body 0", "body 1", "body 2", "body 3"])
            #expect(check.problems == [])
            if row.rules.qop != nil, !row.rules.givesNextNonce { #expect(check.counts == [[1, 2, 3, 4]]) }
        }
    }

    @Test("a stale Digest nonce is replaced without an error", arguments: TransportKind.allCases)
    func stale(kind: TransportKind) async throws {
        for algorithm in ["SHA-256", "MD5-sess"] {
            var rules = DigestCheck.Rules()
            (rules.algorithm, rules.requestsPerNonce) = (algorithm, 2)
            let check = DigestCheck(rules)
            try await kind.withHandlerServer {
                .checked(check, $0)
            } _: { transport, server in
                let session = Session.alone(on: transport)
                for number in 0..<6 {
                    let response = try await session.data(
                        for: URLRequest(url: server.url("/\(number)")),
                        record: .user(rules.user, rules.password)
                    )
                    #expect(response.statusCode == 200)
                }
                #expect(check.problems == [])
                #expect(check.counts == [[1, 2, 3], [1, 2, 3], [1, 2]])
            }
        }
    }

    @Test("concurrent requests never repeat a Digest nonce and its count", arguments: TransportKind.allCases)
    func manyAtOnce(kind: TransportKind) async throws {
        for (algorithm, limit) in [("SHA-256", Int.max), ("MD5-sess", .max)] {
            var rules = DigestCheck.Rules()
            (rules.algorithm, rules.requestsPerNonce) = (algorithm, limit)
            let check = DigestCheck(rules)
            try await kind.withHandlerServer {
                .checked(check, $0)
            } _: { transport, server in
                let session = Session.alone(on: transport)
                let (user, password) = (rules.user, rules.password)
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<50 {
                        let url = server.url("/\(number)")
                        group.addTask {
                            try await session.data(for: URLRequest(url: url), record: .user(user, password)).statusCode
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                #expect(check.problems == [])
                #expect(check.counts.map { $0.sorted() } == [Array(1...50)])
            }
        }
    }

    @Test(
        "a wrong password for Digest is sent once, and the refusal is the response",
        arguments: TransportKind.allCases
    )
    func wrongPassword(kind: TransportKind) async throws {
        let check = DigestCheck()
        try await kind.withHandlerServer {
            .checked(check, $0)
        } _: { transport, server in
            let session = Session.alone(on: transport)
            let response = try await session.data(
                for: URLRequest(url: server.url("/a")),
                record: .user(check.rules.user, "wrong")
            )
            #expect(response.statusCode == 401)
            #expect(response.text == "who are you?")
            #expect(server.seen.map { $0["Authorization"] != nil } == [false, true])
            #expect(check.problems == [])
        }
    }

    @Test("a wrong Digest proof of the server is an error", arguments: TransportKind.allCases)
    func wrongProof(kind: TransportKind) async throws {
        var rules = DigestCheck.Rules()
        rules.proof = .wrong
        let check = DigestCheck(rules)
        try await kind.withHandlerServer {
            .checked(check, $0)
        } _: { transport, server in
            let error = await #expect(throws: URLError.self) {
                try await Session.alone(on: transport).data(
                    for: URLRequest(url: server.url("/a")),
                    record: .user(check.rules.user, check.rules.password)
                )
            }
            #expect(error?.code == .badServerResponse)
            #expect(server.seen.count == 2)
        }
    }

    @Test("a Digest challenge to a body that is not repeatable gets no response", arguments: ["auth", "auth-int"])
    func onceOnly(qop: String) async throws {
        for kind in TransportKind.allCases {
            var rules = DigestCheck.Rules()
            rules.qop = qop
            let check = DigestCheck(rules)
            try await kind.withHandlerServer {
                .checked(check, $0)
            } _: { transport, server in
                let session = Session.alone(on: transport)
                let body = HTTPBody.stream(InputStream(data: Data("once".utf8)))
                let response = try await session.data(
                    for: URLRequest("POST", server.url("/a")),
                    body: body,
                    record: .user(check.rules.user, check.rules.password)
                )
                #expect(response.statusCode == 401)
                #expect(response.text == "who are you?")
                #expect(server.seen.map(\.body) == ["once"])
            }
        }
    }

    @Test(
        "the test server's Digest check matches RFC 7616, section 3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func vectors(algorithm: String, response: String) {
        var rules = DigestCheck.Rules()
        (rules.algorithm, rules.realm) = (algorithm, "http-auth@example.org")
        let check = DigestCheck(rules)
        let given = DigestCheck.parameters(
            """
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", qop=auth, nc=00000001, \
            cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
            """
        )
        #expect(check.response(check.key(session: nil), given, "GET:/dir/index.html", "") == response)
    }
}
