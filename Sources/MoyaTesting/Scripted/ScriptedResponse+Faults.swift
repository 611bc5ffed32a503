import Foundation

// The application gets the `URLError` that the fault of a real server causes, with a ``ScriptedFault`` under
// `NSUnderlyingErrorKey`.
extension ScriptedResponse {
    /// The connection is refused: `URLError.cannotConnectToHost`.
    public static var refused: ScriptedResponse { ScriptedResponse(.fault(.refused)) }

    /// The host name cannot be resolved: `URLError.cannotFindHost`.
    public static var dnsFailure: ScriptedResponse { ScriptedResponse(.fault(.dnsFailure)) }

    /// The TLS handshake fails: `URLError.secureConnectionFailed`.
    public static var tlsFailure: ScriptedResponse { ScriptedResponse(.fault(.tlsFailure)) }

    /// The server's certificate is untrusted: `URLError.serverCertificateUntrusted`.
    public static var untrustedCertificate: ScriptedResponse { ScriptedResponse(.fault(.untrustedCertificate)) }

    /// The connection is reset after the request was received: `URLError.networkConnectionLost`.
    ///
    /// `NIOTransport` resends a request with an idempotent method, as it may have been lost on a reused connection
    /// (RFC 9112, section 9.3.1). The script describes the final result.
    public static var reset: ScriptedResponse { ScriptedResponse(.fault(.resetBeforeHead)) }

    /// The server's response is not HTTP: `URLError.cannotParseResponse`.
    public static var notHTTP: ScriptedResponse { ScriptedResponse(.fault(.notHTTP)) }

    /// Nothing is received: `URLError.timedOut` when the request times out.
    public static var stall: ScriptedResponse { ScriptedResponse(.silence) }

    /// Returns this answer with a connection reset after the head and `count` bytes of the body:
    /// `URLError.networkConnectionLost`.
    ///
    /// A body that is complete by then succeeds: if its length is declared, all its bytes are enough.
    public func reset(afterBytes count: Int) -> ScriptedResponse { interrupted(.reset(afterBytes: count), count) }

    /// Returns this answer with the connection closed after the head and `count` bytes of the body.
    ///
    /// The request fails with `URLError.networkConnectionLost` after these bytes.
    public func truncated(at count: Int) -> ScriptedResponse { interrupted(.truncated(at: count), count) }

    /// Returns this answer with a stall after the head and `count` bytes of the body: `URLError.timedOut`.
    public func stall(afterBytes count: Int) -> ScriptedResponse { interrupted(nil, count) }

    /// Returns this answer with a wrong declared length.
    ///
    /// If it is longer than the body, the connection is closed after the last byte: `URLError.networkConnectionLost`.
    /// If it is shorter, the response ends there, as the rest is not part of it (RFC 9112, section 6.3).
    public func declaring(length: Int) -> ScriptedResponse { changed { $0.declaredLength = Int64(max(0, length)) } }

    /// Chooses one of two answers randomly; for example to refuse a tenth of the requests.
    ///
    ///     transport.on(GitHub.zen, .chance(0.1, seed: 42, .refused, otherwise: .text("Keep it simple.")))
    ///
    /// The choice is reproducible: it depends only on the seed and on the number of previous requests of the same
    /// part of the script. An error that it causes contains the seed. For different choices in each run use
    /// `.random(in: 0 ... .max)` as the seed; use the seed of a failed run to repeat it.
    ///
    /// - Parameters:
    ///   - probability: The probability of `response`, from 0 to 1.
    ///   - seed: Any number.
    ///   - answer: The answer with this probability.
    ///   - otherwise: The answer for all other requests.
    /// - Returns: The answer.
    public static func chance(
        _ probability: Double,
        seed: UInt64,
        _ response: ScriptedResponse,
        otherwise: ScriptedResponse
    ) -> ScriptedResponse {
        ScriptedResponse(
            .chance(ScriptedChance(probability: probability, seed: seed, chosen: response, otherwise: otherwise))
        )
    }

    /// Returns this answer with an incomplete body; a `fault` of `nil` is a stall.
    private func interrupted(_ fault: ScriptedFault.Kind?, _ count: Int) -> ScriptedResponse {
        changed { $0.interruption = ScriptedHTTPResponse.Interruption(after: Int64(max(0, count)), fault: fault) }
    }
}
