import Foundation
import Moya

/// Prints spans as a tree, with a bar for the time of each.
///
/// The bar of an exchange has a part for the wait for a connection (`·`), for the wait for the response (`-`), and for the body (`=`).
struct SpanTree: Sendable {
    private static let nameWidth = 30
    private static let resultWidth = 10

    /// The number of columns of a bar.
    var barWidth = 32

    /// Returns the name of an error in few words.
    static func text(of error: any Error) -> String {
        guard let error = error.asURLError else { return "error" }
        return error.code == .cancelled ? "cancelled" : error.code == .timedOut ? "timed out" : "failed"
    }

    /// Returns the lines of a tree for each request, whose bars share the time from the first beginning to the last end.
    func lines(of spans: [RecordedSpan]) -> [String] {
        let ended = spans.filter { $0.end != nil }
        guard let first = ended.map(\.start).min(), let last = ended.compactMap(\.end).max() else { return [] }
        let requests = ended.filter { $0.parent == nil }
        return requests.flatMap { request in
            let exchanges = ended.filter { $0.parent == request.number }
            return [line(of: request, prefix: "", first, last)]
                + exchanges.indices.map { index in
                    line(of: exchanges[index], prefix: index == exchanges.count - 1 ? "└ " : "├ ", first, last)
                }
        }
    }

    private func line(of span: RecordedSpan, prefix: String, _ first: Duration, _ last: Duration) -> String {
        let end = span.end ?? span.start
        let name = TerminalText(prefix + span.name).fitted(to: Self.nameWidth)
        let result = TerminalText(span.result).fitted(to: Self.resultWidth)
        let milliseconds = String(format: "%.1f ms", (end - span.start) / .milliseconds(1))
        let time = TerminalText(milliseconds).fitted(to: 10, alignsRight: true)
        return "\(name) \(result) \(time)  |\(bar(of: span, first, last))|"
    }

    /// Returns the bar of a span: spaces up to its beginning, and at least one character.
    private func bar(of span: RecordedSpan, _ first: Duration, _ last: Duration) -> String {
        let total = max(last - first, .nanoseconds(1))
        func column(_ time: Duration) -> Int { min(barWidth, max(0, Int((time - first) / total * Double(barWidth)))) }
        let end = span.end ?? span.start
        let start = min(column(span.start), barWidth - 1)
        let stop = max(column(end), start + 1)
        var bar = String(repeating: " ", count: start)
        for index in start..<stop {
            let time = first + total * (Double(index) + 0.5) / Double(barWidth)
            bar.append(character(of: span, at: time))
        }
        return bar + String(repeating: " ", count: barWidth - stop)
    }

    private func character(of span: RecordedSpan, at time: Duration) -> Character {
        guard span.parent != nil else { return "#" }
        if let head = span.head, time >= span.start + head { return "=" }
        if let acquired = span.acquired, time >= span.start + acquired { return "-" }
        return span.acquired == nil && span.head == nil ? "-" : "·"
    }
}
