import Foundation

/// The state that decides whether an interrupted download is resumed immediately, within the same call.
///
/// It is for connections that break during a transfer. Three conditions end it, to avoid endless requests to a
/// server that fails repeatedly or sends another version each time:
/// - An attempt without any data. A later retry is the task of the session's retry policy: the retried request
///   finds the partial file and resumes.
/// - ``maximumShortAttempts`` attempts in a row with fewer than ``shortAttempt`` bytes each.
/// - More than ``maximumRestarts`` restarts, whatever the amount of data, since each discards the previous data.
///   After the first restart, each request waits longer than the previous one.
struct DownloadInterruptions: Equatable, Sendable {
    enum Verdict: Equatable, Sendable {
        /// Request the rest.
        case resume
        /// Fail with the error; the partial file is kept if the options say so.
        case giveUp
    }

    static let maximumShortAttempts = 5
    static let shortAttempt: Int64 = 65_536
    static let maximumRestarts = 4

    private var lengthBefore: Int64
    private var shortAttempts = 0
    private var restarts = 0

    /// Creates the state; `length` is the number of bytes before the first attempt.
    init(length: Int64 = 0) {
        lengthBefore = length
    }

    /// Handles a failed attempt.
    mutating func failed(_ code: URLError.Code, length: Int64) -> Verdict {
        let verdict = hasGained(length: length)
        return Self.isWorthResuming(code) ? verdict : .giveUp
    }

    /// Handles an attempt that succeeded, but whose response was shorter than expected.
    mutating func endedShort(length: Int64) -> Verdict { hasGained(length: length) }

    /// Handles a restart, which empties the partial file.
    mutating func startedOver() -> Verdict {
        lengthBefore = 0
        restarts += 1
        return restarts <= Self.maximumRestarts ? .resume : .giveUp
    }

    /// The delay before the rest is requested, which grows with the number of restarts.
    var delay: Duration {
        restarts == 0 ? .zero : .milliseconds(500 << (min(restarts, Self.maximumRestarts) - 1))
    }

    private mutating func hasGained(length: Int64) -> Verdict {
        let gain = length - lengthBefore
        lengthBefore = length
        shortAttempts = gain < Self.shortAttempt ? shortAttempts + 1 : 0
        return gain > 0 && shortAttempts <= Self.maximumShortAttempts ? .resume : .giveUp
    }

    /// Returns whether the same request may succeed shortly after.
    ///
    /// Errors caused by the request, the certificate or the response are permanent.
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
