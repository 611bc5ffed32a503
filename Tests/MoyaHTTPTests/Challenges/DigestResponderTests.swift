import Foundation
import MoyaHTTP
import Testing

@Suite("The Digest challenges of a protection space get responses (RFC 7616)")
struct DigestResponderTests {
    private typealias Support = ChallengeResponderTests

    @Test("RFC 7616, 3.4: each request with a nonce has the next count and a new client nonce")
    func counts() throws {
        var responder = Support.responder()
        var request = Support.request()
        let challenges = Support.challenges("Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256")
        let first = responder.respond(to: challenges, request: request, clientNonce: "c1")
        #expect(try Support.parameters(first)["nc"] == "00000001")
        #expect(try Support.parameters(first)["uri"] == "/a/b")
        request.challengeResponse = try Support.answer(first)
        // A concurrent request gets the same challenge.
        let other = responder.respond(to: challenges, request: Support.request(), clientNonce: "c2")
        #expect(try Support.parameters(other)["nc"] == "00000002")
        #expect(responder.authorization(for: Support.request(), clientNonce: "c3") == nil, "not accepted yet")
        #expect(responder.recordAcceptance(of: request, info: []) == .absent)
        let next = responder.authorization(for: Support.request("/x?y"), clientNonce: "c4")
        let parameters = try Support.parameters(next)
        #expect(parameters["nc"] == "00000003")
        #expect(parameters["cnonce"] == "c4")
        #expect(parameters["nonce"] == "n")
        #expect(parameters["uri"] == "/x?y")
        // A new nonce counts from one, and the old one continues.
        let fresh = responder.respond(
            to: Support.challenges("Digest realm=r, nonce=m, qop=auth"),
            request: Support.request(),
            clientNonce: "c5"
        )
        #expect(try Support.parameters(fresh)["nc"] == "00000001")
        let again = responder.respond(to: challenges, request: Support.request(), clientNonce: "c6")
        #expect(try Support.parameters(again)["nc"] == "00000004")
    }

    @Test("RFC 7616, 3.4.2: all requests of a session key use the nonces of the first request")
    func session() throws {
        var responder = Support.responder()
        var request = Support.request()
        let challenges = Support.challenges("Digest realm=r, nonce=n, qop=auth, algorithm=MD5-sess")
        request.challengeResponse = try Support.answer(
            responder.respond(to: challenges, request: request, clientNonce: "c1")
        )
        let other = responder.respond(to: challenges, request: Support.request(), clientNonce: "c2")
        #expect(try Support.parameters(other)["cnonce"] == "c1")
        _ = responder.recordAcceptance(of: request, info: ["nextnonce=\"m\""])
        guard
            case .digest(let next) = try Support.answer(
                responder.authorization(for: Support.request(), clientNonce: "c3")
            ).content
        else {
            Issue.record("no Digest")
            return
        }
        #expect(next.challenge.nonce == "m")
        #expect(next.clientNonce == "c1")
        #expect(next.sessionStart == .init(nonce: "n", clientNonce: "c1"))
    }

    @Test("RFC 7616, 3.4.3: auth-int requests the hash of the body, and changes nothing before")
    func bodyHash() throws {
        var responder = Support.responder()
        let before = responder
        var request = Support.request(method: "POST", hasBody: true)
        let challenges = Support.challenges("Digest realm=r, nonce=n, qop=auth-int, algorithm=SHA-256")
        let decision = responder.respond(to: challenges, request: request, clientNonce: "c")
        #expect(decision == .needsBodyHash(.sha256))
        #expect(responder == before)
        request.setBodyHash(SHA256.hash("Hello"), by: .sha256)
        let response = try Support.answer(responder.respond(to: challenges, request: request, clientNonce: "c"))
        let hash = DigestHash.sha256
        let expected = hash("\(hash("u:r:p")):n:00000001:c:auth-int:\(hash("POST:/a/b:\(hash("Hello"))"))")
        #expect(ChallengeParser.challenges(in: [response.header]).first?["response"] == expected)
        request.challengeResponse = response
        _ = responder.recordAcceptance(of: request, info: [])
        let next = responder.authorization(for: Support.request(method: "POST", hasBody: true), clientNonce: "c")
        #expect(next == .needsBodyHash(.sha256))
        let empty = responder.authorization(for: Support.request(), clientNonce: "c")
        #expect(try Support.parameters(empty)["nc"] == "00000002")
    }

    @Test(
        "RFC 7616, 3.3: the parameter domain determines the preemptive credentials",
        arguments: [
            ("", "/", true), ("domain=\"/a\", ", "/a/x", true), ("domain=\"/a\", ", "/ab", true),
            ("domain=\"/a\", ", "/b", false), ("domain=\"/a /b\", ", "/b", true),
            ("domain=\"http://h/c\", ", "/c/d", true), ("domain=\"HTTP://H:80/c\", ", "/c/d", true),
            ("domain=\"http://h\", ", "/c", true), ("domain=\"https://h/c\", ", "/c", false),
            ("domain=\"http://other/c\", ", "/c", false), ("domain=\"//h/c\", ", "/c", false),
            ("domain=\"rubbish\", ", "/c", false),
        ]
    )
    func domain(parameter: String, path: String, isCovered: Bool) throws {
        var responder = Support.responder()
        var request = Support.request()
        let challenges = Support.challenges("Digest realm=r, \(parameter)nonce=n, qop=auth")
        request.challengeResponse = try Support.answer(
            responder.respond(to: challenges, request: request, clientNonce: "c")
        )
        _ = responder.recordAcceptance(of: request, info: [])
        #expect((responder.authorization(for: Support.request(path), clientNonce: "c") != nil) == isCovered)
    }

    @Test(
        "RFC 7616, 3.3: the protection space of a proxy contains all requests through the proxy",
        arguments: ["Basic realm=r", "Digest domain=\"/x\", nonce=n"]
    )
    func proxy(challenge: String) throws {
        var responder = Support.responder(side: .proxy)
        var request = ChallengedRequest(method: "CONNECT", target: "example.com:443")
        request.challengeResponse = try Support.answer(
            responder.respond(to: Support.challenges(challenge), request: request, clientNonce: "c")
        )
        _ = responder.recordAcceptance(of: request, info: [])
        let next = ChallengedRequest(method: "GET", target: "http://example.com/", path: "/y/z")
        #expect(responder.authorization(for: next, clientNonce: "c") != nil)
    }

    @Test("RFC 7616, 3.5: nextnonce is used for later requests, and its count begins with one")
    func nextNonce() throws {
        var responder = Support.responder()
        var request = Support.request()
        let challenges = Support.challenges("Digest realm=r, nonce=n, qop=auth")
        request.challengeResponse = try Support.answer(
            responder.respond(to: challenges, request: request, clientNonce: "c")
        )
        var late = Support.request()
        late.challengeResponse = request.challengeResponse.map {
            ChallengeResponse(realm: $0.realm, number: 0, content: $0.content)
        }
        _ = responder.recordAcceptance(of: request, info: ["nextnonce=\"m\""])
        let next = try Support.parameters(responder.authorization(for: Support.request(), clientNonce: "c"))
        #expect(next["nonce"] == "m")
        #expect(next["nc"] == "00000001")
        _ = responder.recordAcceptance(of: late, info: [])
        let after = try Support.parameters(responder.authorization(for: Support.request(), clientNonce: "c"))
        #expect(after["nonce"] == "m", "what comes late does not bring back the old one")
        #expect(after["nc"] == "00000002")
    }

    @Test(
        "RFC 7616, 3.5: a wrong proof of the server is reported, and preemptive credentials stop until the next challenge"
    )
    func wrongProof() throws {
        var responder = Support.responder()
        var request = Support.request()
        let challenges = Support.challenges("Digest realm=r, nonce=n, qop=auth")
        request.challengeResponse = try Support.answer(
            responder.respond(to: challenges, request: request, clientNonce: "c")
        )
        _ = responder.recordAcceptance(of: request, info: [])
        let proof = responder.recordAcceptance(of: request, info: ["rspauth=\"\(DigestHash.md5("x"))\", nextnonce=m"])
        #expect(proof == .wrong)
        #expect(responder.authorization(for: Support.request(), clientNonce: "c") == nil)
    }

    @Test("a request without credentials of the Digest responder changes nothing")
    func acceptedWithoutAnswer() {
        var responder = Support.responder()
        #expect(responder.recordAcceptance(of: Support.request(), info: ["nextnonce=m"]) == .absent)
        #expect(responder == Support.responder())
    }
}
