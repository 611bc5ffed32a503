import Foundation
import Moya

/// The times of a request, in words and as a table.
struct RequestTimes: Sendable {
    let metrics: RequestMetrics
    /// The number of bytes of the body that have arrived, after decoding.
    let bytes: Int

    /// The total, the phases of the last exchange, and the number of redirects and retries.
    var text: String {
        guard let duration = metrics.duration else { return "" }
        var parts: [String] = []
        func add(_ name: String, from start: Duration?, to end: Duration?) {
            guard let start, let end, start <= end else { return }
            parts.append("\(name) \(Self.durationText(end - start))")
        }
        if let times = metrics.lastExchange?.timings {
            add("connection", from: .zero, to: times.acquired)
            add("response", from: times.acquired ?? .zero, to: times.responseHead)
            add("body", from: times.responseHead, to: times.ended)
        }
        let (redirects, retries) = (metrics.redirectCount, metrics.retryCount)
        if redirects > 0 { parts.append("\(redirects) \(redirects == 1 ? "redirect" : "redirects")") }
        if retries > 0 { parts.append("\(retries) \(retries == 1 ? "retry" : "retries")") }
        let size = ByteCount(Int64(bytes)).description
        return
            (["\(Self.durationText(duration)), \(size) received"]
            + (parts.isEmpty ? [] : [parts.joined(separator: ", ")]))
            .joined(separator: ": ")
    }

    static func durationText(_ duration: Duration) -> String {
        HARReport.Row.text(ofMilliseconds: duration / .milliseconds(1))
    }
}

/// The times of each exchange of a request as a table.
struct RequestTimesTable: Sendable {
    private struct Row {
        let name: String
        let start: Duration
        var duration: Duration?
        var note: String?
    }

    let metrics: RequestMetrics
    let mask: SecretMask

    /// The lines of the exchanges, each with a heading.
    var lines: [String] {
        guard !metrics.exchanges.isEmpty else { return ["No request was sent to a server."] }
        return metrics.exchanges.enumerated().flatMap { index, exchange in
            let result = exchange.status.map { "\($0)" } ?? (exchange.error == nil ? "no response" : "failed")
            let url = mask.text(of: exchange.url)
            let start = exchange.timings.start - metrics.start
            return [
                "\(index + 1). \(exchange.method.rawValue) \(url): \(result), after \(RequestTimes.durationText(start))",
                Self.line("", "start", "time", ""),
            ]
                + Self.rows(of: exchange.timings).map { row in
                    Self.line(
                        row.name,
                        RequestTimes.durationText(row.start),
                        row.duration.map { RequestTimes.durationText($0) } ?? "",
                        row.note ?? ""
                    )
                }
        }
    }

    private static func rows(of times: ExchangeTimings) -> [Row] {
        let tls = [times.connection?.tls?.version, times.connection?.tls?.cipherSuite].compactMap(\.self)
        let phases: [(String, ExchangeTimings.Phase?, String?)] = [
            ("Queued", times.queued, nil), ("DNS", times.lookup, nil), ("Connect", times.connect, nil),
            ("Proxy", times.proxy, nil), ("TLS", times.tls, tls.isEmpty ? nil : tls.joined(separator: " ")),
        ]
        var rows = phases.compactMap { name, phase, note in
            phase.map { Row(name: name, start: $0.start, duration: $0.duration, note: note ?? $0.noteWithoutEnd) }
        }
        if let acquired = times.acquired {
            let use = times.isConnectionReused.map { $0 ? "reused" : "new" }
            let facts = [use, times.connection?.description].compactMap(\.self).filter { !$0.isEmpty }
            rows.append(Row(name: "Connection", start: acquired, note: facts.joined(separator: " ")))
        }
        let bytes = times.bytes
        func add(_ name: String, from start: Duration?, to end: Duration?, _ head: Int64?, _ body: Int64?) {
            guard let start else { return }
            let sizes = [head, body].compactMap(\.self)
            let note = sizes.isEmpty ? nil : ByteCount(sizes.reduce(0, +)).description
            rows.append(Row(name: name, start: start, duration: end.map { max(.zero, $0 - start) }, note: note))
        }
        add("Send", from: times.acquired, to: times.requestSent, bytes.requestHead, bytes.requestBody)
        add("Wait", from: times.requestSent, to: times.responseStarted, nil, nil)
        add("Receive", from: times.responseStarted, to: times.ended, bytes.responseHead, bytes.responseBody)
        if times.hasFailed, let ended = times.ended { rows.append(Row(name: "Failed", start: ended)) }
        return rows
    }

    private static func line(_ name: String, _ start: String, _ time: String, _ note: String) -> String {
        let cells = [
            TerminalText(name).fitted(to: 10), TerminalText(start).fitted(to: 9, alignsRight: true),
            TerminalText(time).fitted(to: 9, alignsRight: true), note,
        ]
        var line = "   " + cells.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension ExchangeTimings.Phase {
    fileprivate var noteWithoutEnd: String? { end == nil ? "not completed" : nil }
}
