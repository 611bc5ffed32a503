import Foundation
import MoyaHTTP
import Testing

@Suite("The challenges of a protection space get responses")
struct ChallengeResponderTests {
    static let origin = Origin(scheme: "http", host: "h", port: 80)
    static let credential = UserCredential(user: "u", password: "p")

    static func responder(side: AuthenticationSide = .server) -> ChallengeResponder {
        ChallengeResponder(space: .init(side: side, origin: origin, realm: "r"), credential: credential)
    }

    static func request(_ path: String = "/a/b", method: String = "GET", hasBody: Bool = false) -> ChallengedRequest {
        ChallengedRequest(method: method, target: path, path: path, hasBody: hasBody)
    }

    static func challenges(_ values: String...) -> [AuthenticationChallenge] { ChallengeParser.challenges(in: values) }

    /// Returns the parameters of the response to a challenge; fails the test if there is no response.
    static func parameters(
        _ decision: ChallengeDecision?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> AuthenticationChallenge {
        guard case .respond(let answer) = decision else {
            Issue.record("\(String(describing: decision))", sourceLocation: sourceLocation)
            throw CancellationError()
        }
        return try #require(ChallengeParser.challenges(in: [answer.header]).first)
    }

    static func answer(_ decision: ChallengeDecision?) throws -> ChallengeResponse {
        guard case .respond(let answer) = decision else {
            Issue.record("\(String(describing: decision))")
            throw CancellationError()
        }
        return answer
    }

    @Test("RFC 7617: a Basic challenge gets a response, but only once")
    func basic() throws {
        var responder = Self.responder()
        var request = Self.request()
        #expect(responder.authorization(for: request, clientNonce: "c") == nil)
        let challenges = Self.challenges("Basic realm=r")
        let decision = responder.respond(to: challenges, request: request, clientNonce: "c")
        request.challengeResponse = try Self.answer(decision)
        #expect(request.challengeResponse?.header == "Basic dTpw")
        #expect(request.challengeResponse?.number == 1)
        let second = responder.respond(to: challenges, request: request, clientNonce: "c")
        #expect(second == .giveUp(.credentialRefused(scheme: "Basic")))
        #expect(responder.authorization(for: Self.request(), clientNonce: "c") == nil)
    }

    @Test(
        "RFC 7617, 2.2: after a Basic challenge, requests at or below the same depth are sent with the credentials",
        arguments: [
            ("/a/b", true), ("/a/c", true), ("/a/", true), ("/a/b/c", true), ("/a", false), ("/", false),
            ("/ab/c", false),
        ]
    )
    func basicScope(path: String, isCovered: Bool) throws {
        var responder = Self.responder()
        var request = Self.request("/a/b")
        let decision = responder.respond(to: Self.challenges("Basic realm=r"), request: request, clientNonce: "c")
        request.challengeResponse = try Self.answer(decision)
        #expect(responder.authorization(for: Self.request("/a/b"), clientNonce: "c") == nil, "not accepted yet")
        #expect(responder.recordAcceptance(of: request, info: []) == .absent)
        let next = responder.authorization(for: Self.request(path), clientNonce: "c")
        if isCovered {
            let answer = try Self.answer(next)
            #expect(answer.header == "Basic dTpw")
            #expect(answer.number == 0)
        } else {
            #expect(next == nil)
        }
    }

    @Test("preemptive Basic credentials that are refused are not sent again before a challenge")
    func basicRefusedLater() throws {
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Basic realm=r")
        request.challengeResponse = try Self.answer(
            responder.respond(to: challenges, request: request, clientNonce: "c")
        )
        _ = responder.recordAcceptance(of: request, info: [])
        request.challengeResponse = try Self.answer(responder.authorization(for: Self.request(), clientNonce: "c"))
        let decision = responder.respond(to: challenges, request: request, clientNonce: "c")
        #expect(decision == .giveUp(.credentialRefused(scheme: "Basic")))
        #expect(responder.authorization(for: Self.request(), clientNonce: "c") == nil)
    }

    @Test("RFC 7617, 2: a user name with a colon cannot be sent")
    func colon() {
        var responder = ChallengeResponder(
            space: .init(origin: Self.origin, realm: "r"),
            credential: UserCredential(user: "a:b", password: "")
        )
        let decision = responder.respond(
            to: Self.challenges("Basic realm=r"),
            request: Self.request(),
            clientNonce: "c"
        )
        #expect(decision == .giveUp(.invalidCredential(.colonInUserName)))
    }

    @Test("challenges of other schemes get no response, and the error names the schemes")
    func otherSchemes() {
        var responder = Self.responder()
        let challenges = Self.challenges("Bearer realm=r, NTLM, Digest nonce=n, algorithm=X, NTLM")
        let decision = responder.respond(to: challenges, request: Self.request(), clientNonce: "c")
        let refusal = ChallengeRefusal.unsupportedSchemes(["Bearer", "NTLM", "Digest (X)"])
        #expect(decision == .giveUp(refusal))
        #expect(refusal.errorDescription?.contains("Bearer, NTLM, Digest (X)") == true)
        let none = responder.respond(to: [], request: Self.request(), clientNonce: "c")
        #expect(none == .giveUp(.noChallenge))
    }

    struct RefusalRow: CustomTestStringConvertible {
        let rule: String
        /// Whether the request was sent with preemptive credentials.
        var isPreemptive = false
        let challenge: String
        let isAnswered: Bool

        var testDescription: String { rule }
    }

    @Test(
        "a second refusal of the credentials ends the responses to challenges unless the nonce is stale",
        arguments: [
            RefusalRow(rule: "the same nonce", challenge: "Digest realm=r, nonce=n, qop=auth", isAnswered: false),
            RefusalRow(rule: "a new nonce", challenge: "Digest realm=r, nonce=m, qop=auth", isAnswered: false),
            RefusalRow(
                rule: "3.3: stale",
                challenge: "Digest realm=r, nonce=m, qop=auth, stale=true",
                isAnswered: true
            ),
            RefusalRow(
                rule: "stale, but the same nonce",
                challenge: "Digest realm=r, nonce=n, qop=auth, stale=true",
                isAnswered: false
            ),
            RefusalRow(
                rule: "stale=false",
                challenge: "Digest realm=r, nonce=m, qop=auth, stale=false",
                isAnswered: false
            ),
            RefusalRow(rule: "no way down to Basic", challenge: "Basic realm=r", isAnswered: false),
            RefusalRow(
                rule: "sent at once: the same nonce",
                isPreemptive: true,
                challenge: "Digest realm=r, nonce=n, qop=auth",
                isAnswered: false
            ),
            RefusalRow(
                rule: "sent at once: a new nonce, from a server that does not say stale",
                isPreemptive: true,
                challenge: "Digest realm=r, nonce=m, qop=auth",
                isAnswered: true
            ),
            RefusalRow(
                rule: "sent at once: stale",
                isPreemptive: true,
                challenge: "Digest realm=r, nonce=m, qop=auth, stale=true",
                isAnswered: true
            ),
        ]
    )
    func refusals(row: RefusalRow) throws {
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Digest realm=r, nonce=n, qop=auth")
        request.challengeResponse = try Self.answer(
            responder.respond(to: challenges, request: request, clientNonce: "c")
        )
        if row.isPreemptive {
            _ = responder.recordAcceptance(of: request, info: [])
            request.challengeResponse = try Self.answer(responder.authorization(for: request, clientNonce: "c"))
            #expect(request.challengeResponse?.number == 0)
        }
        let decision = responder.respond(to: Self.challenges(row.challenge), request: request, clientNonce: "d")
        if row.isAnswered {
            #expect(try Self.parameters(decision)["nonce"] == "m")
            #expect(try Self.parameters(decision)["nc"] == "00000001")
        } else {
            #expect(decision == .giveUp(.credentialRefused(scheme: "Digest")))
            #expect(responder.authorization(for: Self.request(), clientNonce: "c") == nil)
        }
    }

    @Test("requests to a server whose nonces are always stale end after some responses")
    func staleForever() throws {
        var responder = Self.responder()
        var request = Self.request()
        var responses = 0
        for number in 0..<100 {
            let challenges = Self.challenges("Digest realm=r, nonce=n\(number), qop=auth, stale=true")
            let decision = responder.respond(to: challenges, request: request, clientNonce: "c")
            guard case .respond(let answer) = decision else { break }
            responses += 1
            request.challengeResponse = answer
        }
        #expect(responses == 4)
    }

    @Test(
        "the request target in a Digest response consists of path and query as sent",
        arguments: [
            ("http://h", "/", "/"), ("http://h?a=b", "/?a=b", "/"),
            ("http://h/a%20b/?c=%41#d", "/a%20b/?c=%41", "/a%20b/"),
            ("http://h/a?", "/a?", "/a"), ("http://u:p@h:8/a;b", "/a;b", "/a;b"),
        ]
    )
    func target(url: String, target: String, path: String) throws {
        let request = ChallengedRequest(method: "GET", url: try #require(URL(string: url)))
        #expect(request.target == target)
        #expect(request.path == path)
    }
}
