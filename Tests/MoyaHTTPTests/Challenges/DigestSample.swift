import Foundation
import MoyaHTTP
import TestSupport

/// A random Digest challenge and its response, for other implementations to check.
struct DigestSample: Codable {
    /// The value of `WWW-Authenticate`, as a server could write it.
    let challenge: String
    let user: String
    let password: String
    let method: String
    let target: String
    let body: String
    /// The values of the challenge, without quotes.
    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: String?
    /// The expected content of the response; nil if there is none.
    let qop: String?
    let userhash: Bool
    let clientNonce: String
    let count: UInt32
    /// The source of the session's key, for algorithms that have one.
    let sessionNonce: String
    /// The value of `Authorization`.
    let header: String
    /// The valid `rspauth` of the server; nil if it depends on the response's body.
    let serverResponse: String?

    init?(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let names = [
            nil, "MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess", "sha-256", "md5-SESS",
        ]
        algorithm = names.randomElement(using: &random) ?? nil
        let offers = [
            ("auth", "auth"), ("auth,auth-int", "auth"), ("auth-int, auth", "auth"), ("auth-int", "auth-int"),
        ]
        let offer = offers.randomElement(using: &random)
        // RFC 2069 supports MD5 only.
        let isOld = (algorithm ?? "MD5") == "MD5" && Int.random(in: 0...2, using: &random) == 0
        qop = isOld ? nil : offer?.1
        let ascii = seed % 2 == 0 ? Characters.plain : .ascii
        let characters = seed % 4 == 3 ? Characters.all : ascii
        user = Self.text(characters, using: &random)
        password = Self.text(characters, using: &random)
        realm = Self.text(characters, using: &random)
        nonce = Self.text(ascii, using: &random)
        opaque = Bool.random(using: &random) ? Self.text(ascii, using: &random) : nil
        userhash = Int.random(in: 0...3, using: &random) == 0
        method = ["GET", "POST", "DELETE"].randomElement(using: &random) ?? "GET"
        target = ["/", "/a/b?c=d&e=%20", "/dir/index.html", "example.com:443"].randomElement(using: &random) ?? "/"
        body = Bool.random(using: &random) ? "" : Self.text(characters, using: &random)
        clientNonce = Self.text(ascii, using: &random)
        count = Bool.random(using: &random) ? 1 : UInt32.random(in: 1 ... .max, using: &random)
        sessionNonce = Bool.random(using: &random) ? nonce : Self.text(ascii, using: &random)

        func quoted(_ text: String) -> String {
            let escaped = text.utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
            return "\"\(String(decoding: escaped, as: UTF8.self))\""
        }
        var parameters = ["realm=\(quoted(realm))", "nonce=\(quoted(nonce))"]
        if let opaque { parameters.append("opaque=\(quoted(opaque))") }
        if let algorithm { parameters.append("algorithm=\(algorithm)") }
        if qop != nil, let offer { parameters.append("qop=\"\(offer.0)\"") }
        if userhash { parameters.append("userhash=true") }
        parameters.shuffle(using: &random)
        challenge = "Digest \(parameters.joined(separator: ", "))"

        guard let parsed = ChallengeParser.challenges(in: [challenge]).first.flatMap({ DigestChallenge($0) }) else {
            return nil
        }
        let response = DigestResponse(
            to: parsed,
            credential: UserCredential(user: user, password: password),
            method: method,
            target: target,
            clientNonce: clientNonce,
            count: count,
            sessionStart: .init(nonce: sessionNonce, clientNonce: clientNonce),
            bodyHash: parsed.algorithm.hash(body)
        )
        header = response.header
        serverResponse = response.serverResponse
    }

    private enum Characters: String {
        /// The challenges that all clients support.
        case plain = "abcXYZ0189-_."
        case ascii = "abcXYZ0189 \"\\=,;:'%/+*_~"
        case all = "aZ9 \"\\=,:%éß日😀e\u{301}"
    }

    private static func text(_ characters: Characters, using random: inout SeededGenerator) -> String {
        let characters = Array(characters.rawValue)
        let length = Int.random(in: 1...20, using: &random)
        return String((0..<length).map { _ in characters.randomElement(using: &random) ?? "x" })
    }
}
