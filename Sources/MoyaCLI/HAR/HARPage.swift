import Foundation
import MoyaHAR

/// Recorded traffic as a self-contained HTML page without scripts, fonts and images.
struct HARPage {
    private let report: HARReport
    private let title: String

    init(_ report: HARReport, title: String) {
        self.report = report
        self.title = title
    }

    var text: String {
        var page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="color-scheme" content="light dark">
            <title>\(HTML(title).text)</title>
            <style>
            \(HARPageStyle.css)
            </style>
            </head>
            <body>
            <header>
            <h1>\(HTML(title).text)</h1>
            <p>\(summary)</p>
            <p>Select a row for its details.</p>
            <ul class="legend">\(legend)</ul>
            </header>
            <main>
            <div class="row head" aria-hidden="true"><span class="number">#</span><span class="method">Method</span>\
            <span class="status">Status</span><span class="url">URL</span><span class="size">Size</span>\
            <span class="time">Time</span><span class="bar">\(HTML(HARReport.Row.text(ofMilliseconds: report.span)).text)\
            </span></div>

            """
        for row in report.rows { page += exchange(row) }
        return page + "</main>\n</body>\n</html>\n"
    }

    private var summary: String {
        let versions = Set(report.rows.map(\.httpVersion)).filter { !$0.isEmpty }.sorted()
        let parts = [
            report.countText,
            "\(report.failureCount) failed",
            report.cancelledCount > 0 ? "\(report.cancelledCount) cancelled" : "",
            versions.isEmpty ? "" : "HTTP/\(versions.joined(separator: ", "))",
            "\(ByteCount(report.sentBytes)) sent",
            "\(ByteCount(report.receivedBytes)) received",
            HARReport.Row.text(ofMilliseconds: report.span),
            report.commonOrigin ?? "",
            report.creator.isEmpty ? "" : "recorded by \(report.creator)",
            report.scale.shortensGaps ? "idle gaps are shortened" : "",
        ]
        return HTML(parts.filter { !$0.isEmpty }.joined(separator: " · ")).text
    }

    private var legend: String {
        HARReport.Phase.Kind.allCases.map { "<li><i class=\"\($0.rawValue)\"></i>\($0.rawValue)</li>" }.joined()
    }

    private func exchange(_ row: HARReport.Row) -> String {
        let url = report.commonOrigin == nil ? row.entry.request.url : row.path
        return """
            <details\(row.isFailure ? " class=\"failure\"" : "")>
            <summary class="row"><span class="number">\(row.number)</span>\
            <span class="method">\(HTML(row.entry.request.method).text)</span>\
            <span class="status">\(HTML(row.status).text)</span>\
            <span class="url" title="\(HTML(url).text)">\(HTML(url).text)</span>\
            <span class="size">\(HTML(row.sizeText).text)</span>\
            <span class="time">\(HTML(row.durationText).text)</span>\
            <span class="bar">\(bar(row))</span></summary>
            \(HARExchangePart(row).text)
            </details>

            """
    }

    /// Returns the bar with the phases of one exchange, positioned on the common time scale.
    private func bar(_ row: HARReport.Row) -> String {
        guard report.span > 0 else { return "" }
        func percent(_ part: Double) -> String { String(format: "%.3f", min(max(0, part), 1) * 100) }
        let phases = row.phases.map {
            "<i class=\"\($0.kind.rawValue)\" style=\"flex-grow:\(percent($0.duration / max(row.duration, 1e-9)))\"></i>"
        }
        let start = report.scale.position(of: row.start)
        let width = report.scale.position(of: row.start + row.duration) - start
        return "<b style=\"margin-left:\(percent(start))%;width:\(percent(width))%\">\(phases.joined())</b>"
    }
}

/// The style of a page: a table on wide screens, cards on narrow ones, in light and dark mode.
enum HARPageStyle {
    static let css = """
        :root { color-scheme: light dark; --ground: #fff; --ink: #1c1e21; --soft: #5d6470; --line: #dfe2e8;
          --over: #f3f5f8; --bad: #b3261e; --blocked: #b6bcc8; --dns: #3f8f8b; --connect: #c07a1c; --ssl: #8a5bc0;
          --send: #2f6fd0; --wait: #6ea2ee; --receive: #2c8a4b; }
        @media (prefers-color-scheme: dark) { :root { --ground: #16181d; --ink: #e6e8ec; --soft: #9aa2b0;
          --line: #2d323c; --over: #1f232b; --bad: #ff8a80; --blocked: #5a6272; --dns: #5fc0bb; --connect: #e0a552;
          --ssl: #b48ae6; --send: #5f97ee; --wait: #9cc2ff; --receive: #5cc480; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 1600px; padding: 16px; background: var(--ground); color: var(--ink);
          font: 14px/1.45 system-ui, sans-serif; }
        h1 { margin: 0; font-size: 20px; overflow-wrap: anywhere; }
        header p { margin: 4px 0; color: var(--soft); overflow-wrap: anywhere; }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 14px; margin: 8px 0 12px; padding: 0; list-style: none;
          color: var(--soft); font-size: 12px; }
        .legend i { display: inline-block; width: 10px; height: 10px; margin-right: 5px; border-radius: 2px; }
        .row { display: grid; grid-template-columns: 36px 64px 52px minmax(0, 1fr) 76px 68px minmax(120px, 30%); gap: 12px;
          align-items: center; padding: 5px 8px; border-bottom: 1px solid var(--line);
          font-variant-numeric: tabular-nums; }
        .head { color: var(--soft); font-size: 12px; }
        .head .bar { text-align: right; }
        .head .method { font-weight: 400; }
        summary { list-style: none; cursor: pointer; }
        summary::-webkit-details-marker { display: none; }
        summary:hover, details[open] > summary { background: var(--over); }
        summary:focus-visible { outline: 2px solid var(--send); outline-offset: -2px; }
        details { content-visibility: auto; contain-intrinsic-size: auto 31px; }
        .number, .size, .time { text-align: right; }
        .number { color: var(--soft); }
        summary .number::before { content: "▸ "; }
        details[open] > summary .number::before { content: "▾ "; }
        .command { user-select: all; }
        .url { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .method { overflow: hidden; text-overflow: ellipsis; font-weight: 600; }
        .failure .status { color: var(--bad); font-weight: 600; }
        summary .bar { display: block; height: 12px; }
        .bar b { display: flex; height: 12px; min-width: 3px; border-radius: 2px; overflow: hidden; }
        .bar i { flex-basis: 0; }
        .blocked { background: var(--blocked); } .dns { background: var(--dns); }
        .connect { background: var(--connect); } .ssl { background: var(--ssl); } .send { background: var(--send); }
        .wait { background: var(--wait); } .receive { background: var(--receive); }
        .details { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 12px 24px;
          padding: 12px 8px 20px; border-bottom: 1px solid var(--line); }
        .full { grid-column: 1 / -1; margin: 0; font-family: ui-monospace, monospace; font-size: 13px;
          overflow-wrap: anywhere; }
        .body { grid-column: 1 / -1; }
        section { min-width: 0; }
        h2 { margin: 0 0 4px; font-size: 13px; }
        section p { margin: 0 0 4px; color: var(--soft); }
        table { width: 100%; border-collapse: collapse; table-layout: fixed; }
        th, td { padding: 2px 8px 2px 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top;
          overflow-wrap: anywhere; }
        th { width: 38%; color: var(--soft); font-weight: 400; }
        pre { max-height: 420px; margin: 0; padding: 8px; overflow: auto; background: var(--over); border-radius: 4px;
          font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
        @media (max-width: 720px) {
          body { padding: 12px 8px; }
          .head { display: none; }
          .row { grid-template-columns: auto auto auto 1fr auto auto; grid-template-areas:
            "number method status . size time" "url url url url url url" "bar bar bar bar bar bar"; gap: 2px 10px;
            padding: 8px; }
          .number { grid-area: number; } .method { grid-area: method; } .status { grid-area: status; }
          .url { grid-area: url; white-space: normal; overflow-wrap: anywhere; } .size { grid-area: size; }
          .time { grid-area: time; } .bar { grid-area: bar; }
          details { contain-intrinsic-size: auto 78px; }
        }
        @media print { details { content-visibility: visible; } }
        """
}

/// Text that is escaped for HTML content and attributes.
struct HTML: Equatable, Sendable {
    let text: String

    init(_ text: some StringProtocol) {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\t", "\n": escaped.append(scalar)
            default:
                escaped.append(TerminalText.isSafe(scalar) ? scalar : "\u{FFFD}")
            }
        }
        self.text = String(escaped)
    }
}
