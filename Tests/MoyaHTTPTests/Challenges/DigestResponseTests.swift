import Foundation
import MoyaHTTP
import Testing

@Suite("Digest responses are computed (RFC 7616, section 3.4)")
struct DigestResponseTests {
    static let mufasa = UserCredential(user: "Mufasa", password: "Circle of Life")
    static let jason = UserCredential(user: "Jäsøn Doe", password: "Secret, or not?")

    static func challenge(_ parameters: String) throws -> DigestChallenge {
        let challenge = try #require(ChallengeParser.challenges(in: ["Digest \(parameters)"]).first)
        return try #require(DigestChallenge(challenge))
    }

    private func answer(
        _ parameters: String,
        _ credential: UserCredential = mufasa,
        method: String = "GET",
        target: String = "/dir/index.html",
        clientNonce: String = "0a4f113b",
        count: UInt32 = 1,
        bodyHash: String? = nil
    ) throws -> DigestResponse {
        DigestResponse(
            to: try Self.challenge(parameters),
            credential: credential,
            method: method,
            target: target,
            clientNonce: clientNonce,
            count: count,
            bodyHash: bodyHash
        )
    }

    @Test(
        "the Digest example of RFC 7616, section 3.9.1, is reproduced",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func mufasa(algorithm: String, response: String) throws {
        let answer = try answer(
            """
            realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
            opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        #expect(
            answer.header == """
                Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
                algorithm=\(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
                cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\(response)", \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """
        )
    }

    /// The value of erratum 4897: the RFC prints a truncated SHA-512.
    @Test("the Digest example of RFC 7616, section 3.9.2, is reproduced, with and without a hashed user name")
    func jason() throws {
        let parameters = """
            realm="api@example.org", qop="auth", algorithm=SHA-512-256, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=
            """
        let clientNonce = "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"
        let rest = """
            realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", nc=00000001, cnonce="\(clientNonce)", qop=auth, \
            response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS"
            """
        let plain = try answer("\(parameters)false", Self.jason, target: "/doe.json", clientNonce: clientNonce)
        #expect(plain.header == "Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, \(rest)")
        let hashed = try answer("\(parameters)true", Self.jason, target: "/doe.json", clientNonce: clientNonce)
        let hash = "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"
        #expect(hashed.header == "Digest username=\"\(hash)\", \(rest), userhash=true")
    }

    @Test("the Digest example of RFC 2617, section 3.5, is reproduced, without a named algorithm")
    func rfc2617() throws {
        let answer = try answer(
            """
            realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """,
            UserCredential(user: "Mufasa", password: "Circle Of Life")
        )
        #expect(
            answer.header == """
                Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
                nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", nc=00000001, cnonce="0a4f113b", qop=auth, \
                response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"
                """
        )
    }

    @Test("RFC 2069: a Digest response without qop has no count and no client nonce")
    func rfc2069() throws {
        let answer = try answer(
            "realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", algorithm=MD5",
            UserCredential(user: "Mufasa", password: "CircleOfLife")
        )
        #expect(
            answer.header == """
                Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", algorithm=MD5, \
                nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", response="1949323746fe6a43ef61f9606e7febea"
                """
        )
    }

    @Test("RFC 7616, 3.4.2: the session key depends on the first nonces")
    func session() throws {
        let first = try answer("realm=r, nonce=n, qop=auth, algorithm=MD5-sess", clientNonce: "c")
        let key = DigestHash.md5("\(DigestHash.md5("Mufasa:r:Circle of Life")):n:c")
        let request = DigestHash.md5("GET:/dir/index.html")
        #expect(first.response == DigestHash.md5("\(key):n:00000001:c:auth:\(request)"))
        let later = DigestResponse(
            to: try Self.challenge("realm=r, nonce=m, qop=auth, algorithm=MD5-sess"),
            credential: Self.mufasa,
            method: "GET",
            target: "/dir/index.html",
            clientNonce: "d",
            count: 2,
            sessionStart: .init(nonce: "n", clientNonce: "c")
        )
        #expect(later.response == DigestHash.md5("\(key):m:00000002:d:auth:\(request)"))
    }

    @Test("RFC 7616, 3.4.3: auth-int covers the body, or an empty body if there is none")
    func body() throws {
        let parameters = "realm=r, nonce=n, qop=auth-int, algorithm=SHA-256"
        let hash = DigestHash.sha256
        let key = hash("Mufasa:r:Circle of Life")
        func expected(_ body: String) -> String {
            hash("\(key):n:00000001:0a4f113b:auth-int:\(hash("POST:/x:\(hash(body))"))")
        }
        let empty = try answer(parameters, method: "POST", target: "/x")
        #expect(empty.response == expected(""))
        #expect(empty.header.contains("qop=auth-int, "))
        let full = try answer(parameters, method: "POST", target: "/x", bodyHash: hash("Hello"))
        #expect(full.response == expected("Hello"))
    }

    @Test(
        "RFC 7616, 3.4: the nonce count has eight hexadecimal digits",
        arguments: [(1, "00000001"), (10, "0000000a"), (0xABCDEF, "00abcdef"), (UInt32.max, "ffffffff")]
    )
    func count(count: UInt32, text: String) throws {
        let answer = try answer("realm=r, nonce=n, qop=auth", count: count)
        #expect(answer.countText == text)
        #expect(answer.header.contains("nc=\(text), "))
    }

    struct NameRow: CustomTestStringConvertible {
        let rule: String
        let name: String
        let field: String

        var testDescription: String { rule }
    }

    @Test(
        "RFC 7616, 3.4: an ASCII user name is quoted, and any other user name is percent-encoded",
        arguments: [
            NameRow(rule: "letters", name: "Mufasa", field: "username=\"Mufasa\""),
            NameRow(rule: "quotes", name: "a\"b\\c", field: "username=\"a\\\"b\\\\c\""),
            NameRow(rule: "a colon", name: "a:b", field: "username=\"a:b\""),
            NameRow(rule: "an empty name", name: "", field: "username=\"\""),
            NameRow(rule: "RFC 8187, 3.2: UTF-8", name: "Jäsøn", field: "username*=UTF-8''J%C3%A4s%C3%B8n"),
            NameRow(
                rule: "RFC 8187, 3.2.1: what is no attr-char is encoded",
                name: "é*'%(a b)!#$&+-.^_`|~",
                field: "username*=UTF-8''%C3%A9%2A%27%25%28a%20b%29!#$&+-.^_`|~"
            ),
            NameRow(rule: "line breaks", name: "a\r\nX: y", field: "username*=UTF-8''a%0D%0AX%3A%20y"),
            NameRow(rule: "4: NFC", name: "a\u{308}", field: "username*=UTF-8''%C3%A4"),
            NameRow(rule: "a combining mark on a quote", name: "\"\u{301}", field: "username*=UTF-8''%22%CC%81"),
        ]
    )
    func names(row: NameRow) throws {
        let header = try answer("realm=r, nonce=n, qop=auth", UserCredential(user: row.name, password: "")).header
        #expect(header.hasPrefix("Digest \(row.field), realm="))
    }

    @Test("the values of a Digest challenge are returned unchanged, with quotes and escapes")
    func echo() throws {
        let answer = try answer(#"realm="a \"b\" \\ \c", nonce="n\"1", opaque="", algorithm=mD5, qop="auth""#)
        #expect(answer.challenge.realm == #"a "b" \ c"#)
        #expect(answer.header.contains(#"realm="a \"b\" \\ c", "#))
        #expect(answer.header.contains(#"nonce="n\"1", "#))
        #expect(answer.header.contains(#"algorithm=mD5, "#))
        #expect(answer.header.hasSuffix(#", opaque="""#))
    }

    @Test("a quote with a combining mark in the realm of a Digest challenge is escaped, too")
    func combiningQuote() throws {
        let answer = try answer("realm=\"a\\\"\u{301}b\", nonce=n, qop=auth")
        #expect(answer.header.contains("realm=\"a\\\"\u{301}b\", "))
    }

    @Test("RFC 7616, 3.5: the proof of the server is computed without a method")
    func serverResponse() throws {
        let answer = try answer("realm=r, nonce=n, qop=auth, algorithm=SHA-256", clientNonce: "c")
        let hash = DigestHash.sha256
        let key = hash("Mufasa:r:Circle of Life")
        #expect(answer.serverResponse == hash("\(key):n:00000001:c:auth:\(hash(":/dir/index.html"))"))
        #expect(try self.answer("realm=r, nonce=n").serverResponse == nil)
        #expect(try self.answer("realm=r, nonce=n, qop=auth-int").serverResponse == nil)
    }

    @Test("the Digest hash of a body does not depend on the body's pieces", arguments: DigestHash.allCases)
    func bodyHash(hash: DigestHash) async throws {
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let body = HTTPBody.data(bytes)
        let found = try await body.hash(by: hash)
        #expect(found == hash.function.hash(bytes))
        let empty = try await HTTPBody.data(Data()).hash(by: hash)
        #expect(empty == hash.function.hash(""))
    }
}
