import Foundation

/// Whether a download that broke off is worth continuing at once, within the same call. Pure: events in, verdicts out.
///
/// It is for connections that break while bytes flow. Three things end it, for a server that fails again and again would
/// be asked without end, and so would one that sends another version each time:
/// - an attempt that brought no byte at all. To ask again later is the session's retry policy's task, with its waits:
///   the retried request finds the part file and continues;
/// - ``maximumShortAttempts`` attempts in a row that each brought fewer than ``shortAttempt`` bytes;
/// - more than ``maximumRestarts`` new starts, however much each of them brought. What was brought before is lost with
///   each, so that it is no progress. After the first one each request waits longer than the one before.
struct DownloadInterruptions: Equatable, Sendable {
    enum Verdict: Equatable, Sendable {
        /// Ask for the rest.
        case resume
        /// Fail with the error; the part file is kept if the options say so.
        case giveUp
    }

    static let maximumShortAttempts = 5
    static let shortAttempt: Int64 = 65_536
    static let maximumRestarts = 4

    private var lengthBefore: Int64
    private var shortAttempts = 0
    private var restarts = 0

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

    /// The part file has to be emptied: what comes from now on counts from zero.
    mutating func startedOver() -> Verdict {
        lengthBefore = 0
        restarts += 1
        return restarts <= Self.maximumRestarts ? .resume : .giveUp
    }

    /// How long to wait before the rest is asked for: the longer, the more often the file has changed meanwhile.
    var delay: Duration {
        restarts == 0 ? .zero : .milliseconds(500 << (min(restarts, Self.maximumRestarts) - 1))
    }

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
