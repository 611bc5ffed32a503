import Foundation

/// Faults in place of an answer, and in the middle of one. The application gets the `URLError` that a real server's fault
/// gives it, with a ``ScriptedFault`` under `NSUnderlyingErrorKey`.
extension ScriptedAnswer {
    /// Nobody listens there: `URLError.cannotConnectToHost`.
    public static var refused: ScriptedAnswer { ScriptedAnswer(.fault(.refused)) }

    /// Nobody knows the host's name: `URLError.cannotFindHost`.
    public static var dnsFailure: ScriptedAnswer { ScriptedAnswer(.fault(.dnsFailure)) }

    /// No secure connection comes about: `URLError.secureConnectionFailed`.
    public static var tlsFailure: ScriptedAnswer { ScriptedAnswer(.fault(.tlsFailure)) }

    /// The server's certificate is not to be trusted: `URLError.serverCertificateUntrusted`.
    public static var untrustedCertificate: ScriptedAnswer { ScriptedAnswer(.fault(.untrustedCertificate)) }

    /// The connection is reset when the request is there: `URLError.networkConnectionLost`.
    ///
    /// `NIOTransport` sends a request once more whose method is idempotent, for it may have been lost on a connection that
    /// was kept alive (RFC 9112, section 9.3.1). What is scripted is what came of it in the end.
    public static var reset: ScriptedAnswer { ScriptedAnswer(.fault(.resetBeforeHead)) }

    /// What comes is no HTTP: `URLError.cannotParseResponse`.
    public static var notHTTP: ScriptedAnswer { ScriptedAnswer(.fault(.notHTTP)) }

    /// Nothing comes, ever: `URLError.timedOut`, when the request's time is up.
    public static var stall: ScriptedAnswer { ScriptedAnswer(.silence) }

    /// The connection is reset after the head and so many bytes of the body: `URLError.networkConnectionLost`, after these.
    ///
    /// A body that is whole by then is whole: where its length is declared, all its bytes are enough.
    public func reset(afterBytes count: Int) -> ScriptedAnswer { interrupted(.reset(afterBytes: count), count) }

    /// The connection is closed after the head and so many bytes of the body: `URLError.networkConnectionLost`, after these.
    public func truncated(at count: Int) -> ScriptedAnswer { interrupted(.truncated(at: count), count) }

    /// Nothing comes after the head and so many bytes of the body: `URLError.timedOut`, when the request's time is up.
    public func stall(afterBytes count: Int) -> ScriptedAnswer { interrupted(nil, count) }

    /// Declares a length that is not the body's.
    ///
    /// Where it is longer, the connection is closed when there are no more bytes: `URLError.networkConnectionLost`. Where it is
    /// shorter, the response ends there, for what follows is no part of it (RFC 9112, section 6.3).
    public func declaring(length: Int) -> ScriptedAnswer { changed { $0.declaredLength = Int64(max(0, length)) } }

    /// One of two answers, by chance: a tenth of the requests is refused, and the others are answered.
    ///
    ///     transport.on(GitHub.zen, .chance(0.1, seed: 42, .refused, otherwise: .text("Keep it simple.")))
    ///
    /// Which of the requests these are, is the same each time for the same seed: the choice depends on the seed, and on how many
    /// requests the same part of the script has had before. An error that is due to it says the seed. For another run each time
    /// give `.random(in: 0 ... .max)`; and the seed of a run that failed, to see it again.
    ///
    /// - Parameters:
    ///   - probability: From 0, never, to 1, always.
    ///   - seed: Any number.
    ///   - answer: What there is with this probability.
    ///   - otherwise: What there is else.
    public static func chance(
        _ probability: Double,
        seed: UInt64,
        _ answer: ScriptedAnswer,
        otherwise: ScriptedAnswer
    ) -> ScriptedAnswer {
        ScriptedAnswer(
            .chance(ScriptedChance(probability: probability, seed: seed, lucky: answer, otherwise: otherwise))
        )
    }

    /// - Parameter fault: `nil` where nothing comes any more.
    private func interrupted(_ fault: ScriptedFault.Kind?, _ count: Int) -> ScriptedAnswer {
        changed { $0.interruption = ScriptedResponse.Interruption(after: Int64(max(0, count)), fault: fault) }
    }
}
