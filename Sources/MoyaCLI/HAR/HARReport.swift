import Foundation
import MoyaHAR

/// Recorded traffic as it is shown: when each exchange began and what its time went to, beside all others.
struct HARReport: Sendable {
    struct Row: Sendable {
        let number: Int
        let entry: HAR.Entry
        /// From the beginning of the first, in milliseconds.
        let start: Double
        let phases: [Phase]

        var duration: Double { phases.reduce(0) { $0 + $1.duration } }
    }

    /// What some of an exchange's time went to.
    struct Phase: Equatable, Sendable {
        enum Kind: String, CaseIterable, Sendable {
            case blocked, dns, connect, ssl, send, wait, receive
        }

        let kind: Kind
        /// In milliseconds.
        let duration: Double
    }

    let rows: [Row]
    /// From the beginning of the first to the end of the last, in milliseconds.
    let span: Double
    let creator: String
    /// Scheme, host and port of all, if they are one.
    let commonOrigin: String?

    init(_ har: HAR) {
        let first = har.entries.map(\.startedDateTime).min() ?? Date()
        rows = har.entries.enumerated().map { index, entry in
            Row(
                number: index + 1,
                entry: entry,
                start: Self.bounded(entry.startedDateTime.timeIntervalSince(first) * 1000),
                phases: Self.phases(entry)
            )
        }
        span = rows.map { $0.start + $0.duration }.max() ?? 0
        creator = [har.creator.name, har.creator.version].filter { !$0.isEmpty }.joined(separator: " ")
        let origins = Set(rows.map(\.origin))
        commonOrigin = origins.count == 1 ? origins.first : nil
    }

    private static func phases(_ entry: HAR.Entry) -> [Phase] {
        let timings = entry.timings
        // The time of TLS is part of that of connecting.
        let connect = bounded(timings.connect) - min(bounded(timings.ssl), bounded(timings.connect))
        let all: [(Phase.Kind, Double)] = [
            (.blocked, timings.blocked), (.dns, timings.dns), (.connect, connect), (.ssl, timings.ssl),
            (.send, timings.send), (.wait, timings.wait), (.receive, timings.receive),
        ]
        let known = all.map { Phase(kind: $0, duration: bounded($1)) }.filter { $0.duration > 0 }
        // Some programs write the whole time only.
        return known.isEmpty ? [Phase(kind: .wait, duration: bounded(entry.time))] : known
    }

    /// A file may say anything: no time is longer than ten years, and none is negative.
    private static func bounded(_ milliseconds: Double) -> Double {
        milliseconds.isFinite ? min(max(0, milliseconds), 3.2e11) : 0
    }
}

extension HARReport {
    /// Exchanges without an answer, or with one that is an error.
    var failureCount: Int { rows.count { $0.isFailure } }

    /// How many bytes the bodies of all answers have, as far as that is known.
    var receivedBytes: Int64 { rows.reduce(0) { $0.addingSaturated($1.size ?? 0) } }

    /// How many bytes the bodies of all requests have, as far as that is known.
    var sentBytes: Int64 { rows.reduce(0) { $0.addingSaturated(max(0, $1.entry.request.bodySize)) } }
}

extension HARReport.Row {
    var isFailure: Bool { entry.response.status >= 400 || entry.response.status <= 0 }

    /// The status, or a word in place of one.
    var status: String { entry.response.status > 0 ? "\(entry.response.status)" : "failed" }

    /// How many bytes the answer's body has; `nil` if that is not known.
    var size: Int64? { entry.response.content.size >= 0 ? entry.response.content.size : nil }

    var origin: String {
        let url = entry.request.url
        guard let slashes = url.range(of: "://") else { return "" }
        let authority = url[slashes.upperBound...].prefix { !"/?#".contains($0) }
        return String(url[..<authority.endIndex])
    }

    /// The URL after its origin.
    var path: String {
        let path = entry.request.url.dropFirst(origin.count)
        return path.isEmpty ? "/" : String(path)
    }

    var sizeText: String { size.map { ByteCount($0).description } ?? "" }

    var durationText: String { Self.text(ofMilliseconds: duration) }

    static func text(ofMilliseconds milliseconds: Double) -> String {
        if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
        if milliseconds < 10_000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds / 100).rounded() / 10) s"
    }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
