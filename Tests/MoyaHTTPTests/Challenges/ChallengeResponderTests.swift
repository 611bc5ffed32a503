import Foundation
import MoyaHTTP
import Testing

@Suite("A protection space's challenges are answered")
struct ChallengeResponderTests {
    static let origin = AuthenticationOrigin(scheme: "http", host: "h", port: 80)
    static let credential = UserCredential(user: "u", password: "p")

    static func responder(side: AuthenticationSide = .server) -> ChallengeResponder {
        ChallengeResponder(space: .init(side: side, origin: origin, realm: "r"), credential: credential)
    }

    static func request(_ path: String = "/a/b", method: String = "GET", hasBody: Bool = false) -> ChallengedRequest {
        ChallengedRequest(method: method, target: path, path: path, hasBody: hasBody)
    }

    static func challenges(_ values: String...) -> [AuthenticationChallenge] { ChallengeParser.challenges(in: values) }

    /// The answer's parameters; fails if there is none.
    private static func parameters(
        _ decision: ChallengeDecision?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> AuthenticationChallenge {
        guard case .answer(let answer) = decision else {
            Issue.record("\(String(describing: decision))", sourceLocation: sourceLocation)
            throw CancellationError()
        }
        return try #require(ChallengeParser.challenges(in: [answer.header]).first)
    }

    private static func answer(_ decision: ChallengeDecision?) throws -> ChallengeAnswer {
        guard case .answer(let answer) = decision else {
            Issue.record("\(String(describing: decision))")
            throw CancellationError()
        }
        return answer
    }

    @Test("RFC 7617: Basic is answered, and once only")
    func basic() throws {
        var responder = Self.responder()
        var request = Self.request()
        #expect(responder.authorization(for: request, clientNonce: "c") == nil)
        let challenges = Self.challenges("Basic realm=r")
        let decision = responder.challenged(by: challenges, request: request, clientNonce: "c")
        request.answer = try Self.answer(decision)
        #expect(request.answer?.header == "Basic dTpw")
        #expect(request.answer?.number == 1)
        let second = responder.challenged(by: challenges, request: request, clientNonce: "c")
        #expect(second == .giveUp(.credentialRefused(scheme: "Basic")))
        #expect(responder.authorization(for: Self.request(), clientNonce: "c") == nil)
    }

    @Test(
        "RFC 7617, 2.2: after that, requests as deep or deeper are sent with it at once",
        arguments: [
            ("/a/b", true), ("/a/c", true), ("/a/", true), ("/a/b/c", true), ("/a", false), ("/", false),
            ("/ab/c", false),
        ]
    )
    func basicScope(path: String, isCovered: Bool) throws {
        var responder = Self.responder()
        var request = Self.request("/a/b")
        let decision = responder.challenged(by: Self.challenges("Basic realm=r"), request: request, clientNonce: "c")
        request.answer = try Self.answer(decision)
        #expect(responder.authorization(for: Self.request("/a/b"), clientNonce: "c") == nil, "not accepted yet")
        #expect(responder.accepted(request, info: []) == .absent)
        let next = responder.authorization(for: Self.request(path), clientNonce: "c")
        if isCovered {
            let answer = try Self.answer(next)
            #expect(answer.header == "Basic dTpw")
            #expect(answer.number == 0)
        } else {
            #expect(next == nil)
        }
    }

    @Test("Basic that was sent at once and is refused is not sent again, until it is asked for")
    func basicRefusedLater() throws {
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Basic realm=r")
        request.answer = try Self.answer(responder.challenged(by: challenges, request: request, clientNonce: "c"))
        _ = responder.accepted(request, info: [])
        request.answer = try Self.answer(responder.authorization(for: Self.request(), clientNonce: "c"))
        let decision = responder.challenged(by: challenges, request: request, clientNonce: "c")
        #expect(decision == .giveUp(.credentialRefused(scheme: "Basic")))
        #expect(responder.authorization(for: Self.request(), clientNonce: "c") == nil)
    }

    @Test("RFC 7617, 2: a name with a colon cannot be sent")
    func colon() {
        var responder = ChallengeResponder(
            space: .init(origin: Self.origin, realm: "r"),
            credential: UserCredential(user: "a:b", password: "")
        )
        let decision = responder.challenged(
            by: Self.challenges("Basic realm=r"),
            request: Self.request(),
            clientNonce: "c"
        )
        #expect(decision == .giveUp(.invalidCredential(.colonInUserName)))
    }

    @Test("other schemes are given up with their names")
    func otherSchemes() {
        var responder = Self.responder()
        let challenges = Self.challenges("Bearer realm=r, NTLM, Digest nonce=n, algorithm=X, NTLM")
        let decision = responder.challenged(by: challenges, request: Self.request(), clientNonce: "c")
        let refusal = ChallengeRefusal.unsupportedSchemes(["Bearer", "NTLM", "Digest (X)"])
        #expect(decision == .giveUp(refusal))
        #expect(refusal.errorDescription?.contains("Bearer, NTLM, Digest (X)") == true)
        let none = responder.challenged(by: [], request: Self.request(), clientNonce: "c")
        #expect(none == .giveUp(.noChallenge))
    }

    @Test("RFC 7616, 3.4: each request with a nonce has the next count, and a client's nonce of its own")
    func counts() throws {
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256")
        let first = responder.challenged(by: challenges, request: request, clientNonce: "c1")
        #expect(try Self.parameters(first)["nc"] == "00000001")
        #expect(try Self.parameters(first)["uri"] == "/a/b")
        request.answer = try Self.answer(first)
        // Another one that was under way gets the same challenge.
        let other = responder.challenged(by: challenges, request: Self.request(), clientNonce: "c2")
        #expect(try Self.parameters(other)["nc"] == "00000002")
        #expect(responder.authorization(for: Self.request(), clientNonce: "c3") == nil, "not accepted yet")
        #expect(responder.accepted(request, info: []) == .absent)
        let next = responder.authorization(for: Self.request("/x?y"), clientNonce: "c4")
        let parameters = try Self.parameters(next)
        #expect(parameters["nc"] == "00000003")
        #expect(parameters["cnonce"] == "c4")
        #expect(parameters["nonce"] == "n")
        #expect(parameters["uri"] == "/x?y")
        // A new nonce counts from one, and the old one goes on.
        let fresh = responder.challenged(
            by: Self.challenges("Digest realm=r, nonce=m, qop=auth"),
            request: Self.request(),
            clientNonce: "c5"
        )
        #expect(try Self.parameters(fresh)["nc"] == "00000001")
        let again = responder.challenged(by: challenges, request: Self.request(), clientNonce: "c6")
        #expect(try Self.parameters(again)["nc"] == "00000004")
    }

    struct RefusalRow: CustomTestStringConvertible {
        let rule: String
        /// Whether the request was sent with an answer before there was a challenge.
        var isPreemptive = false
        let challenge: String
        let isAnswered: Bool

        var testDescription: String { rule }
    }

    @Test(
        "a second refusal gives up, unless the nonce is stale",
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
        request.answer = try Self.answer(responder.challenged(by: challenges, request: request, clientNonce: "c"))
        if row.isPreemptive {
            _ = responder.accepted(request, info: [])
            request.answer = try Self.answer(responder.authorization(for: request, clientNonce: "c"))
            #expect(request.answer?.number == 0)
        }
        let decision = responder.challenged(by: Self.challenges(row.challenge), request: request, clientNonce: "d")
        if row.isAnswered {
            #expect(try Self.parameters(decision)["nonce"] == "m")
            #expect(try Self.parameters(decision)["nc"] == "00000001")
        } else {
            #expect(decision == .giveUp(.credentialRefused(scheme: "Digest")))
            #expect(responder.authorization(for: Self.request(), clientNonce: "c") == nil)
        }
    }

    @Test("a server for which every nonce is stale is given up in the end")
    func staleForEver() throws {
        var responder = Self.responder()
        var request = Self.request()
        var answers = 0
        for number in 0..<100 {
            let challenges = Self.challenges("Digest realm=r, nonce=n\(number), qop=auth, stale=true")
            let decision = responder.challenged(by: challenges, request: request, clientNonce: "c")
            guard case .answer(let answer) = decision else { break }
            answers += 1
            request.answer = answer
        }
        #expect(answers == 4)
    }

    @Test("3.4.2: all requests of a session have the nonce of its first one")
    func session() throws {
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Digest realm=r, nonce=n, qop=auth, algorithm=MD5-sess")
        request.answer = try Self.answer(responder.challenged(by: challenges, request: request, clientNonce: "c1"))
        let other = responder.challenged(by: challenges, request: Self.request(), clientNonce: "c2")
        #expect(try Self.parameters(other)["cnonce"] == "c1")
        _ = responder.accepted(request, info: ["nextnonce=\"m\""])
        guard
            case .digest(let next) = try Self.answer(
                responder.authorization(for: Self.request(), clientNonce: "c3")
            ).content
        else {
            Issue.record("no Digest")
            return
        }
        #expect(next.challenge.nonce == "m")
        #expect(next.clientNonce == "c1")
        #expect(next.sessionStart == .init(nonce: "n", clientNonce: "c1"))
    }

    @Test("3.4.3: auth-int asks for the hash of the body, and changes nothing before it has it")
    func bodyHash() throws {
        var responder = Self.responder()
        let before = responder
        var request = Self.request(method: "POST", hasBody: true)
        let challenges = Self.challenges("Digest realm=r, nonce=n, qop=auth-int, algorithm=SHA-256")
        let decision = responder.challenged(by: challenges, request: request, clientNonce: "c")
        #expect(decision == .needsBodyHash(.sha256))
        #expect(responder == before)
        request.setBodyHash(SHA256.hash("Hello"), by: .sha256)
        let answer = try Self.answer(responder.challenged(by: challenges, request: request, clientNonce: "c"))
        let hash = DigestHash.sha256
        let expected = hash("\(hash("u:r:p")):n:00000001:c:auth-int:\(hash("POST:/a/b:\(hash("Hello"))"))")
        #expect(ChallengeParser.challenges(in: [answer.header]).first?["response"] == expected)
        request.answer = answer
        _ = responder.accepted(request, info: [])
        let next = responder.authorization(for: Self.request(method: "POST", hasBody: true), clientNonce: "c")
        #expect(next == .needsBodyHash(.sha256))
        let empty = responder.authorization(for: Self.request(), clientNonce: "c")
        #expect(try Self.parameters(empty)["nc"] == "00000002")
    }

    @Test(
        "3.3: domain says where requests are sent with an answer at once",
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
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Digest realm=r, \(parameter)nonce=n, qop=auth")
        request.answer = try Self.answer(responder.challenged(by: challenges, request: request, clientNonce: "c"))
        _ = responder.accepted(request, info: [])
        #expect((responder.authorization(for: Self.request(path), clientNonce: "c") != nil) == isCovered)
    }

    @Test(
        "3.3: a proxy's space is all that goes through it",
        arguments: ["Basic realm=r", "Digest domain=\"/x\", nonce=n"]
    )
    func proxy(challenge: String) throws {
        var responder = Self.responder(side: .proxy)
        var request = ChallengedRequest(method: "CONNECT", target: "example.com:443")
        request.answer = try Self.answer(
            responder.challenged(by: Self.challenges(challenge), request: request, clientNonce: "c")
        )
        _ = responder.accepted(request, info: [])
        let next = ChallengedRequest(method: "GET", target: "http://example.com/", path: "/y/z")
        #expect(responder.authorization(for: next, clientNonce: "c") != nil)
    }

    @Test("3.5: nextnonce is used from then on, and counted from one")
    func nextNonce() throws {
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Digest realm=r, nonce=n, qop=auth")
        request.answer = try Self.answer(responder.challenged(by: challenges, request: request, clientNonce: "c"))
        var late = Self.request()
        late.answer = request.answer.map { ChallengeAnswer(realm: $0.realm, number: 0, content: $0.content) }
        _ = responder.accepted(request, info: ["nextnonce=\"m\""])
        let next = try Self.parameters(responder.authorization(for: Self.request(), clientNonce: "c"))
        #expect(next["nonce"] == "m")
        #expect(next["nc"] == "00000001")
        _ = responder.accepted(late, info: [])
        let after = try Self.parameters(responder.authorization(for: Self.request(), clientNonce: "c"))
        #expect(after["nonce"] == "m", "what comes late does not bring back the old one")
        #expect(after["nc"] == "00000002")
    }

    @Test("3.5: a server's wrong proof is told, and it gets nothing more before it asks")
    func wrongProof() throws {
        var responder = Self.responder()
        var request = Self.request()
        let challenges = Self.challenges("Digest realm=r, nonce=n, qop=auth")
        request.answer = try Self.answer(responder.challenged(by: challenges, request: request, clientNonce: "c"))
        _ = responder.accepted(request, info: [])
        let proof = responder.accepted(request, info: ["rspauth=\"\(DigestHash.md5("x"))\", nextnonce=m"])
        #expect(proof == .wrong)
        #expect(responder.authorization(for: Self.request(), clientNonce: "c") == nil)
    }

    @Test("a request without an answer of ours changes nothing")
    func acceptedWithoutAnswer() {
        var responder = Self.responder()
        #expect(responder.accepted(Self.request(), info: ["nextnonce=m"]) == .absent)
        #expect(responder == Self.responder())
    }

    @Test(
        "the target is path and query as they are sent",
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
