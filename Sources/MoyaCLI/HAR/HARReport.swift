import Foundation
import MoyaHAR

/// Recorded traffic prepared for display, with the start and the phases of each exchange.
struct HARReport: Sendable {
    struct Row: Sendable {
        let number: Int
        let entry: HAR.Entry
        /// The time since the start of the first exchange in milliseconds.
        let start: Double
        let phases: [Phase]

        let duration: Double

        init(number: Int, entry: HAR.Entry, start: Double, phases: [Phase]) {
            (self.number, self.entry, self.start, self.phases) = (number, entry, start, phases)
            duration = phases.reduce(0) { $0 + $1.duration }
        }
    }

    /// A phase of an exchange.
    struct Phase: Equatable, Sendable {
        enum Kind: String, CaseIterable, Sendable {
            case blocked, dns, connect, ssl, send, wait, receive
        }

        let kind: Kind
        /// The duration in milliseconds.
        let duration: Double
    }

    /// The selected exchanges.
    let rows: [Row]
    /// The number of all exchanges in the file.
    let total: Int
    let scale: HARTimeScale
    /// The time from the start of the first to the end of the last exchange in milliseconds.
    let span: Double
    let creator: String
    /// The scheme, host and port, if all exchanges have the same.
    let commonOrigin: String?

    init(_ har: HAR, _ selection: HARSelection = HARSelection()) {
        let first = har.entries.map(\.startedDateTime).min() ?? Date()
        let all = har.entries.enumerated().map { index, entry in
            Row(
                number: index + 1,
                entry: entry,
                start: Self.bounded(entry.startedDateTime.timeIntervalSince(first) * 1000),
                phases: Self.phases(entry)
            )
        }
        let rows = selection.rows(of: all)
        self.rows = rows
        total = all.count
        scale = HARTimeScale(rows.map { $0.start...($0.start + $0.duration) })
        let end = rows.map { $0.start + $0.duration }.max() ?? 0
        span = end - (rows.map(\.start).min() ?? 0)
        creator = [har.creator.name, har.creator.version].filter { !$0.isEmpty }.joined(separator: " ")
        let origins = Set(rows.map(\.origin))
        commonOrigin = origins.count == 1 ? origins.first : nil
    }

    private static func phases(_ entry: HAR.Entry) -> [Phase] {
        let timings = entry.timings
        // The recorded connect time includes the TLS handshake.
        let connect = bounded(timings.connect) - min(bounded(timings.ssl), bounded(timings.connect))
        let all: [(Phase.Kind, Double)] = [
            (.blocked, timings.blocked), (.dns, timings.dns), (.connect, connect), (.ssl, timings.ssl),
            (.send, timings.send), (.wait, timings.wait), (.receive, timings.receive),
        ]
        let known = all.map { Phase(kind: $0, duration: bounded($1)) }.filter { $0.duration > 0 }
        // Some programs write only the total time.
        return known.isEmpty ? [Phase(kind: .wait, duration: bounded(entry.time))] : known
    }

    /// Limits a time from a file to ten years, and to at least 0.
    private static func bounded(_ milliseconds: Double) -> Double {
        milliseconds.isFinite ? min(max(0, milliseconds), 3.2e11) : 0
    }
}

extension HARReport {
    /// The number of exchanges without a response or with an error status, except cancelled ones.
    var failureCount: Int { rows.count { $0.isFailure } }

    var cancelledCount: Int { rows.count { $0.isCancelled } }

    /// The number of exchanges in words, with the number of all exchanges if some are not shown.
    var countText: String {
        let of = total == rows.count ? "" : "\(rows.count) of "
        return "\(of)\(total) \(total == 1 ? "exchange" : "exchanges")"
    }

    /// The total size of the responses' bodies in bytes, as far as known.
    var receivedBytes: Int64 { rows.reduce(0) { $0.addingSaturated($1.size ?? 0) } }

    /// The total size of the requests' bodies in bytes, as far as known.
    var sentBytes: Int64 { rows.reduce(0) { $0.addingSaturated(max(0, $1.entry.request.bodySize)) } }
}

extension HARReport.Row {
    var isFailure: Bool { (entry.response.status >= 400 || entry.response.status <= 0) && !isCancelled }

    /// Whether the program that sent the request cancelled it before there was a response.
    var isCancelled: Bool {
        entry.response.status <= 0 && RecordedFailure.code(of: entry.response) == .cancelled
    }

    /// The status code, "cancelled" or "failed".
    var status: String {
        entry.response.status > 0 ? "\(entry.response.status)" : isCancelled ? "cancelled" : "failed"
    }

    /// The version of HTTP without its name, such as `1.1` or `2`; empty if it is unknown.
    var httpVersion: String {
        // Programs write HTTP/1.1, http/2.0, h2 and h3.
        let versions = [entry.response.httpVersion, entry.request.httpVersion].map { text in
            let number = text.lowercased().trimmingPrefix(/http\/|h/)
            return number.hasSuffix(".0") && number != "1.0" ? String(number.dropLast(2)) : String(number)
        }
        return versions.first { $0.first?.isNumber == true } ?? ""
    }

    /// The size of the response's body in bytes; `nil` if unknown.
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

    /// The size of the response; its source, if it is not from the network.
    var sizeText: String {
        if let source = entry.source, source != .network { return source.rawValue }
        return size.map { ByteCount($0).description } ?? ""
    }

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
