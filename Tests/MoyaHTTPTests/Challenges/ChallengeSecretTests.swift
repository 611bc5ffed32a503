import Foundation
import MoyaHTTP
import Testing

@Suite("Secrets in challenges do not occur in texts")
struct ChallengeSecretTests {
    private static let secrets = ["hush-user", "hush-word", "Basic aHVzaC", "response="]

    private static func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), dumped, "\(value)"]
    }

    @Test(
        "descriptions, reflections and dumps of challenges do not show secrets",
        arguments: ["Basic realm=r", "Digest nonce=n, qop=auth"]
    )
    func descriptions(challenge: String) throws {
        let credential = UserCredential(user: "hush-user", password: "hush-word")
        let space = ProtectionSpaceKey(origin: .init(scheme: "http", host: "h", port: 80), realm: "r")
        var responder = ChallengeResponder(space: space, credential: credential)
        var request = ChallengedRequest(method: "GET", target: "/")
        let challenges = ChallengeParser.challenges(in: [challenge])
        let decision = responder.respond(to: challenges, request: request, clientNonce: "c")
        guard case .respond(let response) = decision else {
            Issue.record("no answer")
            return
        }
        request.challengeResponse = response
        _ = responder.recordAcceptance(of: request, info: [])
        let cache = CredentialCache()
        _ = cache.respond(to: challenges, request: request, credential: credential, origin: space.origin)
        let refusal = ChallengeRefusal.credentialRefused(scheme: response.scheme)
        let values: [Any] = [
            credential, responder, request, decision, response, response.content, cache, refusal,
            refusal.localizedDescription,
            [credential], ["key": credential], Optional(credential) as Any,
        ]
        for text in values.flatMap(Self.texts) {
            #expect(!Self.secrets.contains { text.contains($0) }, "\(text)")
        }
        #expect(Self.secrets.contains { response.header.contains($0) }, "the test would find them")
    }

    @Test("every refusal of a challenge has a text that names the problem")
    func refusals() throws {
        for refusal: ChallengeRefusal in [
            .noChallenge, .unsupportedSchemes(["X"]), .credentialRefused(scheme: "Basic"),
            .invalidCredential(.colonInUserName), .bodyNotRepeatable,
        ] {
            #expect(try #require(refusal.errorDescription).count > 20)
        }
    }

    @Test("the texts of refused challenges quote the server only up to a limit")
    func bounded() {
        let challenges = (0..<30).map {
            AuthenticationChallenge(scheme: "S\($0)" + String(repeating: "x", count: 9_999))
        }
        let refusal = ChallengeRefusal(unsupported: challenges)
        #expect((refusal.errorDescription ?? "").count < 600)
    }
}
