import MoyaHTTP
import Testing

@Suite("Authentication-Info proves the server's knowledge of the password (RFC 7616, section 3.5)")
struct AuthenticationInfoTests {
    private static func response(_ parameters: String) throws -> DigestResponse {
        DigestResponse(
            to: try DigestResponseTests.challenge("realm=r, nonce=n, \(parameters)"),
            credential: UserCredential(user: "u", password: "p"),
            method: "GET",
            target: "/",
            clientNonce: "c",
            count: 10
        )
    }

    @Test(
        "the proof in Authentication-Info is compared with the sent credentials",
        arguments: [
            ("rspauth=\"R\", qop=auth, cnonce=\"c\", nc=0000000a", AuthenticationInfo.Proof.verified),
            ("rspauth=R", .verified), ("rspauth=\"R\", nc=0000000A", .verified), ("", .absent),
            ("nextnonce=m", .absent),
            ("rspauth=\"\"", .wrong), ("rspauth=\"R0\"", .wrong), ("rspauth=\"R\", cnonce=d", .wrong),
            ("rspauth=\"R\", nc=0000000b", .wrong), ("rspauth=\"R\", qop=auth-int", .absent),
        ]
    )
    func proof(value: String, proof: AuthenticationInfo.Proof) throws {
        let response = try Self.response("qop=auth, algorithm=SHA-256")
        let hash = DigestHash.sha256
        let expected = hash("\(hash("u:r:p")):n:0000000a:c:auth:\(hash(":/"))")
        for expected in [expected, expected.uppercased()] {
            let info = AuthenticationInfo([value.replacing("R", with: expected)])
            #expect(info.proof(for: response) == proof)
        }
    }

    @Test(
        "Authentication-Info has no proof to compare without qop and for a protected body",
        arguments: ["", "qop=auth-int"]
    )
    func nothingToCompare(parameters: String) throws {
        #expect(AuthenticationInfo(["rspauth=\"x\""]).proof(for: try Self.response(parameters)) == .absent)
    }

    @Test("nextnonce of Authentication-Info is read unless it is empty")
    func nextNonce() {
        #expect(AuthenticationInfo(["nextnonce=\"a b\""]).nextNonce == "a b")
        #expect(AuthenticationInfo(["rspauth=x", "NextNonce=a"]).nextNonce == "a")
        #expect(AuthenticationInfo(["nextnonce=\"\""]).nextNonce == nil)
        #expect(AuthenticationInfo([]).nextNonce == nil)
    }
}
