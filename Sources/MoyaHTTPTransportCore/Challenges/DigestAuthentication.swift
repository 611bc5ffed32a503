import Foundation

/// A supported Digest challenge (RFC 7616, section 3.3).
package struct DigestChallenge: Equatable, Sendable {
    /// The quality of protection (`qop`).
    package enum Protection: String, Equatable, Sendable {
        /// Protects the method and the target of the request.
        case auth
        /// Also protects the body.
        case authInt = "auth-int"
    }

    /// The realm with its bytes, which are sent back and hashed.
    let realmText: FieldText
    /// The nonce (``FieldText/storable``).
    package var nonce: String
    /// The opaque value (``FieldText/storable``).
    package let opaque: String?
    package let algorithm: DigestAlgorithm
    /// The algorithm as received; nil if missing, which means MD5.
    package let algorithmText: String?
    /// The selected quality of protection; nil if the server supports only RFC 2069.
    package let protection: Protection?
    /// Whether only the nonce of the previous request was wrong.
    package let isStale: Bool
    /// Whether the user name is sent as a hash (section 3.4.4).
    package let hashesUser: Bool
    /// The URIs of the protection space as received; empty for the whole origin.
    package let domain: [String]

    /// Creates a challenge; nil if it is not a supported Digest challenge.
    ///
    /// The nonce must be present, and the algorithm and one quality of protection must be supported. Without `qop`
    /// only MD5 is supported, as in RFC 2069.
    package init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isScheme("Digest"), let nonce = challenge[text: "nonce"]?.storable else { return nil }
        self.nonce = nonce
        realmText = challenge[text: "realm"] ?? FieldText("")
        opaque = challenge[text: "opaque"]?.storable
        algorithmText = challenge["algorithm"].flatMap { $0.isEmpty ? nil : $0 }
        guard let algorithm = DigestAlgorithm(algorithmText ?? "MD5") else { return nil }
        self.algorithm = algorithm
        let options = Self.words(challenge["qop"] ?? "") { $0 == "," || $0 == " " || $0 == "\t" }
        let protections = options.compactMap { Protection(rawValue: $0.lowercased()) }
        // Protecting the body means reading it twice, so it is only done if the server requires it.
        protection = protections.contains(.auth) ? .auth : protections.first
        if protection == nil {
            guard options.isEmpty, algorithm == DigestAlgorithm(hash: .md5) else { return nil }
        }
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        domain = Self.words(challenge["domain"] ?? "") { $0 == " " || $0 == "\t" }
    }

    /// The realm.
    package var realm: String { realmText.text }

    private static func words(_ text: String, separatedBy isSeparator: (Character) -> Bool) -> [String] {
        text.split(whereSeparator: isSeparator).map(String.init)
    }
}

/// The hash functions of Digest (RFC 7616, section 6.1).
package enum DigestHash: Equatable, Hashable, Sendable, CaseIterable {
    case md5
    case sha256
    case sha512256

    /// The name in the IANA registry.
    package var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        case .sha512256: "SHA-512-256"
        }
    }

    package var function: any HashFunction.Type {
        switch self {
        case .md5: MD5.self
        case .sha256: SHA256.self
        case .sha512256: SHA512_256.self
        }
    }

    /// Returns the hash as lowercase hexadecimal digits.
    package func callAsFunction(_ text: String) -> String { function.hash(text).hexadecimal }
    func callAsFunction(_ parts: [FieldText]) -> String {
        function.hash(Array(parts.map(\.bytes).joined(separator: ":".utf8))).hexadecimal
    }
    package func callAsFunction(_ data: Data) -> String { function.hash(data).hexadecimal }
}

/// The value of the `algorithm` parameter (RFC 7616, section 3.3).
package struct DigestAlgorithm: Equatable, Sendable {
    package let hash: DigestHash
    /// Whether the algorithm is a `-sess` variant, whose key depends on the first nonces (section 3.4.2).
    package let isSession: Bool

    package init(hash: DigestHash, isSession: Bool = false) {
        self.hash = hash
        self.isSession = isSession
    }

    /// Creates an algorithm from its name, ignoring case; nil if it is not supported.
    package init?(_ name: String) {
        let name = name.lowercased()
        let isSession = name.hasSuffix("-sess")
        let base = isSession ? String(name.dropLast(5)) : name
        guard let hash = DigestHash.allCases.first(where: { $0.name.lowercased() == base }) else { return nil }
        self.init(hash: hash, isSession: isSession)
    }
}

/// The credentials for a Digest challenge (RFC 7616, section 3.4).
package struct DigestResponse: Equatable, Sendable, Redacted {
    /// The nonces of a session's key (section 3.4.2): those of the first challenge and of the first request.
    package struct SessionStart: Equatable, Sendable {
        package let nonce: String
        package let clientNonce: String

        package init(nonce: String, clientNonce: String) {
            (self.nonce, self.clientNonce) = (nonce, clientNonce)
        }
    }

    package let challenge: DigestChallenge
    package let credential: UserCredential
    package let method: String
    /// The request target as sent.
    package let target: String
    package let clientNonce: String
    /// The number of requests sent with the nonce, including this one.
    package let count: UInt32
    /// The start of the session, for `-sess` algorithms; nil if this request starts it.
    package let sessionStart: SessionStart?
    /// The hash of the request body, for `auth-int` (section 3.4.3).
    package let bodyHash: String

    private var hash: DigestHash { challenge.algorithm.hash }

    package init(
        to challenge: DigestChallenge,
        credential: UserCredential,
        method: String,
        target: String,
        clientNonce: String,
        count: UInt32 = 1,
        sessionStart: SessionStart? = nil,
        bodyHash: String? = nil
    ) {
        self.challenge = challenge
        self.credential = credential
        self.method = method
        self.target = target
        self.clientNonce = clientNonce
        self.count = count
        self.sessionStart = sessionStart
        self.bodyHash = bodyHash ?? challenge.algorithm.hash("")
    }

    /// The value of `Authorization` or `Proxy-Authorization`, quoted as section 3.4 requires.
    package var header: String { headerText.text }

    /// The value of `Authorization` or `Proxy-Authorization` with the bytes that the server has sent.
    var headerText: FieldText {
        var parts: [[UInt8]] = []
        func append(_ name: String, quoting value: FieldText) { parts.append(Array(name.utf8) + quoted(value)) }
        func append(_ text: String) { parts.append(Array(text.utf8)) }
        if challenge.hashesUser {
            append("username=", quoting: FieldText(hash([FieldText(credential.user), challenge.realmText])))
        } else if credential.user.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            append("username=", quoting: FieldText(credential.user))
        } else {
            append("username*=\(Self.extended(credential.user))")
        }
        append("realm=", quoting: challenge.realmText)
        append("uri=", quoting: FieldText(target))
        // As received, since some servers compare it byte by byte. It is one of the six supported names, so this is
        // safe.
        if let algorithm = challenge.algorithmText { append("algorithm=\(algorithm)") }
        append("nonce=", quoting: FieldText(storable: challenge.nonce))
        if let protection = challenge.protection {
            append("nc=\(countText)")
            append("cnonce=", quoting: FieldText(clientNonce))
            append("qop=\(protection.rawValue)")
        }
        append("response=", quoting: FieldText(response))
        if let opaque = challenge.opaque { append("opaque=", quoting: FieldText(storable: opaque)) }
        if challenge.hashesUser { append("userhash=true") }
        return FieldText(bytes: Array("Digest ".utf8) + parts.joined(separator: ", ".utf8))
    }

    /// The `response` parameter, which proves knowledge of the password (section 3.4.1).
    package var response: String { digest(method: method, bodyHash: bodyHash) }

    /// The expected `rspauth` of a server that knows the password (section 3.5).
    ///
    /// It is nil if there is nothing to compare: without `qop`, and for a response with a protected body.
    package var serverResponse: String? {
        challenge.protection == .auth ? digest(method: "", bodyHash: "") : nil
    }

    /// The nonce count as eight hexadecimal digits.
    package var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    private func digest(method: String, bodyHash: String) -> String {
        let nonce = FieldText(storable: challenge.nonce)
        var key = hash([FieldText(credential.user), challenge.realmText, FieldText(credential.password)])
        if challenge.algorithm.isSession {
            let start = sessionStart ?? SessionStart(nonce: challenge.nonce, clientNonce: clientNonce)
            key = hash([FieldText(key), FieldText(storable: start.nonce), FieldText(start.clientNonce)])
        }
        guard let protection = challenge.protection else {
            return hash([FieldText(key), nonce, FieldText(hash("\(method):\(target)"))])
        }
        let body = protection == .authInt ? ":\(bodyHash)" : ""
        let request = hash("\(method):\(target)\(body)")
        return hash([FieldText(key), nonce, FieldText("\(countText):\(clientNonce):\(protection.rawValue):\(request)")])
    }

    /// Returns a quoted string.
    ///
    /// Bytes are compared instead of characters: a quote followed by a combining mark is a different character, but
    /// still ends the string.
    private func quoted(_ text: FieldText) -> [UInt8] {
        [.quote] + text.bytes.flatMap { $0 == .quote || $0 == .backslash ? [.backslash, $0] : [$0] } + [.quote]
    }

    /// Returns an `ext-value` (RFC 8187, section 3.2).
    private static func extended(_ text: String) -> String {
        let escaped = text.utf8.map { byte in
            byte.isAttributeCharacter ? String(Unicode.Scalar(byte)) : "%\([byte].hexadecimal.uppercased())"
        }
        return "UTF-8''\(escaped.joined())"
    }
}

extension HTTPBody {
    /// Returns the hash of the body as sent, for `auth-int` (RFC 7616, section 3.4.3).
    ///
    /// The body is read piece by piece, so only a repeatable body can be sent afterwards.
    ///
    /// - Throws: ``RequestBodyError``.
    package func hash(by digest: DigestHash) async throws(RequestBodyError) -> [UInt8] {
        var plain = HTTPBody(segments: segments)
        // Hashing is not upload progress, so the copy is not observed.
        if isGzipped { plain = plain.gzipped() }
        let reader = try await plain.openWithoutBlocking()
        var function = digest.function.init()
        while let piece = try await reader.next() { function.update(piece) }
        return function.finalize()
    }
}
