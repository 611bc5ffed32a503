import Foundation

/// Whether a download that broke off is worth continuing at once, within the same call. Pure: events in, verdicts out.
///
/// It is for connections that break while bytes flow. Two things end it, for a server that fails again and again would
/// be asked without end:
/// - an attempt that brought no byte at all. To ask again later is the session's retry policy's task, with its waits:
///   the retried request finds the part file and continues;
/// - ``maximumShortAttempts`` attempts in a row that each brought fewer than ``shortAttempt`` bytes.
struct DownloadInterruptions: Equatable, Sendable {
    enum Verdict: Equatable, Sendable {
        /// Ask for the rest.
        case resume
        /// Fail with the error; the part file is kept if the options say so.
        case giveUp
    }

    static let maximumShortAttempts = 5
    static let shortAttempt: Int64 = 65_536

    private var lengthBefore: Int64
    private var shortAttempts = 0

    /// - Parameter length: How many bytes are there before the first attempt.
    init(length: Int64 = 0) {
        lengthBefore = length
    }

    /// The attempt has failed.
    mutating func failed(_ code: URLError.Code, length: Int64) -> Verdict {
        let verdict = hasGained(length: length)
        return Self.isWorthResuming(code) ? verdict : .giveUp
    }

    /// The attempt has ended well, but the answer had fewer bytes than are missing.
    mutating func endedShort(length: Int64) -> Verdict { hasGained(length: length) }

    /// The part file has been emptied: what comes from now on counts from zero.
    mutating func startedOver() { lengthBefore = 0 }

    private mutating func hasGained(length: Int64) -> Verdict {
        let gain = length - lengthBefore
        lengthBefore = length
        shortAttempts = gain < Self.shortAttempt ? shortAttempts + 1 : 0
        return gain > 0 && shortAttempts <= Self.maximumShortAttempts ? .resume : .giveUp
    }

    /// Whether the same request may well succeed a moment later. What the caller, the server's certificate or the answer
    /// is to blame for stays as it is.
    static func isWorthResuming(_ code: URLError.Code) -> Bool {
        switch code {
        case .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
            .notConnectedToInternet:
            true
        default:
            false
        }
    }
}
