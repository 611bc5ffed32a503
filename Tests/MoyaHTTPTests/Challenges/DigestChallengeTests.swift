import MoyaHTTP
import Testing

@Suite("Digest challenges are parsed (RFC 7616, section 3.3)")
struct DigestChallengeTests {
    private static func challenge(_ parameters: String) -> DigestChallenge? {
        ChallengeParser.challenges(in: ["Digest \(parameters)"]).first.flatMap { DigestChallenge($0) }
    }

    @Test("all parameters of a Digest challenge are parsed")
    func all() throws {
        let challenge = try #require(
            Self.challenge(
                """
                realm="r", domain="/a  http://b/c", nonce="n", opaque="o", stale=TRUE, algorithm=SHA-256-sess, \
                qop="auth-int,auth", charset=UTF-8, userhash=true
                """
            )
        )
        #expect(challenge.realm == "r")
        #expect(challenge.domain == ["/a", "http://b/c"])
        #expect(challenge.nonce == "n")
        #expect(challenge.opaque == "o")
        #expect(challenge.isStale)
        #expect(challenge.algorithm == DigestAlgorithm(hash: .sha256, isSession: true))
        #expect(challenge.protection == .auth)
        #expect(challenge.hashesUser)
    }

    @Test("missing parameters of a Digest challenge have the defaults of the RFC")
    func absent() throws {
        let challenge = try #require(Self.challenge("nonce=n"))
        #expect(challenge.realm.isEmpty)
        #expect(challenge.domain.isEmpty)
        #expect(challenge.opaque == nil)
        #expect(!challenge.isStale)
        #expect(challenge.algorithm == DigestAlgorithm(hash: .md5))
        #expect(challenge.algorithmText == nil)
        #expect(challenge.protection == nil)
        #expect(!challenge.hashesUser)
    }

    @Test(
        "Digest algorithms are compared ignoring case",
        arguments: [
            ("MD5", DigestHash.md5, false), ("md5", .md5, false), ("MD5-sess", .md5, true), ("MD5-SESS", .md5, true),
            ("SHA-256", .sha256, false), ("SHA-256-sess", .sha256, true), ("sha-256", .sha256, false),
            ("SHA-512-256", .sha512256, false), ("SHA-512-256-sess", .sha512256, true),
        ]
    )
    func algorithms(name: String, hash: DigestHash, isSession: Bool) {
        let challenge = Self.challenge("nonce=n, qop=auth, algorithm=\(name)")
        #expect(challenge?.algorithm == DigestAlgorithm(hash: hash, isSession: isSession))
        #expect(challenge?.algorithmText == name)
    }

    @Test(
        "unsupported Digest challenges are skipped",
        arguments: [
            "realm=r, qop=auth", "nonce=n, qop=auth, algorithm=SHA-1", "nonce=n, qop=auth, algorithm=SHA-512",
            "nonce=n, qop=auth, algorithm=MD5-", "nonce=n, qop=auth, algorithm=-sess", "nonce=n, qop=auth-conf",
            "nonce=n, algorithm=SHA-256", "nonce=n, algorithm=MD5-sess", "nonce=n, qop=\"a,b\"",
        ]
    )
    func unsupported(parameters: String) {
        #expect(Self.challenge(parameters) == nil)
    }

    @Test(
        "auth-int is selected only if a Digest challenge does not offer auth",
        arguments: [
            ("auth", DigestChallenge.Protection.auth), ("auth-int", .authInt), ("auth-int, auth", .auth),
            ("AUTH", .auth), ("other,auth-int", .authInt), (" auth-int\t", .authInt),
        ]
    )
    func protection(options: String, expected: DigestChallenge.Protection) {
        #expect(Self.challenge("nonce=n, qop=\"\(options)\"")?.protection == expected)
    }

    @Test("an empty qop in a Digest challenge counts as missing", arguments: ["\"\"", "\" , \""])
    func emptyOptions(options: String) throws {
        let challenge = try #require(Self.challenge("nonce=n, qop=\(options)"))
        #expect(challenge.protection == nil)
    }

    @Test(
        "stale and userhash of a Digest challenge are true only if their value is true",
        arguments: ["false", "1", "yes", "\"\""]
    )
    func flags(value: String) throws {
        let challenge = try #require(Self.challenge("nonce=n, stale=\(value), userhash=\(value)"))
        #expect(!challenge.isStale)
        #expect(!challenge.hashesUser)
    }

    struct Row: CustomTestStringConvertible {
        let rule: String
        let values: [String]
        /// The scheme and the nonce of Digest.
        let expected: String?

        var testDescription: String { rule }
    }

    @Test(
        "the best of several Digest challenges is selected",
        arguments: [
            Row(
                rule: "RFC 7616, 3.7: the first that is supported",
                values: ["Digest qop=auth, algorithm=X, nonce=1", "Digest qop=auth, nonce=2, Digest nonce=3"],
                expected: "Digest 2"
            ),
            Row(
                rule: "RFC 7616, 3.7: the server's order counts, also where MD5 is first",
                values: ["Digest qop=auth, nonce=1", "Digest qop=auth, algorithm=SHA-256, nonce=2"],
                expected: "Digest 1"
            ),
            Row(
                rule: "RFC 7616, 3.9.1: SHA-256 where it is first",
                values: ["Digest qop=auth, algorithm=SHA-256, nonce=1, Digest qop=auth, algorithm=MD5, nonce=2"],
                expected: "Digest 1"
            ),
            Row(
                rule: "RFC 7617, 4: Digest before Basic, whatever the order",
                values: ["Basic realm=a, Digest nonce=1"],
                expected: "Digest 1"
            ),
            Row(
                rule: "Basic where no Digest can be answered",
                values: ["Digest nonce=1, algorithm=X", "Basic realm=a"],
                expected: "Basic a"
            ),
            Row(rule: "Basic without a realm", values: ["Basic"], expected: "Basic "),
            Row(
                rule: "Bearer, NTLM and Negotiate are not answered",
                values: ["Bearer, NTLM, Negotiate"],
                expected: nil
            ),
            Row(rule: "no challenge", values: [], expected: nil),
        ]
    )
    func selection(row: Row) {
        let text: String? =
            switch ChallengeSelection(ChallengeParser.challenges(in: row.values)) {
            case .digest(let challenge)?: "Digest \(challenge.nonce)"
            case .basic(let realm)?: "Basic \(realm)"
            case nil: nil
            }
        #expect(text == row.expected)
    }
}
