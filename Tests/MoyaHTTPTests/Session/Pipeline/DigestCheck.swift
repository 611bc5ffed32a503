import Foundation
import TestServers

@testable import MoyaHTTP

/// The server's side of Digest: a second implementation of the formulas of RFC 7616, section 3.4.
///
/// It uses only the hash functions of the tested code, which have separate test vectors.
final class DigestCheck: Sendable {
    enum Proof: Sendable { case none, right, wrong }

    struct Rules: Sendable {
        var algorithm: String? = "SHA-256"
        var qop: String? = "auth"
        var realm = "realm of \"quotes\""
        var user = "Mufasa"
        var password = "Circle of Life"
        var hashesUser = false
        /// The number of requests for which a nonce is valid.
        var requestsPerNonce = Int.max
        var proof = Proof.right
        var givesNextNonce = false
    }

    enum Verdict: Equatable, Sendable {
        case absent, refused, stale
        /// The response is accepted; the value is for `Authentication-Info`.
        case accepted(info: String?)
    }

    fileprivate struct Nonce {
        var counts: [Int] = []
        /// The input of a session's key.
        var session: (nonce: String, clientNonce: String)?
    }

    fileprivate struct State {
        var nonces: [String: Nonce] = [:]
        var current = "nonce 0"
        var problems: [String] = []
    }

    let rules: Rules
    private let state = Locked(State())

    init(_ rules: Rules = Rules()) {
        self.rules = rules
        state.withLock { $0.nonces[$0.current] = Nonce() }
    }

    /// The violations by the client.
    var problems: [String] { state.withLock { $0.problems } }

    /// The counts of each nonce.
    var counts: [[Int]] { state.withLock { state in state.nonces.sorted { $0.key < $1.key }.map(\.value.counts) } }

    /// Returns the value of `WWW-Authenticate`.
    func challenge(isStale: Bool = false) -> String {
        var parts = [
            "realm=\"\(rules.realm.replacing("\"", with: "\\\""))\"", "nonce=\"\(state.withLock { $0.current })\"",
            "opaque=\"of the server\"",
        ]
        if let algorithm = rules.algorithm { parts.append("algorithm=\(algorithm)") }
        if let qop = rules.qop { parts.append("qop=\"\(qop)\"") }
        if isStale { parts.append("stale=true") }
        if rules.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// Checks the response in a request.
    func check(_ value: String?, _ seen: HandlerServer.ReceivedRequest, target: String? = nil, response body: String)
        -> Verdict
    {
        check(value, method: seen.head.method, target: target ?? seen.head.target, body: seen.body, response: body)
    }

    /// Checks the response in a request with this method, target and body.
    func check(
        _ value: String?,
        method: String,
        target: String,
        body sent: String = "",
        response body: String = ""
    ) -> Verdict {
        guard let value else { return .absent }
        guard value.hasPrefix("Digest ") else { return .refused }
        let given = Self.parameters(value.dropFirst(7))
        return state.withLock { state in
            let expected = [
                "realm": rules.realm, "uri": target, "opaque": "of the server", "algorithm": rules.algorithm,
                "userhash": rules.hashesUser ? "true" : nil,
            ]
            for (name, value) in expected where given[name] != value {
                state.problems.append("\(name) is \(given[name] ?? "missing")")
            }
            guard let name = given["nonce"], var nonce = state.nonces[name] else {
                state.problems.append("A nonce that was not given: \(given["nonce"] ?? "none")")
                return .refused
            }
            if let count = given["nc"].flatMap({ Int($0, radix: 16) }) {
                if nonce.counts.contains(count) { state.problems.append("\(name) has count \(count) twice") }
                nonce.counts.append(count)
            } else if rules.qop != nil {
                state.problems.append("There is no count")
            }
            let clientNonce = given["cnonce"] ?? ""
            if rules.algorithm?.hasSuffix("-sess") == true {
                nonce.session = nonce.session ?? (name, clientNonce)
                if nonce.session?.clientNonce != clientNonce { state.problems.append("A session's cnonce changed") }
            }
            state.nonces[name] = nonce
            let key = key(session: nonce.session)
            guard isUser(given), given["response"] == response(key, given, "\(method):\(target)", sent)
            else { return .refused }
            guard nonce.counts.count <= rules.requestsPerNonce, name == state.current else {
                if name == state.current { state.renew(nil) }
                return .stale
            }
            if rules.givesNextNonce { state.renew(nonce.session) }
            return .accepted(info: info(key, given, target, body, next: state.current))
        }
    }

    private func info(_ key: String, _ given: [String: String], _ target: String, _ body: String, next: String)
        -> String?
    {
        var parts: [String] = []
        if rules.givesNextNonce { parts.append("nextnonce=\"\(next)\"") }
        if rules.proof != .none, let qop = given["qop"] {
            let proof = rules.proof == .wrong ? hash("wrong") : response(key, given, ":\(target)", body)
            parts += [
                "rspauth=\"\(proof)\"", "cnonce=\"\(given["cnonce"] ?? "")\"", "nc=\(given["nc"] ?? "")", "qop=\(qop)",
            ]
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func isUser(_ given: [String: String]) -> Bool {
        if rules.hashesUser { return given["username"] == hash("\(rules.user):\(rules.realm)") }
        if let name = given["username*"] { return name.dropFirst(7).removingPercentEncoding == rules.user }
        return given["username"] == rules.user
    }

    /// Computes A1 (section 3.4.2), hashed.
    func key(session: (nonce: String, clientNonce: String)?) -> String {
        let key = hash("\(rules.user):\(rules.realm):\(rules.password)")
        return session.map { hash("\(key):\($0.nonce):\($0.clientNonce)") } ?? key
    }

    /// Computes the response (section 3.4.1), with A2 of section 3.4.3.
    func response(_ key: String, _ given: [String: String], _ line: String, _ body: String) -> String {
        let nonce = given["nonce"] ?? ""
        guard let qop = given["qop"], let count = given["nc"], let clientNonce = given["cnonce"] else {
            return hash("\(key):\(nonce):\(hash(line))")
        }
        let request = hash(qop == "auth-int" ? "\(line):\(hash(body))" : line)
        return hash("\(key):\(nonce):\(count):\(clientNonce):\(qop):\(request)")
    }

    func hash(_ text: String) -> String {
        switch rules.algorithm?.replacing("-sess", with: "") {
        case "SHA-256": SHA256.hash(text).hexadecimal
        case "SHA-512-256": SHA512_256.hash(text).hexadecimal
        default: MD5.hash(text).hexadecimal
        }
    }

    /// Returns the names and the values; quoted values without the quotes.
    static func parameters(_ text: some StringProtocol) -> [String: String] {
        var (pieces, isQuoted, isEscaped) = ([""], false, false)
        for scalar in text.unicodeScalars {
            var shows = true
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\", isQuoted {
                (isEscaped, shows) = (true, false)
            } else if scalar == "\"" {
                (isQuoted, shows) = (!isQuoted, false)
            } else if scalar == ",", !isQuoted {
                pieces.append("")
                shows = false
            }
            if shows { pieces[pieces.count - 1].unicodeScalars.append(scalar) }
        }
        let pairs = pieces.map {
            $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return Dictionary(pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }) { first, _ in first }
    }
}

extension DigestCheck.State {
    /// Requires another nonce from now on, in the same session if there is one.
    fileprivate mutating func renew(_ session: (nonce: String, clientNonce: String)?) {
        current = "nonce \(nonces.count)"
        nonces[current] = DigestCheck.Nonce(session: session)
    }
}
